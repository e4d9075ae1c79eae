/* Building and cutting tickets. Pure; the words' meaning is the option parser's. */
#include "wire/ticket.h"

#include <errno.h>
#include <string.h>

void ticket_start(struct ticket *t, uint8_t *buffer, size_t capacity)
{
	t->buffer = buffer;
	t->capacity = capacity;
	t->length = 0;
}

void ticket_word(struct ticket *t, const char *word)
{
	size_t n = strlen(word) + 1;
	if (t->length > t->capacity || n > t->capacity - t->length) {
		t->length = t->capacity + 1;
		return;
	}
	memcpy(t->buffer + t->length, word, n);
	t->length += n;
}

void ticket_option(struct ticket *t, enum option o, const char *value)
{
	char name[32] = "--";
	strncat(name, option_table[o].name, sizeof name - 3);
	ticket_word(t, name);
	ticket_word(t, value);
}

void ticket_number(struct ticket *t, enum option o, uint64_t value)
{
	char text[32];
	if (value != LIMIT_NONE)
		ticket_option(t, o, unit_format(option_table[o].unit, value, text));
}

int ticket_fits(const struct ticket *t)
{
	return t->length <= t->capacity;
}

int ticket_split(const uint8_t *payload, size_t length, const char *argv[TICKET_WORDS])
{
	int count = 0;
	if (length == 0 || payload[length - 1] != '\0')
		return -EBADMSG;
	for (size_t at = 0; at < length; at += strlen((const char *)payload + at) + 1) {
		if (count == TICKET_WORDS - 1)
			return -E2BIG;
		argv[count++] = (const char *)payload + at;
	}
	argv[count] = NULL;
	return count;
}

int ticket_key(const uint8_t *payload, size_t length, uint8_t key[CHAIN_KEY])
{
	const char *word = (const char *)payload, *end = word + length;

	if (length == 0 || end[-1] != '\0')
		return -EBADMSG;
	/* Options come in pairs, so only every other word can be a name. */
	while (word < end && strcmp(word, "--") != 0) {
		const char *value = word + strlen(word) + 1;
		if (value >= end)
			break;
		if (strcmp(word, "--key") == 0)
			return key_parse(value, key) < 0 ? -EBADMSG : 0;
		word = value + strlen(value) + 1;
	}
	return -EBADMSG;
}

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int key_parse(const char *hex, uint8_t key[CHAIN_KEY])
{
	for (size_t i = 0; i < CHAIN_KEY; i++) {
		int high = nibble(hex[2 * i]);
		int low = high < 0 ? -1 : nibble(hex[2 * i + 1]);
		if (low < 0)
			return -EINVAL;
		key[i] = (uint8_t)(high << 4 | low);
	}
	return hex[2 * CHAIN_KEY] ? -EINVAL : 0;
}

void key_format(const uint8_t key[CHAIN_KEY], char hex[2 * CHAIN_KEY + 1])
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < CHAIN_KEY; i++) {
		hex[2 * i] = digits[key[i] >> 4];
		hex[2 * i + 1] = digits[key[i] & 15];
	}
	hex[2 * CHAIN_KEY] = '\0';
}
