/* Words for the faults of a table: what the operator reads. Bytes of the table are shown escaped and cut. Pure. */
#ifndef PROCTOR_JUDGE_TABLE_TEXT_H
#define PROCTOR_JUDGE_TABLE_TEXT_H

#include "judge/match.h"
#include "judge/table.h"

/* The verdict of the worst fault that the bytes show, or VERDICT_NONE. */
enum verdict table_verdict(const struct table_report *report);

/*
 * Fills *f for the worst fault of the report. name: the file as people know it; v: the verdict to give (TASK_INVALID
 * for a truth). with_sample: show the offending bytes. Always returns -1.
 */
int table_fault_text(struct fault *f, enum verdict v, const char *name, const struct table_spec *spec,
    const struct table_report *report, bool with_sample);

/* The verdict of the worst mismatch of ids, or VERDICT_NONE. */
enum verdict match_verdict(const struct match_report *report);

/* Fills *f for it; for a repeated id in the truth the verdict is TASK_INVALID. Always returns -1. */
int match_fault_text(
    struct fault *f, const char *table, const char *truth, const struct match_report *report);

#endif
