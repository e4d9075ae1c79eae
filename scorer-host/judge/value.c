/* Values by their column's type. Pure. */
#include "judge/value.h"

#include "judge/number.h"

static enum table_reason range(const struct table_field *field, double value, double *number)
{
	if (field->has_min && value < field->min)
		return REASON_VALUE_LOW;
	if (field->has_max && value > field->max)
		return REASON_VALUE_HIGH;
	*number = value;
	return REASON_NONE;
}

enum table_reason value_check(
    const struct table_field *field, const uint8_t *bytes, size_t length, double *number)
{
	double value;
	if (length == 0) {
		*number = field->has_missing ? field->missing : *number;
		return field->has_missing ? REASON_NONE : REASON_VALUE_EMPTY;
	}
	switch (field->type) {
	case COLUMN_NUMBER:
		return number_parse(bytes, length, &value) < 0 ? REASON_VALUE_NUMBER
							       : range(field, value, number);
	case COLUMN_INTEGER:
		return integer_parse(bytes, length, &value) < 0 ? REASON_VALUE_INTEGER
								: range(field, value, number);
	case COLUMN_LABEL:
		break;
	}
	return field_has_label(field, bytes, length) ? REASON_NONE : REASON_VALUE_LABEL;
}
