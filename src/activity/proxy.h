/* Other ranks as activities of rank 0: one proxy per rank and step, which passes every call on and waits for the
 * answer. */
#ifndef WS_ACTIVITY_PROXY_H
#define WS_ACTIVITY_PROXY_H

#include "base/error.h"
#include "seam/activity.h"
#include "seam/place.h"
#include "seam/ranks.h"

struct ws_proxies;

/*
 * Rank 0's side of all others; ranks and local outlive it. Errors name the rank. One that has died, or that is silent
 * half a second after a deadline that it was told, is not asked again.
 */
int ws_proxies_new(struct ws_ranks *ranks, const struct ws_activity_source *local, struct ws_proxies **out,
		   struct ws_error *error);
void ws_proxies_free(struct ws_proxies *proxies);

/*
 * The places of all ranks, each with its rank; local are those of rank 0, without. The others open back ends of those
 * families (by spaces; NULL = all). To be called before any step is opened.
 */
int ws_proxies_places(struct ws_proxies *proxies, const char *families, const struct ws_places *local,
		      int64_t timeout_ns, struct ws_places *out, struct ws_error *error);

/*
 * A source of activities that opens the steps of a plan over all ranks: rank 0's own items as one activity, and a proxy
 * for every other rank that takes part. settings_text is the "with" line of the plan's settings, copied; steps must
 * have their text. With one rank alone it is the local source itself. Valid until proxies is freed.
 */
int ws_proxies_source(struct ws_proxies *proxies, const char *settings_text, struct ws_activity_source *out,
		      struct ws_error *error);

#endif
