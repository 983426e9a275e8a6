/* What report.c lists: the write function of every report. */
#ifndef WS_REPORT_WRITERS_H
#define WS_REPORT_WRITERS_H

#include <stdio.h>

#include "report/report.h"

extern const struct ws_report ws_report_text;
extern const struct ws_report ws_report_json;
extern const struct ws_report ws_report_csv;

#endif
