/* Names and classes of verdicts, from the one table in verdict.h. Pure. */
#include "wire/verdict.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	enum verdict_class class;
} table[VERDICT_END] = {
#define X(n, c) [VERDICT_##n] = {#n, c},
    VERDICTS(X)
#undef X
};

const char *verdict_name(enum verdict v)
{
	return (unsigned)v < VERDICT_END ? table[v].name : NULL;
}

enum verdict verdict_from_name(const char *name)
{
	for (unsigned v = VERDICT_NONE + 1; v < VERDICT_END; v++)
		if (strcmp(table[v].name, name) == 0)
			return (enum verdict)v;
	return VERDICT_NONE;
}

enum verdict_class verdict_class(enum verdict v)
{
	return v > VERDICT_NONE && v < VERDICT_END ? table[v].class : CLASS_INFRASTRUCTURE;
}

const char *verdict_class_name(enum verdict_class c)
{
	switch (c) {
	case CLASS_SCORED:
		return "scored";
	case CLASS_SUBMISSION:
		return "submission";
	case CLASS_EVALUATOR:
		return "evaluator";
	case CLASS_INFRASTRUCTURE:
		break;
	}
	return "infrastructure";
}
