/* Messages can quote names of the submission's: they are printed so that they can neither end a line nor move a cursor. */
#include "command/tell.h"

#include <string.h>

static void quoted(FILE *out, const char *text, size_t n)
{
	for (const unsigned char *p = (const unsigned char *)text, *end = p + n; p < end; p++) {
		if (*p < 0x20 || *p == 0x7f)
			(void)fprintf(out, "\\x%02x", *p);
		else if (*p == 0xc2 && p + 1 < end && p[1] >= 0x80 && p[1] < 0xa0)
			(void)fprintf(out, "\\u%04x", *++p); /* a control character's second form in UTF-8 */
		else
			(void)fputc(*p, out);
	}
}

static void labelled(FILE *out, const char *label, size_t length, const char *text, size_t n)
{
	(void)fprintf(out, "  %.*s%*s", (int)length, label,
	    length == 0		  ? 0
	    : length < TELL_LABEL ? (int)(TELL_LABEL - length)
				  : 1,
	    "");
	quoted(out, text, n);
	(void)fputc('\n', out);
}

void tell_line(FILE *out, const char *label, const char *text)
{
	labelled(out, label, strlen(label), text, strlen(text));
}

void tell_fault(FILE *out, const struct fault *fault)
{
	static const char limit[] = "limit ";
	const char *what = fault->what;

	if (fault->limit_name[0] && strncmp(what, limit, sizeof limit - 1) == 0)
		tell_line(out, "limit", what + sizeof limit - 1);
	else if (*what)
		tell_line(out, "", what);
	for (const char *line = fault->more; *line;) {
		size_t label = strcspn(line, "\t"), length = strcspn(line, "\n");
		labelled(out, line, label, line + label + 1, length - label - 1);
		line += length + (line[length] != '\0');
	}
}

void tell_hint(FILE *out, const struct fault *fault)
{
	if (fault->hint[0])
		tell_line(out, "try", fault->hint);
}
