/* The vocabularies of option values. Pure. */
#include "core/words.h"

#include <errno.h>
#include <string.h>

#include "policy/numbers.h"
#include "wire/profile.h"

enum { SOCKET_PATH = 107 }; /* unix(7): sun_path without its NUL */

int words_profile(const char *name, int *profile)
{
	int p = policy_profile_from_name(name);
	if (p < 0)
		return -EINVAL;
	*profile = p;
	return 0;
}

int words_default_profile(void)
{
	return POLICY_PROFILE_DEFAULT;
}

/* The next comma-separated item: its length, and *next behind it (NULL after the last). */
static size_t item(const char *at, const char **next)
{
	const char *comma = strchr(at, ',');
	*next = comma ? comma + 1 : NULL;
	return comma ? (size_t)(comma - at) : strlen(at);
}

int words_calls(const char *list, int *numbers, unsigned *count, const char **wrong)
{
	for (const char *next; list; list = next) {
		int number = policy_number(list, item(list, &next));
		if (number < 0) {
			*wrong = list;
			return -EINVAL;
		}
		if (*count == PLAN_NAMES)
			return -E2BIG;
		numbers[(*count)++] = number;
	}
	return 0;
}

bool words_call_needed(int number)
{
	return policy_needed(number);
}

int words_require(const char *list, uint32_t *bits, const char **wrong)
{
	for (const char *next; list; list = next) {
		enum requirement r = requirement_find(list, item(list, &next));
		*wrong = list;
		if (r == REQUIRE_END)
			return -EINVAL;
		if (!(requirement_by(r) & BY_INIT))
			return -ENOTSUP;
		*bits |= UINT32_C(1) << r;
	}
	return 0;
}

static int descriptor(const char *text, int *fd)
{
	uint64_t v;
	if (unit_parse(UNIT_COUNT, text, &v) < 0 || v > 1023)
		return -EINVAL;
	*fd = (int)v;
	return 0;
}

int words_carrier(const char *text, bool record, struct carrier *c)
{
	const char *rest = strchr(text, ':');
	size_t n = rest ? (size_t)(rest - text) : strlen(text);

	c->kind = CARRIER_NONE;
	c->path = NULL;
	c->fd = -1;
	rest = rest ? rest + 1 : "";
	if (!record) {
		if (n == 4 && memcmp(text, "unix", n) == 0 && rest[0] == '/' && strlen(rest) <= SOCKET_PATH) {
			c->kind = CARRIER_UNIX;
			c->path = rest;
			return 0;
		}
		if (strcmp(text, "stdio") == 0 || strncmp(text, "fd:", 3) == 0 ||
		    strncmp(text, "file:", 5) == 0 || strncmp(text, "tls:", 4) == 0)
			return -ENOTSUP;
		return -EINVAL;
	}
	if (strcmp(text, "stderr") == 0) {
		c->kind = CARRIER_STDERR;
		return 0;
	}
	if (n == 2 && memcmp(text, "fd", n) == 0 && descriptor(rest, &c->fd) == 0) {
		c->kind = CARRIER_FD;
		return 0;
	}
	if (n == 4 && memcmp(text, "file", n) == 0 && rest[0]) {
		c->kind = CARRIER_FILE;
		c->path = rest;
		return 0;
	}
	return -EINVAL;
}

int words_run(const char *text, char run[RUN_ID_MAX + 1])
{
	size_t n = strlen(text);

	if (n == 0 || n > RUN_ID_MAX)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-')
			return -EINVAL;
	}
	memcpy(run, text, n + 1);
	return 0;
}
