/* A fault on a screen: what happened, further lines under their labels, and what to try. */
#ifndef PROCTOR_COMMAND_TELL_H
#define PROCTOR_COMMAND_TELL_H

#include <stdio.h>

#include "judge/fault.h"

/* The width of a label and the blank behind it. */
enum { TELL_LABEL = 10 };

/* "  LABEL     TEXT"; without a label the text begins where a label would. No control character reaches a terminal. */
void tell_line(FILE *out, const char *label, const char *text);

/* What happened, and its further lines. */
void tell_fault(FILE *out, const struct fault *fault);

/* The hint, when there is one. */
void tell_hint(FILE *out, const struct fault *fault);

#endif
