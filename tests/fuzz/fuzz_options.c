/*
 * Fuzzes the parser of options: the bytes are a ticket's payload (words that each end in a NUL); the first byte chooses
 * whether they stand on the command line or on a ticket. A plan that was taken has to keep what the table promises.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promised(const struct plan *p)
{
	for (unsigned o = 0; o < OPTION_END; o++) {
		const struct option_row *row = &option_table[o];
		if (row->kind == VALUE_NUMBER && p->number[o] != LIMIT_NONE &&
		    (p->number[o] < row->min || p->number[o] > row->max))
			abort();
	}
	if (p->scratches > PLAN_SCRATCHES || p->envs > PLAN_ENVS || p->allows > PLAN_NAMES ||
	    p->denies > PLAN_NAMES)
		abort();
	for (unsigned i = 0; i < p->envs; i++)
		if (!strchr(p->env[i], '='))
			abort();
	if (strlen(p->run) > RUN_ID_MAX || (p->command && !p->command[0]))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static union {
		const char *in[TICKET_WORDS];
		char *out[TICKET_WORDS];
	} words;
	char message[OPTIONS_MESSAGE];
	struct plan plan;
	unsigned where;
	int wish;

	if (size < 2 || ticket_split(data + 1, size - 1, words.in) < 0)
		return 0;
	where = data[0] & 1 ? ON_TICKET : ON_ARGV;
	plan_start(&plan);
	wish = options_parse(&plan, where, words.out, message);
	if (strlen(message) >= sizeof message || (wish < 0) != (message[0] != '\0'))
		abort();
	if (wish == OPTIONS_RUN) {
		promised(&plan);
		if ((options_complete(&plan, where == ON_TICKET, message) < 0) != (message[0] != '\0'))
			abort();
	}
	return 0;
}
