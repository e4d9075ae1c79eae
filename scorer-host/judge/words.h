/* Numbers as people read them on a screen: rounded, with a unit. Exact values are printed by wire/units.h. Pure. */
#ifndef PROCTOR_JUDGE_WORDS_H
#define PROCTOR_JUDGE_WORDS_H

#include <stdint.h>

enum { WORD = 48 };

/* "812B", "40.0MiB", "1.00GiB"; "unknown" for LIMIT_NONE. Returns out. */
char *word_size(uint64_t bytes, char out[WORD]);

/* "0.210s", "60.0s"; "unknown" for LIMIT_NONE. Returns out. */
char *word_ms(uint64_t ms, char out[WORD]);

/* "1-9", "10-99", "100-999", … ; "0" for 0. Returns out. */
char *word_decade(uint64_t count, char out[WORD]);

/* "SIGKILL", or NULL outside the standard signals. */
const char *word_signal(unsigned number);

#endif
