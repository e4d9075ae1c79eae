/*
 * The OCI runtime configuration (opencontainers/runtime-spec 1.0.2, config.json) of a launch. Ours alone: nothing of
 * the submission's is in it. The same launch gives the same bytes.
 */
#ifndef PROCTOR_ENGINE_BUNDLE_H
#define PROCTOR_ENGINE_BUNDLE_H

#include <jansson.h>

#include "engine/launch.h"

enum {
	PIDS_MARGIN =
	    16, /* the kernel's count stands this far above init's, so that the cause is init's decision */
	SWAP_MARGIN = 1 << 20 /* swap above memory: equal hides the limit's own hits on version 1 */
};

/* The configuration, a new reference; NULL when out of memory. */
json_t *bundle_config(const struct launch *l);

#endif
