/*
 * The metrics of a task over paired rows: the figure, its interval, its groups. Deterministic: neither the order of the
 * table's rows nor the machine changes a digit. Pure.
 */
#ifndef PROCTOR_JUDGE_METRICS_H
#define PROCTOR_JUDGE_METRICS_H

#include "judge/metric.h"
#include "judge/sample.h"

/*
 * One metric of the task. Its groups are appended to `groups`, of which *used are in use and SCORE_GROUPS there at most.
 * 0 or -ENOMEM.
 */
int metric_compute(size_t metric, const struct pairs *pairs, struct score_metric *result,
    struct score_group *groups, uint32_t *used);

/* How often an interval draws rows anew: less for very many rows, by a fixed rule. */
uint32_t bootstrap_resamples(uint64_t units);

/*
 * The percentile interval: `units` units are drawn with replacement, again and again, with a generator that starts at the
 * same place for ever. In percent. False when the metric is undefined in more than half of the draws. -ENOMEM on no
 * memory, else 0.
 */
int bootstrap_interval(struct metric_work *w, double percent, struct score_metric *result);

#endif
