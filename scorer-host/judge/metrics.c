/* AUROC and accuracy. Never a floating sum: what is summed is counted. Pure. */
#include "judge/metrics.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "judge/sort.h"

static bool equals(const struct columns *c, uint64_t cell, const char *text, size_t length)
{
	return cell_length(cell) == length && memcmp(c->text + cell_offset(cell), text, length) == 0;
}

/* Splits the scores by class: positives from the front, negatives behind them. Returns how many are positive. */
static uint64_t split(
    const struct task_metric *m, const struct pairs *p, size_t truth_cell, size_t cell, uint64_t *keys)
{
	const uint64_t *truth = p->truth->cell[truth_cell], *score = p->table->cell[cell];
	size_t length = strlen(m->positive);
	uint64_t front = 0, back = p->rows;
	for (uint64_t i = 0; i < p->rows; i++) {
		uint64_t key = sort_key(cell_number(score[p->row_of[i]]));
		if (equals(p->truth, truth[i], m->positive, length))
			keys[front++] = key;
		else
			keys[--back] = key;
	}
	return front;
}

/* Twice the Mann-Whitney U over sorted scores: a pair in the right order counts 2, a tie 1. At most rows²/2 < 2^63. */
static uint64_t twice_u(const uint64_t *positive, uint64_t np, const uint64_t *negative, uint64_t nn)
{
	uint64_t sum = 0, below = 0, through = 0;
	for (uint64_t i = 0; i < np; i++) {
		while (below < nn && negative[below] < positive[i])
			below++;
		if (through < below)
			through = below;
		while (through < nn && negative[through] == positive[i])
			through++;
		sum += below + through;
	}
	return sum;
}

static int auroc(const struct task_metric *m, const struct pairs *p, size_t truth_cell, size_t cell,
    struct metric_result *result)
{
	uint64_t *keys = malloc(p->rows * sizeof *keys), *spare = malloc(p->rows * sizeof *spare);
	int r = keys && spare ? 0 : -ENOMEM;
	if (r == 0) {
		uint64_t np = split(m, p, truth_cell, cell, keys), nn = p->rows - np;
		if (np == 0 || nn == 0) {
			result->why = np == 0 ? WHY_NO_POSITIVE : WHY_NO_NEGATIVE;
		} else {
			sort_keys(keys, spare, np);
			sort_keys(keys + np, spare, nn);
			result->value = (double)twice_u(keys, np, keys + np, nn) / (double)(2 * np * nn);
		}
	}
	free(keys);
	free(spare);
	return r;
}

static void accuracy(const struct task_metric *m, const struct pairs *p, size_t truth_cell, size_t cell,
    struct metric_result *result)
{
	const uint64_t *truth = p->truth->cell[truth_cell], *said = p->table->cell[cell];
	const char *positive = m->positive ? m->positive : "";
	size_t length = strlen(positive);
	uint64_t right = 0;
	for (uint64_t i = 0; i < p->rows; i++) {
		uint64_t s = said[p->row_of[i]];
		if (m->has_threshold)
			right +=
			    equals(p->truth, truth[i], positive, length) == (cell_number(s) >= m->threshold);
		else
			right += cell_length(s) == cell_length(truth[i]) &&
				 memcmp(p->table->text + cell_offset(s),
				     p->truth->text + cell_offset(truth[i]), cell_length(s)) == 0;
	}
	result->value = (double)right / (double)p->rows;
}

int metric_compute(const struct task_metric *metric, const struct pairs *pairs, size_t truth_cell,
    size_t cell, struct metric_result *result)
{
	*result = (struct metric_result){.n = pairs->rows};
	if (pairs->rows == 0) {
		result->why = WHY_NO_ROWS;
		return 0;
	}
	switch (metric->as) {
	case METRIC_AUROC:
		return auroc(metric, pairs, truth_cell, cell, result);
	case METRIC_ACCURACY:
		accuracy(metric, pairs, truth_cell, cell, result);
		return 0;
	}
	return 0;
}

static const char *const kind_names[] = {[METRIC_AUROC] = "auroc", [METRIC_ACCURACY] = "accuracy"};

const char *metric_kind_name(enum metric_kind kind)
{
	return (size_t)kind < sizeof kind_names / sizeof *kind_names ? kind_names[kind] : NULL;
}

int metric_kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
		if (strcmp(kind_names[i], name) == 0)
			return (int)i;
	return -1;
}

const char *metric_why_text(uint32_t why)
{
	static const char *const texts[WHY_END] = {
#define X(name, text) text,
	    METRIC_WHYS(X)
#undef X
	};
	return why < WHY_END ? texts[why] : "";
}
