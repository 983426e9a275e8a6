/* The file that describes a fake machine. */
#ifndef WS_FAKE_MACHINE_FILE_H
#define WS_FAKE_MACHINE_FILE_H

#include "fake/machine.h"

/* Changes what the file speaks of. False after a line on stderr. */
bool fake_machine_load(struct fake_machine *machine, const char *path);

#endif
