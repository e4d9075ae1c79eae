/* Values by their column's type. Pure. */
#include "judge/value.h"

#include <string.h>

#include "judge/number.h"

static enum table_reason label(const struct table_field *field, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < field->label_count; i++)
		if (strlen(field->labels[i]) == length && memcmp(field->labels[i], bytes, length) == 0)
			return REASON_NONE;
	return field->label_count ? REASON_VALUE_LABEL : REASON_NONE;
}

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
	if (length == 0)
		return REASON_VALUE_EMPTY;
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
	return label(field, bytes, length);
}
