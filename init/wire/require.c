/* Names of requirements, layers and their states. Pure. */
#include "wire/require.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned by;
} requirements[REQUIRE_END] = {
#define X(id, name, by) {name, by},
    REQUIREMENTS(X)
#undef X
};

static const char *const layers[LAYER_END] = {
#define X(id, name) name,
    LAYERS(X)
#undef X
};

const char *requirement_name(enum requirement r)
{
	return (unsigned)r < REQUIRE_END ? requirements[r].name : NULL;
}

unsigned requirement_by(enum requirement r)
{
	return (unsigned)r < REQUIRE_END ? requirements[r].by : 0;
}

enum requirement requirement_find(const char *name, size_t len)
{
	unsigned r = 0;
	while (r < REQUIRE_END &&
	       (strlen(requirements[r].name) != len || memcmp(requirements[r].name, name, len) != 0))
		r++;
	return (enum requirement)r;
}

const char *layer_name(enum layer l)
{
	return (unsigned)l < LAYER_END ? layers[l] : NULL;
}

const char *layer_state_name(enum layer_state s)
{
	static const char *const names[] = {"off", "unavailable", "best-effort", "by-engine", "enforced"};
	return (unsigned)s < sizeof names / sizeof *names ? names[s] : "unavailable";
}
