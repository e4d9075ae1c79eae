/*
 * Metrics over columns from a pipe, for a second opinion in another language. A case is a line of words and then plain
 * arrays; the answer is one line: why it is undefined, or 0, and the figure in hexadecimal. The columns go the way of a
 * real table's from their blocks on, the truth's numbers as text.
 *
 *   KIND ROWS WIDTH K AVERAGE WEIGHTS POSITIVE THRESHOLD CLASSES TRUTH FROM QUERY EVENT OF
 *   KIND as task files write it; K, AVERAGE, WEIGHTS as numbers; POSITIVE a class or -1; CLASSES of labels c0, c1, …;
 *   TRUTH 0 none, 1 classes (int32), 2 doubles; FROM a FROM_ bit; QUERY, EVENT, OF: 1 when the array is there.
 *   Arrays: from (doubles, or int32 classes for labels), truth, query (int32), event (bytes), of (doubles).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/metrics.h"

enum { CLASSES = 1024, NAME = 16 };

static char names[CLASSES][NAME];
static char *labels[CLASSES];

struct input {
	char kind[32];
	unsigned long long rows;
	unsigned width, k, average, weights, classes, truth, from, query, event, of;
	int positive;
	double threshold;
};

static void *take(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);
	if (!p || fread(p, size, count, stdin) != count) {
		(void)fprintf(stderr, "driver: the case is not whole\n");
		exit(2);
	}
	return p;
}

static void *block_for(struct columns *c, const struct table_spec *spec, unsigned long long rows, size_t text)
{
	struct columns_shape shape = {
	    .stored = 1 + spec->count - spec->ids, .capacity = rows + 1, .arena = text + 64};
	shape.size = sizeof(struct columns_header) + shape.capacity * 8 * shape.stored + shape.arena;
	void *block = calloc(1, shape.size);
	if (!block)
		exit(2);
	columns_bind(c, block, &shape);
	columns_start(c);
	c->header->rows = rows;
	return block;
}

static uint64_t keep_text(struct columns *c, const char *text)
{
	return columns_keep(c, (const uint8_t *)text, strlen(text));
}

static void fill_from(const struct input *in, struct columns *table)
{
	size_t n = in->rows * in->width;
	bool numbers = in->from == FROM_NUMBER || in->from == FROM_NUMBERS;
	double *number = numbers ? take(n, sizeof *number) : NULL;
	int32_t *label = numbers ? NULL : take(n, sizeof *label);
	for (size_t c = 0; c < in->width; c++)
		for (size_t i = 0; i < in->rows; i++) {
			size_t at = c * in->rows + i;
			table->cell[1 + c][i] = numbers ? cell_from_number(number[at] + 0.0)
							: keep_text(table, labels[label[at]]);
		}
	free(number);
	free(label);
}

static void fill_truth(const struct input *in, struct columns *truth, size_t cell)
{
	char text[64];
	if (in->truth == 1) {
		int32_t *label = take(in->rows, sizeof *label);
		for (size_t i = 0; i < in->rows; i++)
			truth->cell[cell][i] = keep_text(truth, labels[label[i]]);
		free(label);
	} else if (in->truth == 2) {
		double *number = take(in->rows, sizeof *number);
		for (size_t i = 0; i < in->rows; i++) {
			(void)snprintf(text, sizeof text, "%.17g", number[i]);
			truth->cell[cell][i] = keep_text(truth, text);
		}
		free(number);
	}
}

static void fill_small(const struct input *in, struct columns *truth, size_t query, size_t event)
{
	char text[64];
	int32_t *q = in->query ? take(in->rows, sizeof *q) : NULL;
	uint8_t *e = in->event ? take(in->rows, sizeof *e) : NULL;
	for (size_t i = 0; i < in->rows; i++) {
		if (q) {
			(void)snprintf(text, sizeof text, "q%d", q[i]);
			truth->cell[query][i] = keep_text(truth, text);
		}
		if (e)
			truth->cell[event][i] = keep_text(truth, e[i] ? "1" : "0");
	}
	free(q);
	free(e);
}

static int one(const struct input *in)
{
	static char from[] = "from", of[] = "of", truth_name[] = "truth", query[] = "query",
		    event[] = "event", id[] = "id";
	static const uint64_t key[2] = {1, 2};
	static char *ids[] = {id};
	struct task_column column[2] = {{.name = from}, {.name = of, .type = COLUMN_INTEGER}};
	struct task_metric metric = {.name = from,
	    .k = in->k,
	    .of = 1,
	    .average = (enum metric_average)in->average,
	    .weights = (enum metric_weights)in->weights,
	    .threshold = in->threshold};
	int kind = metric_kind_find(in->kind);
	if (kind < 0 || in->width > CLASSES || in->classes > CLASSES)
		return -1;
	metric.as = (enum metric_kind)kind;
	metric.truth = in->truth ? truth_name : NULL;
	metric.query = in->query ? query : NULL;
	metric.event = in->event ? event : NULL;
	metric.positive = in->positive >= 0 ? labels[in->positive] : NULL;
	bool label = in->from == FROM_LABEL || in->from == FROM_LABELS;
	column[0].type = label ? COLUMN_LABEL : COLUMN_NUMBER;
	column[0].of = in->from == FROM_NUMBERS || in->from == FROM_LABELS ? labels : NULL;
	column[0].of_count = column[0].of ? in->width : 0;
	column[0].labels = label ? labels : NULL;
	column[0].label_count = label ? in->classes : 0;
	const struct task task = {.id = ids,
	    .id_count = 1,
	    .column = column,
	    .column_count = 1 + in->of,
	    .metric = &metric,
	    .metric_count = 1};

	static struct table_spec table_spec, truth_spec;
	struct columns table, truth;
	spec_of_table(&task, &table_spec);
	spec_of_truth(&task, &truth_spec);
	void *a = block_for(&table, &table_spec, in->rows, 16 * in->rows * (label ? in->width : 0));
	void *b = block_for(&truth, &truth_spec, in->rows, 64 * in->rows);
	fill_from(in, &table);
	fill_truth(in, &truth, in->truth ? truth_cell(&truth_spec, truth_name) : 0);
	fill_small(in, &truth, in->query ? truth_cell(&truth_spec, query) : 0,
	    in->event ? truth_cell(&truth_spec, event) : 0);
	if (in->of) {
		double *number = take(in->rows, sizeof *number);
		for (size_t i = 0; i < in->rows; i++)
			table.cell[1 + in->width][i] = cell_from_number(number[i]);
		free(number);
	}
	uint32_t *row_of = calloc(in->rows + 1, sizeof *row_of), used = 0;
	for (size_t i = 0; row_of && i < in->rows; i++)
		row_of[i] = (uint32_t)i;
	const struct pairs pairs = {&task, &truth_spec, &truth, &table, row_of, in->rows, key};
	static struct score_group group[SCORE_GROUPS];
	struct score_metric result;
	if (!row_of || metric_compute(0, &pairs, &result, group, &used) < 0)
		return -1;
	(void)printf("%u %a %s\n", result.why, result.value, metric_why_text(result.why));
	free(row_of);
	free(a);
	free(b);
	return 0;
}

/* The words of one line behind its kind. False at the end. */
static bool next(struct input *in)
{
	enum { WORDS = 13 };
	char line[512], *at = line;
	double word[WORDS];
	if (!fgets(line, sizeof line, stdin))
		return false;
	at += strcspn(at, " ");
	(void)snprintf(in->kind, sizeof in->kind, "%.*s", (int)(at - line), line);
	for (int i = 0; i < WORDS; i++)
		word[i] = strtod(at, &at);
	if (*at != '\n') {
		(void)fprintf(stderr, "driver: not a case: %s", line);
		exit(2);
	}
	in->rows = (unsigned long long)word[0];
	in->width = (unsigned)word[1];
	in->k = (unsigned)word[2];
	in->average = (unsigned)word[3];
	in->weights = (unsigned)word[4];
	in->positive = (int)word[5];
	in->threshold = word[6];
	in->classes = (unsigned)word[7];
	in->truth = (unsigned)word[8];
	in->from = (unsigned)word[9];
	in->query = (unsigned)word[10];
	in->event = (unsigned)word[11];
	in->of = (unsigned)word[12];
	return true;
}

int main(void)
{
	struct input in;
	for (int i = 0; i < CLASSES; i++) {
		(void)snprintf(names[i], NAME, "c%d", i);
		labels[i] = names[i];
	}
	while (next(&in))
		if (one(&in) < 0) {
			(void)fprintf(stderr, "driver: cannot compute %s\n", in.kind);
			return 2;
		}
	return 0;
}
