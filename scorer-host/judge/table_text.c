/* Texts for faults. Never prints a byte of a table that is not printable ASCII. Pure. */
#include "judge/table_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const enum verdict kind_verdict[TABLE_KIND_END] = {
    [TABLE_KIND_SIZE] = VERDICT_TABLE_TOO_LARGE,
    [TABLE_KIND_FORMAT] = VERDICT_TABLE_FORMAT,
    [TABLE_KIND_COLUMNS] = VERDICT_TABLE_COLUMNS,
    [TABLE_KIND_VALUE] = VERDICT_TABLE_VALUE,
};

static int worst(const struct table_report *report)
{
	int k = 0;
	while (k < TABLE_KIND_END && !report->fault[k].count)
		k++;
	return k;
}

enum verdict table_verdict(const struct table_report *report)
{
	int k = worst(report);
	return k < TABLE_KIND_END ? kind_verdict[k] : VERDICT_NONE;
}

/* In quotes, as bytes may be hostile. The parts of an id of several columns are quoted each. */
static void escape(const uint8_t *bytes, size_t n, size_t most, char *out)
{
	char *p = out;
	*p++ = '"';
	for (size_t i = 0; i < n; i++) {
		uint8_t c = bytes[i];
		if (c >= 0x20 && c < 0x7f && c != '\\' && c != '"')
			*p++ = (char)c;
		else
			p += c ? snprintf(p, 5, "\\x%02x", c) : snprintf(p, 5, "\", \"");
	}
	strcpy(p, n == most ? "…\"" : "\"");
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static int hint(struct fault *f, enum table_reason reason)
{
	if (reason == REASON_COLUMN_UNKNOWN || reason == REASON_COLUMN_MISSING)
		return fault_hint(f, "the header must name exactly the task's id and columns, in any order, "
				     "as they are spelt");
	if (reason == REASON_VALUE_NUMBER)
		return fault_hint(
		    f, "numbers are written as 0.25 or 2.5e-1: no comma, no space, no nan, no inf");
	if (reason == REASON_MANY_FIELDS || reason == REASON_FEW_FIELDS)
		return fault_hint(f, "a field that holds a comma must stand in double quotes");
	return -1;
}

int table_fault_text(struct fault *f, enum verdict v, const char *name, const struct table_spec *spec,
    const struct table_report *report, bool with_sample)
{
	int k = worst(report);
	const struct table_fault *t = &report->fault[k < TABLE_KIND_END ? k : 0];
	const char *unit = k == TABLE_KIND_COLUMNS ? "column" : "row";
	char column[160] = "", sample[4 * TABLE_SAMPLE + 9] = "", more[80] = "";

	if (t->field != FIELD_NONE && t->field < spec->count)
		(void)snprintf(column, sizeof column, ", column %.128s", spec->field[t->field].name);
	else if (t->column)
		(void)snprintf(column, sizeof column, ", field %" PRIu32, t->column);
	if (with_sample && t->sample_length && (t->field == FIELD_NONE || k == TABLE_KIND_VALUE)) {
		strcpy(sample, " ");
		escape(t->sample, t->sample_length, TABLE_SAMPLE, sample + 1);
	}
	if (t->count > 1)
		(void)snprintf(
		    more, sizeof more, " (%" PRIu64 " %ss at fault, this is the first)", t->count, unit);
	(void)fault_set(f, v, "%s: row %" PRIu64 "%s:%s%s %s%s", name, t->row, column, sample,
	    *sample ? " is" : "", table_reason_text(t->reason), more);
	f->count = t->count;
	return hint(f, (enum table_reason)t->reason);
}

enum verdict match_verdict(const struct match_report *report)
{
	if (report->truth_duplicate.count)
		return VERDICT_TASK_INVALID;
	if (report->duplicate.count)
		return VERDICT_TABLE_DUPLICATE;
	if (report->unknown.count)
		return VERDICT_TABLE_UNKNOWN;
	return report->missing.count ? VERDICT_TABLE_MISSING : VERDICT_NONE;
}

/* Data rows count from 0, rows in a file from the header, which is 1. */
static uint64_t in_file(uint64_t row)
{
	return row + 2;
}

int match_fault_text(struct fault *f, const char *table, const char *truth, const struct match_report *report)
{
	enum verdict v = match_verdict(report);
	const struct match_fault *m = v == VERDICT_TASK_INVALID	     ? &report->truth_duplicate
				      : v == VERDICT_TABLE_DUPLICATE ? &report->duplicate
				      : v == VERDICT_TABLE_UNKNOWN   ? &report->unknown
								     : &report->missing;
	uint64_t row = in_file(m->row);
	char id[4 * MATCH_SAMPLE + 8];
	escape(m->sample, m->sample_length, MATCH_SAMPLE, id);
	if (v == VERDICT_TASK_INVALID || v == VERDICT_TABLE_DUPLICATE)
		(void)fault_set(f, v,
		    "%" PRIu64 " row%s of %s repeat%s an id; first: row %" PRIu64
		    " has the id of row %" PRIu64 ", %s",
		    m->count, plural(m->count), v == VERDICT_TASK_INVALID ? truth : table,
		    m->count == 1 ? "s" : "", row, in_file(m->other), id);
	else if (v == VERDICT_TABLE_UNKNOWN)
		(void)fault_set(f, v,
		    "%" PRIu64 " row%s of %s %s an id that is not asked for; first: %s in row %" PRIu64,
		    m->count, plural(m->count), table, m->count == 1 ? "has" : "have", id, row);
	else
		(void)fault_set(f, v,
		    "%" PRIu64 " id%s asked for %s not in %s; first: %s, row %" PRIu64 " of %s", m->count,
		    plural(m->count), m->count == 1 ? "is" : "are", table, id, row, truth);
	if (v == VERDICT_TABLE_UNKNOWN)
		(void)fault_hint(f, "ids are compared byte by byte: 7, 07 and 7.0 are three ids");
	f->count = m->count;
	return -1;
}
