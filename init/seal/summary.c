/* The seal's report in the words of layers and requirements. */
#include "seal/seal.h"

static uint8_t worse(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

void seal_summary(const struct seal_report *r, struct sealed *s)
{
	s->descriptors = r->state[SEAL_DESCRIPTORS];
	s->rlimits = r->state[SEAL_RLIMITS];
	s->core = r->state[SEAL_CORE];
	s->oom_score = r->state[SEAL_OOM_SCORE];
	s->uid = r->state[SEAL_UID];
	s->capabilities = worse(r->state[SEAL_BOUNDING], r->state[SEAL_AMBIENT]);
	s->no_new_privs = r->state[SEAL_NO_NEW_PRIVS];
	s->landlock = r->state[SEAL_LANDLOCK];
	s->seccomp = r->state[SEAL_SECCOMP];
	s->notifies = r->notifies != 0;
}
