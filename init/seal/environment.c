/*
 * The candidate's environment: made from nothing but what was asked for, or, in plain use, inherited and amended. A
 * later word for the same name replaces the earlier one.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "seal/steps.h"
#include "wire/require.h"

/* Room for a generous inherited environment and the plan's own words. */
enum { ENTRIES = 2048 };

static char *entry[ENTRIES + 1];
static char home[PATH_MAX];
static char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

static size_t name_length(const char *word)
{
	return strcspn(word, "=");
}

/* Adds or replaces. execve wants pointers to char and changes nothing, so that the cast by union is harmless. */
static int put(const char *word)
{
	union {
		const char *from;
		char *to;
	} w = {.from = word};
	size_t n = name_length(word), i = 0;
	while (entry[i] && !(name_length(entry[i]) == n && memcmp(entry[i], word, n) == 0))
		i++;
	if (i == ENTRIES)
		return -E2BIG;
	entry[i] = w.to;
	return 0;
}

/* Puts the variables whose names stand in the comma-separated list. */
static int keep(char *const *from, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");
		for (size_t i = 0; n && from[i]; i++) {
			if (name_length(from[i]) != n || memcmp(from[i], list, n) != 0)
				continue;
			int r = put(from[i]);
			if (r < 0)
				return r;
		}
		list += n;
		list += *list == ',';
	}
	return 0;
}

/* A home that can be written to, where there is one. */
static int defaults(const struct plan *plan)
{
	static const char name[] = "HOME=";
	const char *at = plan->scratches ? plan->scratch[0] : "/";
	size_t n = strlen(at);
	if (n >= sizeof home - sizeof name)
		return -ENAMETOOLONG;
	memcpy(home, name, sizeof name - 1);
	memcpy(home + sizeof name - 1, at, n + 1);
	int r = put(path);
	return r < 0 ? r : put(home);
}

int step_environment(struct sealing *s)
{
	static char *const nothing[] = {NULL};
	const struct plan *plan = s->plan;
	char *const *from = s->job->environment ? s->job->environment : nothing;
	bool inherit = s->job->plain && !plan->text[OPTION_KEEP_ENV];
	int r = 0;

	if (inherit && plan->envs == 0) {
		s->environment = from;
		return STATE_OFF;
	}
	if (inherit) {
		for (size_t i = 0; from[i] && r == 0; i++)
			r = put(from[i]);
	} else {
		r = defaults(plan);
		if (r == 0 && plan->text[OPTION_KEEP_ENV])
			r = keep(from, plan->text[OPTION_KEEP_ENV]);
	}
	for (unsigned i = 0; i < plan->envs && r == 0; i++)
		r = put(plan->env[i]);
	if (r < 0)
		return r;
	s->environment = entry;
	return inherit ? STATE_OFF : STATE_ENFORCED;
}
