/*
 * The plan: everything that was asked of init, parsed once from the command line and the ticket, never changed after
 * the spawn. Numbers and words are indexed by option, so that a new option needs no new field. All pointers point into
 * argv or into the ticket's buffer, which outlive the plan.
 */
#ifndef PROCTOR_CORE_PLAN_H
#define PROCTOR_CORE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/chain.h"
#include "wire/limits.h"
#include "wire/require.h"
#include "wire/ticket.h"

enum { PLAN_SCRATCHES = 8, PLAN_ENVS = 256, PLAN_NAMES = 64 };

enum carrier_kind { CARRIER_NONE, CARRIER_UNIX, CARRIER_FD, CARRIER_STDERR, CARRIER_FILE };

struct carrier {
	enum carrier_kind kind;
	int fd;		  /* CARRIER_FD */
	const char *path; /* CARRIER_UNIX, CARRIER_FILE */
};

enum network { NETWORK_NONE, NETWORK_LOOPBACK, NETWORK_UNSET };

struct plan {
	uint64_t number[OPTION_END]; /* VALUE_NUMBER options; LIMIT_NONE where not asked for */
	const char *
	    text[OPTION_END]; /* VALUE_TEXT options as written; NULL where absent (the last one of ON_MANY) */
	const char *scratch[PLAN_SCRATCHES];
	unsigned scratches;
	const char *env[PLAN_ENVS]; /* K=V */
	unsigned envs;
	int profile;	      /* enum policy_profile */
	enum network network; /* NETWORK_UNSET: socket families are not restricted beyond the profile */
	bool kill_on_log;     /* --log-over kill */
	uint32_t require;     /* bit 1 << enum requirement */
	int allow[PLAN_NAMES], deny[PLAN_NAMES]; /* syscall numbers */
	unsigned allows, denies;
	struct carrier ticket, report, record;
	char run[RUN_ID_MAX + 1]; /* "" in plain use */
	uint8_t key[CHAIN_KEY];
	bool keyed;	      /* the key came (scorer-host is there); otherwise plain use */
	char *const *command; /* NULL-terminated; NULL while only the ticket knows it */
};

#endif
