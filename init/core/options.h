/*
 * Words into a plan: the one parser of the command line and of the ticket, driven by the table in wire/limits.h.
 * Whatever is unknown, given twice, malformed, out of range, or not honoured by this build is refused before anything
 * runs, with a message that names the option, the value and what is expected. Pure.
 */
#ifndef PROCTOR_CORE_OPTIONS_H
#define PROCTOR_CORE_OPTIONS_H

#include <stddef.h>

#include "core/plan.h"

enum { OPTIONS_MESSAGE = 320, OPTIONS_HELP_TEXT = 4096 };

enum options_wish {
	OPTIONS_RUN,	/* run the command */
	OPTIONS_HELP,	/* --help */
	OPTIONS_VERSION /* --version */
};

/* A plan that asks for nothing. */
void plan_start(struct plan *plan);

/*
 * Adds words (NULL-terminated, without the program's name) to the plan: options, then "--" and the command. where is
 * ON_ARGV or ON_TICKET; the words must outlive the plan. A command that the plan has already stays. An enum
 * options_wish, or -EINVAL with the reason in message.
 */
int options_parse(struct plan *plan, unsigned where, char *const *words, char message[OPTIONS_MESSAGE]);

/*
 * Checks what only the whole can tell, once after the command line (ticketed false) and once more when the ticket is
 * in (true). 0, or -EINVAL with the reason in message.
 */
int options_complete(const struct plan *plan, bool ticketed, char message[OPTIONS_MESSAGE]);

/* The text of --help, made from the table. Its length. */
size_t options_help(char text[OPTIONS_HELP_TEXT]);

#endif
