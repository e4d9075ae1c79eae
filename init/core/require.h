/*
 * Whether what was required holds for the candidate. Decided twice: before the spawn with what can be seen, and by the
 * sealed child just before exec with what the seal achieved. What could not be seen is not met. Pure.
 */
#ifndef PROCTOR_CORE_REQUIRE_H
#define PROCTOR_CORE_REQUIRE_H

#include "core/facts.h"
#include "core/layers.h"
#include "core/plan.h"

/* No interface but lo, no route that leads out, and nothing that stayed unseen. */
bool require_sees_no_network(const struct facts *f);

/* Before the spawn: the first requirement that the world does not meet, REQUIRE_END if none. facts may be NULL. */
enum requirement require_world(const struct plan *plan, const struct facts *facts, const struct sight *sight);

/* In the sealed child: the first requirement that the seal did not meet, REQUIRE_END if none. */
enum requirement require_seal(const struct plan *plan, const struct sealed *sealed);

#endif
