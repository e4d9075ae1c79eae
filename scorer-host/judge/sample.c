/* Cells to arrays. What the truth says is checked here for the first time as numbers and labels. Pure. */
#include "judge/sample.h"

#include <errno.h>

#include "judge/number.h"

/* One filling. */
struct filling {
	struct metric_work *w;
	const struct pairs *p;
	const uint32_t *rows;
	const struct task_column *column;
	const struct metric_kind_row *kind;
	size_t cell; /* of the column's first field */
	unsigned from;
	bool numbers;
};

unsigned from_of(const struct task *task, size_t column)
{
	const struct task_column *c = &task->column[column];
	if (c->type == COLUMN_LABEL)
		return c->of_count ? FROM_LABELS : FROM_LABEL;
	return c->of_count ? FROM_NUMBERS : FROM_NUMBER;
}

static uint64_t row_at(const struct filling *f, uint64_t i)
{
	return f->rows ? f->rows[i] : i;
}

static int at_fault(const struct filling *f, uint64_t i, enum metric_why why)
{
	f->w->sample.fault_row = row_at(f, i);
	return (int)why;
}

/* One column of the table as numbers. */
static void numbers(const struct filling *f, size_t cell, double missing, double *out)
{
	const uint64_t *from = f->p->table->cell[cell];
	for (uint64_t i = 0; i < f->w->sample.n; i++) {
		uint32_t row = f->p->row_of[row_at(f, i)];
		out[i] = row == UNMATCHED ? missing : cell_number(from[row]);
	}
}

static int take_numbers(struct filling *f)
{
	struct sample *s = &f->w->sample;
	s->score = work_take(f->w, s->n * s->width, sizeof *s->score);
	if (!s->score)
		return -ENOMEM;
	for (size_t c = 0; c < s->width; c++)
		numbers(f, f->cell + c, f->column->missing, s->score + c * s->n);
	if (!(f->kind->needs & NEED_OF))
		return 0;
	s->of = work_take(f->w, s->n, sizeof *s->of);
	if (!s->of)
		return -ENOMEM;
	const struct task *t = f->p->task;
	numbers(f, column_cell(t, f->w->metric->of), t->column[f->w->metric->of].missing, s->of);
	return 0;
}

static int take_truth_numbers(struct filling *f)
{
	struct sample *s = &f->w->sample;
	const uint64_t *cell = f->p->truth->cell[truth_cell(f->p->truth_spec, f->w->metric->truth)];
	s->truth_number = work_take(f->w, s->n, sizeof *s->truth_number);
	if (!s->truth_number)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		struct text t = cell_text(f->p->truth, &cell[row_at(f, i)]);
		if (number_parse(t.at, t.n, &s->truth_number[i]) < 0)
			return at_fault(f, i, WHY_TRUTH_NUMBER);
		if ((f->kind->needs & NEED_NOT_NEGATIVE) && s->truth_number[i] < 0)
			return at_fault(f, i, WHY_TRUTH_NEGATIVE);
	}
	return 0;
}

/* flag: the truth's label is the positive one. */
static int take_positive(struct filling *f)
{
	struct sample *s = &f->w->sample;
	const struct columns *truth = f->p->truth;
	const uint64_t *cell = truth->cell[truth_cell(f->p->truth_spec, f->w->metric->truth)];
	struct text positive = text_of(f->w->metric->positive);
	uint64_t one = 0;
	s->flag = work_take(f->w, s->n, sizeof *s->flag);
	if (!s->flag)
		return -ENOMEM;
	if (positive.n <= 8)
		memcpy(&one, positive.at, positive.n);
	for (uint64_t i = 0; i < s->n; i++) {
		const uint64_t *c = &cell[row_at(f, i)];
		s->flag[i] = one ? *c == one : text_same(cell_text(truth, c), positive);
	}
	return 0;
}

static int take_event(struct filling *f)
{
	struct sample *s = &f->w->sample;
	const uint64_t *cell = f->p->truth->cell[truth_cell(f->p->truth_spec, f->w->metric->event)];
	s->flag = work_take(f->w, s->n, sizeof *s->flag);
	if (!s->flag)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		struct text t = cell_text(f->p->truth, &cell[row_at(f, i)]);
		if (t.n != 1 || (*t.at != '0' && *t.at != '1'))
			return at_fault(f, i, WHY_TRUTH_EVENT);
		s->flag[i] = *t.at == '1';
	}
	return 0;
}

/* Classes by threshold: 0 and 1. */
static int take_threshold(struct filling *f)
{
	struct sample *s = &f->w->sample;
	s->truth = work_take(f->w, s->n, sizeof *s->truth);
	s->said = work_take(f->w, s->n, sizeof *s->said);
	if (!s->truth || !s->said)
		return -ENOMEM;
	s->classes = 2;
	s->positive = 1;
	for (uint64_t i = 0; i < s->n; i++) {
		s->truth[i] = s->flag[i];
		s->said[i] = s->score[i] >= f->w->metric->threshold;
	}
	return 0;
}

/* The truth's labels as codes; `closed`: only labels known before may occur. */
static int take_truth_labels(struct filling *f, struct labels *l, bool closed)
{
	struct sample *s = &f->w->sample;
	const uint64_t *cell = f->p->truth->cell[truth_cell(f->p->truth_spec, f->w->metric->truth)];
	uint32_t known = l->count;
	s->truth = work_take(f->w, s->n, sizeof *s->truth);
	if (!s->truth)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++) {
		s->truth[i] = labels_code(l, cell_text(f->p->truth, &cell[row_at(f, i)]));
		if (s->truth[i] == UINT32_MAX)
			return -ENOMEM;
		if (closed && s->truth[i] >= known)
			return at_fault(f, i, WHY_TRUTH_LABEL);
	}
	return 0;
}

