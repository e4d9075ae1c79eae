/* The option table's rows and the look-ups over them. Pure. */
#include "wire/limits.h"

#include <errno.h>
#include <string.h>

const struct option_row option_table[OPTION_END] = {
#define X(id, name, kind, unit, min, max, def, where, value, help) \
	{name, kind, unit, min, max, def, where, value, help},
    OPTIONS(X)
#undef X
};

enum option option_find(const char *name, size_t len, unsigned where)
{
	for (unsigned o = 0; o < OPTION_END; o++)
		if (strlen(option_table[o].name) == len && memcmp(option_table[o].name, name, len) == 0)
			return (option_table[o].where & where) ? (enum option)o : OPTION_END;
	return OPTION_END;
}

int option_number(enum option o, const char *text, uint64_t *value)
{
	uint64_t v;
	int r = unit_parse(option_table[o].unit, text, &v);
	if (r < 0)
		return r;
	if (v < option_table[o].min || v > option_table[o].max)
		return -ERANGE;
	*value = v;
	return 0;
}
