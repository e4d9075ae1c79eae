/*
 * The closed list of verdicts a run can end in, shared by init (which proposes one as the cause) and by scorer-host
 * (which alone decides). One table; the enum, the names and the classes all come from it. Nothing outside this list
 * may ever be printed, stored or sent as a verdict.
 */
#ifndef PROCTOR_WIRE_VERDICT_H
#define PROCTOR_WIRE_VERDICT_H

enum verdict_class {
	CLASS_SCORED,	      /* a score exists */
	CLASS_SUBMISSION,     /* the submission's own doing; charged, never retried free */
	CLASS_INFRASTRUCTURE, /* ours; a retry is safe */
	CLASS_EVALUATOR	      /* the organiser's task or scorer; nothing may be published */
};

#define VERDICTS(X) \
	X(SCORED, CLASS_SCORED) \
	X(EXEC_NOT_FOUND, CLASS_SUBMISSION) \
	X(EXEC_DENIED, CLASS_SUBMISSION) \
	X(EXIT_NONZERO, CLASS_SUBMISSION) \
	X(SIGNALED, CLASS_SUBMISSION) \
	X(WALL_TIME, CLASS_SUBMISSION) \
	X(CPU_TIME, CLASS_SUBMISSION) \
	X(MEMORY, CLASS_SUBMISSION) \
	X(PROCESSES, CLASS_SUBMISSION) \
	X(OUTPUT_BYTES, CLASS_SUBMISSION) \
	X(OUTPUT_FILES, CLASS_SUBMISSION) \
	X(SCRATCH_BYTES, CLASS_SUBMISSION) \
	X(LOG_BYTES, CLASS_SUBMISSION) \
	X(FORBIDDEN_SYSCALL, CLASS_SUBMISSION) \
	X(OUTPUT_MISSING, CLASS_SUBMISSION) \
	X(OUTPUT_NOT_REGULAR, CLASS_SUBMISSION) \
	X(OUTPUT_UNSAFE, CLASS_SUBMISSION) \
	X(TABLE_FORMAT, CLASS_SUBMISSION) \
	X(TABLE_COLUMNS, CLASS_SUBMISSION) \
	X(TABLE_DUPLICATE, CLASS_SUBMISSION) \
	X(TABLE_MISSING, CLASS_SUBMISSION) \
	X(TABLE_UNKNOWN, CLASS_SUBMISSION) \
	X(TABLE_VALUE, CLASS_SUBMISSION) \
	X(TABLE_TOO_LARGE, CLASS_SUBMISSION) \
	X(CASE_INVALID, CLASS_SUBMISSION) \
	X(METRIC_UNDEFINED, CLASS_SUBMISSION) \
	X(IMAGE_INVALID, CLASS_SUBMISSION) \
	X(IMAGE_PLATFORM, CLASS_SUBMISSION) \
	X(IMAGE_REFUSED, CLASS_SUBMISSION) \
	X(ENGINE_FAILED, CLASS_INFRASTRUCTURE) \
	X(IMAGE_DIGEST, CLASS_INFRASTRUCTURE) \
	X(INFRA_DISK, CLASS_INFRASTRUCTURE) \
	X(INFRA_SCORER_LOST, CLASS_INFRASTRUCTURE) \
	X(RECORD_MISSING, CLASS_INFRASTRUCTURE) \
	X(RECORD_INVALID, CLASS_INFRASTRUCTURE) \
	X(RECORD_MISMATCH, CLASS_INFRASTRUCTURE) \
	X(REQUIRE_UNMET, CLASS_INFRASTRUCTURE) \
	X(INIT_FAULT, CLASS_INFRASTRUCTURE) \
	X(CANCELLED, CLASS_INFRASTRUCTURE) \
	X(TASK_INVALID, CLASS_EVALUATOR) \
	X(ASSET_MISMATCH, CLASS_EVALUATOR) \
	X(TRUTH_EXPOSED, CLASS_EVALUATOR) \
	X(SELFCHECK_FAILED, CLASS_EVALUATOR) \
	X(SCORER_FAULT, CLASS_EVALUATOR) \
	X(METHOD_WITHDRAWN, CLASS_EVALUATOR)

/* VERDICT_NONE (0) means "undecided"; it has no name and is never sent. */
enum verdict {
	VERDICT_NONE,
#define X(name, class) VERDICT_##name,
	VERDICTS(X)
#undef X
	    VERDICT_END
};

/* The name as it is printed and sent, e.g. "WALL_TIME"; NULL for VERDICT_NONE and anything outside the table. */
const char *verdict_name(enum verdict v);

/* The verdict of that exact name; VERDICT_NONE when there is none. */
enum verdict verdict_from_name(const char *name);

/* The class of a verdict of the table. Anything else is CLASS_INFRASTRUCTURE: nobody is charged for our confusion. */
enum verdict_class verdict_class(enum verdict v);

/* "scored", "submission", "infrastructure", "evaluator". */
const char *verdict_class_name(enum verdict_class c);

#endif
