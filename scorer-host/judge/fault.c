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

int fault_more(struct fault *f, const char *label, const char *format, ...)
{
	size_t used = strlen(f->more), room = sizeof f->more - used;
	va_list args;
	int n;

	if (room < 64)
		return -1;
	n = snprintf(f->more + used, room, "%s\t", label);
	va_start(args, format);
	(void)vsnprintf(f->more + used + n, room - (size_t)n - 1, format, args);
	va_end(args);
	for (char *p = f->more + used + n; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	strcat(f->more + used, "\n");
	return -1;
}

char *fault_text(const struct fault *f, char out[FAULT_TEXT])
{
	size_t n = (size_t)snprintf(out, FAULT_TEXT, "%s", f->what);

	for (const char *line = f->more; *line;) {
		size_t label = strcspn(line, "\t"), length = strcspn(line, "\n");
		const char *text = line + label + 1;
		n += (size_t)snprintf(out + n, FAULT_TEXT - n, "%s%.*s%s%.*s", n > 0 ? "; " : "", (int)label,
		    line, label > 0 ? " " : "", (int)(length - label - 1), text);
		line += length + (line[length] != '\0');
	}
	return out;
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
