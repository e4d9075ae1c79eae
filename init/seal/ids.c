/*
 * Whose the candidate is and what it may do: capabilities, groups, ids, no_new_privs. Ids that were asked for are had,
 * all three of each, and cannot be given back; otherwise nothing runs.
 */
#include <errno.h>
#include <unistd.h>

#include "seal/steps.h"
#include "sys/caps.h"
#include "sys/ids.h"
#include "wire/require.h"

static bool changes(const struct plan *plan)
{
	return plan->number[OPTION_UID] != LIMIT_NONE;
}

int step_bounding(struct sealing *s)
{
	(void)s;
	int r = caps_bounding_clear();
	if (r < 0)
		return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
	return STATE_ENFORCED;
}

int step_groups(struct sealing *s)
{
	if (!changes(s->plan))
		return ids_no_groups() ? STATE_BY_ENGINE : STATE_OFF;
	int r = ids_clear_groups();
	if (r == 0)
		return STATE_ENFORCED;
	/* An engine that started init under the candidate's ids has taken the groups and the right to clear them. */
	if (geteuid() == s->plan->number[OPTION_UID] && getegid() == seal_gid(s->plan) && ids_no_groups())
		return STATE_BY_ENGINE;
	return r;
}

int step_gid(struct sealing *s)
{
	if (!changes(s->plan))
		return getegid() != 0 ? STATE_BY_ENGINE : STATE_OFF;
	int r = ids_set_gid(seal_gid(s->plan));
	return r < 0 ? r : STATE_ENFORCED;
}

int step_uid(struct sealing *s)
{
	if (!changes(s->plan))
		return geteuid() != 0 ? STATE_BY_ENGINE : STATE_OFF;
	int r = ids_set_uid((uint32_t)s->plan->number[OPTION_UID]);
	return r < 0 ? r : STATE_ENFORCED;
}

int step_ambient(struct sealing *s)
{
	const struct caps none = {0, 0, 0};
	struct caps now = none;

	int r = caps_ambient_clear();
	/* A kernel without ambient capabilities has none to clear. */
	if (r < 0 && !seal_unavailable(-r))
		return r;
	r = caps_set(&none);
	if (r == 0)
		r = caps_get(&now);
	if (r < 0)
		return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
	if (now.effective || now.permitted || now.inheritable)
		return -EBADE;
	/* Only now, without CAP_SETUID, is the way back closed: so now it is tried. */
	if (changes(s->plan) && ids_regain())
		return -EBADE;
	return STATE_ENFORCED;
}

int step_no_new_privs(struct sealing *s)
{
	(void)s;
	int r = caps_no_new_privs();
	if (r < 0)
		return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
	return caps_has_no_new_privs() == 1 ? STATE_ENFORCED : -EBADE;
}
