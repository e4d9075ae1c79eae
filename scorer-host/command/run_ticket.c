/* What the host asks of init for a run. */
#include "command/run_ticket.h"

#include <string.h>

#include "wire/profile.h"

static void requirements(struct ticket *t, uint32_t require)
{
	char list[512] = "";
	for (unsigned r = 0; r < REQUIRE_END; r++) {
		if (!(require & UINT32_C(1) << r) || !(requirement_by((enum requirement)r) & BY_INIT))
			continue;
		if (*list)
			strncat(list, ",", sizeof list - strlen(list) - 1);
		strncat(list, requirement_name((enum requirement)r), sizeof list - strlen(list) - 1);
	}
	if (*list)
		ticket_option(t, OPTION_REQUIRE, list);
}

/* Loopback is no network: init runs nothing with it where it sees any interface but lo, or a route. */
static bool loopback(const char *profile)
{
	int p = profile ? policy_profile_from_name(profile) : POLICY_PROFILE_DEFAULT;

	return p >= 0 && policy_profile_loopback((enum policy_profile)p);
}

void run_ticket(struct ticket *t, const struct ticket_source *s)
{
	char key[2 * CHAIN_KEY + 1];

	ticket_option(t, OPTION_RUN, s->run);
	key_format(s->key, key);
	ticket_option(t, OPTION_KEY, key);
	explicit_bzero(key, sizeof key);
	ticket_number(t, OPTION_UID, s->uid);
	ticket_number(t, OPTION_GID, s->uid);
	for (unsigned o = 0; o < OPTION_END; o++)
		if ((option_table[o].where & (ON_TICKET | ON_TASK)) == (ON_TICKET | ON_TASK) &&
		    option_table[o].kind == VALUE_NUMBER)
			ticket_number(t, (enum option)o, s->task->limit[o]);
	ticket_option(t, OPTION_OUTPUT, "/output");
	for (size_t i = 0; i < s->task->scratch_count; i++)
		ticket_option(t, OPTION_SCRATCH, s->task->scratch[i]);
	ticket_option(t, OPTION_NETWORK, loopback(s->task->syscalls) ? "loopback" : "none");
	ticket_option(t, OPTION_SYSCALLS, s->task->syscalls ? s->task->syscalls : "ml");
	for (size_t i = 0; i < s->task->env_count; i++)
		ticket_option(t, OPTION_ENV, s->task->env[i]);
	requirements(t, s->task->require);
	ticket_word(t, "--");
	for (char *const *word = s->command; *word; word++)
		ticket_word(t, *word);
}
