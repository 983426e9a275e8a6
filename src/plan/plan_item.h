/* Items of plan text. */
#ifndef WS_PLAN_PLAN_ITEM_H
#define WS_PLAN_PLAN_ITEM_H

#include "plan/plan_lex.h"
#include "seam/item.h"

/*
 * Reads an item from the lexer's current token on, and stops at "+", "group=" or the end of the line. The item's own
 * coordinates stand before it and are read by the caller. The item's members are the caller's to free, also after a
 * failure.
 */
int ws_plan_read_item(struct ws_plan_lexer *lexer, struct ws_item *item);

/* Whether a token begins with these characters. */
bool ws_plan_token_begins(const struct ws_plan_token *token, const char *characters);

#endif
