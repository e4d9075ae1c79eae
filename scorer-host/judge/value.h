/* Whether one field's bytes are a value that its column may hold. Pure. */
#ifndef PROCTOR_JUDGE_VALUE_H
#define PROCTOR_JUDGE_VALUE_H

#include "judge/spec.h"
#include "judge/table.h"

/* REASON_NONE, or why not. *number is set for number and integer columns when the value is good. */
enum table_reason value_check(
    const struct table_field *field, const uint8_t *bytes, size_t length, double *number);

#endif
