/*
 * The judge's whole work: a table's columns against the truth's bytes. Pure: it is what the confined judge runs, and
 * its result is plain data that the host checks again.
 */
#ifndef PROCTOR_JUDGE_WEIGH_H
#define PROCTOR_JUDGE_WEIGH_H

#include "judge/columns.h"
#include "judge/match.h"
#include "judge/metrics.h"
#include "judge/table.h"

struct weighed {
	struct table_report truth;
	struct match_report match;
	uint64_t truth_rows;
	uint32_t
	    absent; /* of the truth alone: the first metric, from 1, whose positive label no row has; 0: none */
	uint32_t beyond; /* more rows in the table than spec_rows_most(truth_rows): nothing was matched */
	uint64_t filled; /* ids of the truth without a row, where rows may miss */
	struct score_metric metric[SCORE_METRICS];
	struct score_group group[SCORE_GROUPS];
	uint32_t groups; /* in use */
};

/*
 * truth and n: the truth's bytes. block: all-zero memory of truth_shape's size. table: what the reader left, not yet
 * checked. Metrics are computed only when every id has its one partner and with_metrics. 0, -EBADMSG when the columns
 * are not what a reader may leave, -ENOMEM.
 */
int weigh(const struct task *task, const uint8_t *truth, size_t n, const struct columns_shape *truth_shape,
    void *block, const struct columns *table, const uint64_t key[2], bool with_metrics, struct weighed *out);

/* The truth alone, with the same memory: out->truth, truth_rows and absent. For what no table can be blamed for. */
void weigh_truth(const struct task *task, const uint8_t *truth, size_t n,
    const struct columns_shape *truth_shape, void *block, struct weighed *out);

/* Whether a result that came from elsewhere can be one: counts that fit each other, finite values in range. */
bool weighed_check(const struct weighed *w, const struct task *task, uint64_t table_rows);

#endif