/* The class of a family's row is its greatest number, the first of equal ones. */
static int take_greatest(struct filling *f)
{
	struct sample *s = &f->w->sample;
	s->said = work_take(f->w, s->n, sizeof *s->said);
	if (!s->said)
		return -ENOMEM;
	for (uint64_t i = 0; i < s->n; i++)
		for (uint32_t c = 1; c < s->width; c++)
			if (s->score[c * s->n + i] > s->score[s->said[i] * s->n + i])
				s->said[i] = c;
	return 0;
}

static int take_said(struct filling *f, struct labels *l)
{
	struct sample *s = &f->w->sample;
	const struct columns *table = f->p->table;
	s->said = work_take(f->w, s->n * s->width, sizeof *s->said);
	if (!s->said)
		return -ENOMEM;
	for (size_t c = 0; c < s->width; c++)
		for (uint64_t i = 0; i < s->n; i++) {
			uint32_t row = f->p->row_of[row_at(f, i)];
			struct text t = row == UNMATCHED ? text_of(f->column->missing_label)
							 : cell_text(table, &table->cell[f->cell + c][row]);
			uint32_t code = labels_code(l, t);
			if (code == UINT32_MAX)
				return -ENOMEM;
			s->said[c * s->n + i] = code;
		}
	return 0;
}

static int take_labels(struct filling *f)
{
	struct sample *s = &f->w->sample;
	struct labels l;
	bool family = f->from == FROM_NUMBERS;
	char *const *known = family ? f->column->of : f->column->labels;
	size_t count = family ? f->column->of_count : f->column->label_count;
	int r = labels_start(&l, f->p->key);
	for (size_t i = 0; r == 0 && i < count; i++)
		r = labels_code(&l, text_of(known[i])) == UINT32_MAX ? -ENOMEM : 0;
	if (r == 0)
		r = take_truth_labels(f, &l, count > 0);
	if (r == 0)
		r = family ? take_greatest(f) : take_said(f, &l);
	if (r == 0 && f->w->metric->positive) {
		s->positive = labels_code(&l, text_of(f->w->metric->positive));
		r = s->positive == UINT32_MAX ? -ENOMEM : 0;
	}
	s->classes = l.count;
	labels_free(&l);
	return r;
}

struct grouping grouping_of(const struct pairs *pairs, const char *name)
{
	int part = id_part(pairs->task, name);
	return (struct grouping){part, part < 0 ? truth_cell(pairs->truth_spec, name) : 0};
}

struct text grouping_text(const struct pairs *pairs, struct grouping g, uint64_t row)
{
	struct text t = cell_text(pairs->truth, &pairs->truth->cell[g.cell][row]);
	for (int part = g.part; part > 0; part--) {
		const uint8_t *end = memchr(t.at, '\0', t.n);
		size_t n = end ? (size_t)(end - t.at) + 1 : t.n;
		t.at += n;
		t.n -= n;
	}
	const uint8_t *end = g.part >= 0 && t.n ? memchr(t.at, '\0', t.n) : NULL;
	if (end)
		t.n = (size_t)(end - t.at);
	return t;
}

static int take_queries(struct filling *f)
{
	struct sample *s = &f->w->sample;
	struct grouping g = grouping_of(f->p, f->w->metric->query);
	struct labels l;
	int r = labels_start(&l, f->p->key);
	s->query = work_take(f->w, s->n, sizeof *s->query);
	if (!s->query)
		r = -ENOMEM;
	for (uint64_t i = 0; r == 0 && i < s->n; i++) {
		s->query[i] = labels_code(&l, grouping_text(f->p, g, row_at(f, i)));
		if (s->query[i] == UINT32_MAX)
			r = -ENOMEM;
	}
	s->queries = l.count;
	labels_free(&l);
	return r;
}

int sample_fill(struct metric_work *w, const struct pairs *pairs, const uint32_t *rows, uint64_t n)
{
	const struct task_metric *m = w->metric;
	const struct task_column *column = &pairs->task->column[m->column];
	struct filling f = {.w = w,
	    .p = pairs,
	    .rows = rows,
	    .column = column,
	    .kind = &metric_kinds[m->as],
	    .cell = column_cell(pairs->task, m->column),
	    .from = from_of(pairs->task, m->column)};
	w->sample.n = w->units = n;
	w->sample.width = column->of_count ? column->of_count : 1;
	f.numbers = f.from == FROM_NUMBER || f.from == FROM_NUMBERS;
	int r = f.numbers ? take_numbers(&f) : 0;
	if (r == 0 && f.kind->truth == TRUTH_NUMBER)
		r = take_truth_numbers(&f);
	if (r == 0 && f.kind->truth == TRUTH_LABEL)
		r = f.from == FROM_NUMBER ? take_positive(&f) : take_labels(&f);
	if (r == 0 && f.from == FROM_NUMBER && (f.kind->needs & NEED_THRESHOLD))
		r = take_threshold(&f);
	if (r == 0 && (f.kind->needs & NEED_EVENT))
		r = take_event(&f);
	if (r == 0 && m->query)
		r = take_queries(&f);
	return r;
}
