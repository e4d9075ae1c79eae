/* Filling faults, and exit statuses by class. Pure. */
#include "judge/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fault_set(struct fault *f, enum verdict v, const char *format, ...)
{
	va_list args;
	memset(f, 0, sizeof *f);
	f->verdict = v;
	va_start(args, format);
	(void)vsnprintf(f->what, sizeof f->what, format, args);
	va_end(args);
	return -1;
}

int fault_hint(struct fault *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	(void)vsnprintf(f->hint, sizeof f->hint, format, args);
	va_end(args);
	return -1;
}

bool verdict_of_table(enum verdict v)
{
	return v == VERDICT_SCORED || v == VERDICT_METRIC_UNDEFINED ||
	       (v >= VERDICT_TABLE_FORMAT && v <= VERDICT_TABLE_TOO_LARGE);
}

bool fault_retry(const struct fault *f)
{
	/* What a host lacks it will lack again. */
	return f->verdict != VERDICT_NONE && verdict_class(f->verdict) == CLASS_INFRASTRUCTURE &&
	       f->verdict != VERDICT_REQUIRE_UNMET && !f->lasting;
}

int verdict_exit(enum verdict v)
{
	if (v == VERDICT_CANCELLED)
		return 130;
	switch (verdict_class(v)) {
	case CLASS_SCORED:
		return 0;
	case CLASS_SUBMISSION:
		return 1;
	case CLASS_EVALUATOR:
		return 4;
	case CLASS_INFRASTRUCTURE:
		break;
	}
	return 3;
}
