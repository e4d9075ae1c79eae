/*
 * The schema of task.yaml for libcyaml: fixed keys, named lists, strings only. A pre-pass refuses what libcyaml would
 * take without a word: NUL (also escaped, where it would cut the string), further documents, directives. libcyaml's
 * messages are caught and said again in our words, without its line numbers, which are wrong for unknown keys.
 */
#include "intake/task_yaml.h"

#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intake/task_lines.h"

#define MANY 4096 /* items of a list */

static const cyaml_schema_value_t string_entry = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

#define STRING(type, member, key) \
	CYAML_FIELD_STRING_PTR( \
	    key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, member, 0, CYAML_UNLIMITED)
#define LIST(owner, member, text, item, least) \
	{ \
		.key = (text), \
		.value = {.type = CYAML_SEQUENCE, \
		    .flags = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, \
		    .data_size = sizeof(*((owner *)NULL)->member), \
		    .sequence = {.entry = &(item), .min = (least), .max = MANY}}, \
		.data_offset = (uint32_t)offsetof(owner, member), \
		.count_offset = (uint32_t)offsetof(owner, member##_count), .count_size = sizeof(unsigned) \
	}
#define MAPPING(type, member, key, fields) \
	CYAML_FIELD_MAPPING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, member, fields)

static const cyaml_schema_field_t input_fields[] = {
    STRING(struct yaml_input, path, "path"), STRING(struct yaml_input, at, "at"), CYAML_FIELD_END};
static const cyaml_schema_value_t input_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_input, input_fields)};

static const cyaml_schema_field_t output_fields[] = {STRING(struct yaml_output, table, "table"),
    LIST(struct yaml_output, files, "files", string_entry, 1), CYAML_FIELD_END};

/* One key for every option that a task may limit, from the option table; filled once. */
static cyaml_schema_field_t limit_fields[OPTION_END + 1];

static const cyaml_schema_field_t scorer_fields[] = {STRING(struct yaml_scorer, image, "image"),
    STRING(struct yaml_scorer, table, "table"), LIST(struct yaml_scorer, command, "command", string_entry, 1),
    MAPPING(struct yaml_scorer, limits, "limits", limit_fields), CYAML_FIELD_END};

static const cyaml_schema_field_t column_fields[] = {
#define KEY(member) STRING(struct yaml_column, member, #member)
    KEY(name), KEY(type), KEY(min), KEY(max), KEY(sum), KEY(within), KEY(missing),
    LIST(struct yaml_column, of, "of", string_entry, 1),
    LIST(struct yaml_column, labels, "labels", string_entry, 1), CYAML_FIELD_END
#undef KEY
};
static const cyaml_schema_value_t column_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_column, column_fields)};

static const cyaml_schema_field_t metric_fields[] = {
#define KEY(member) STRING(struct yaml_metric, member, #member)
    KEY(name), KEY(as), KEY(from), KEY(truth), KEY(positive), KEY(threshold), KEY(event), KEY(of), KEY(k),
    KEY(average), KEY(weights), KEY(better), KEY(ci), KEY(by),
    STRING(struct yaml_metric, min_group, "min-group"), KEY(take), CYAML_FIELD_END
#undef KEY
};
static const cyaml_schema_value_t metric_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_metric, metric_fields)};

static const cyaml_schema_field_t expect_fields[] = {STRING(struct yaml_expect, metric, "metric"),
    STRING(struct yaml_expect, value, "value"), STRING(struct yaml_expect, within, "within"),
    CYAML_FIELD_END};
static const cyaml_schema_value_t expect_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_expect, expect_fields)};

static const cyaml_schema_field_t selfcheck_fields[] = {
#define KEY(member) STRING(struct yaml_selfcheck, member, #member)
    KEY(table), KEY(submission), KEY(files), KEY(verdict),
    LIST(struct yaml_selfcheck, expect, "expect", expect_entry, 1), CYAML_FIELD_END
#undef KEY
};
static const cyaml_schema_value_t selfcheck_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_selfcheck, selfcheck_fields)};

static const cyaml_schema_field_t board_fields[] = {STRING(struct yaml_board, take, "take"),
    STRING(struct yaml_board, attempts, "attempts"), CYAML_FIELD_END};

static const cyaml_schema_field_t task_fields[] = {
#define KEY(member) STRING(struct yaml_task, member, #member)
#define WORDS(member, least) LIST(struct yaml_task, member, #member, string_entry, least)
#define ITEMS(member, entry) LIST(struct yaml_task, member, #member, entry, 1)
    KEY(name), KEY(version), KEY(title), KEY(method), KEY(submission), KEY(image), WORDS(command, 1),
    ITEMS(input, input_entry), WORDS(id, 1), KEY(truth),
    MAPPING(struct yaml_task, output, "output", output_fields),
    MAPPING(struct yaml_task, scorer, "scorer", scorer_fields), ITEMS(columns, column_entry),
    ITEMS(metrics, metric_entry), ITEMS(selfcheck, selfcheck_entry),
    MAPPING(struct yaml_task, limits, "limits", limit_fields), WORDS(require, 0), KEY(syscalls),
    WORDS(scratch, 1), WORDS(env, 0), KEY(round), WORDS(tell, 1),
    MAPPING(struct yaml_task, board, "board", board_fields), CYAML_FIELD_END
#undef KEY
#undef WORDS
#undef ITEMS
};
static const cyaml_schema_value_t task_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yaml_task, task_fields)};

static void fill_limit_fields(void)
{
	size_t n = 0;
	for (unsigned o = 0; o < OPTION_END; o++) {
		if (!(option_table[o].where & ON_TASK))
			continue;
		cyaml_schema_field_t field = STRING(struct yaml_limits, value[0], option_table[o].name);
		field.data_offset = (uint32_t)(offsetof(struct yaml_limits, value) + o * sizeof(char *));
		limit_fields[n++] = field;
	}
	limit_fields[n] = (cyaml_schema_field_t)CYAML_FIELD_END;
}

/* libcyaml's first complaint, and where it arose: it reports the innermost place first. */
struct complaint {
	char what[256];
	char where[256];
};

static void prepend(char where[256], const char *outer)
{
	char inner[256];
	memcpy(inner, where, sizeof inner);
	(void)snprintf(where, 256, "%s%s%.160s", outer, *inner && *inner != '[' ? "." : "", inner);
}

__attribute__((format(printf, 3, 0))) static void listen(
    cyaml_log_t level, void *context, const char *format, va_list args)
{
	struct complaint *c = context;
	char line[256], name[64], place[72];
	(void)level;
	(void)vsnprintf(line, sizeof line, format, args);
	line[strcspn(line, "\n")] = '\0';
	if (!*c->what && strncmp(line, "Load: ", 6) == 0 && strncmp(line, "Load: Backtrace", 15) != 0)
		(void)snprintf(c->what, sizeof c->what, "%s", line + 6);
	if (strlen(c->where) > 128)
		return;
	if (sscanf(line, "  in mapping field '%63[^']'", name) == 1) {
		prepend(c->where, name);
	} else if (sscanf(line, "  in sequence entry '%63[0-9]'", name) == 1) {
		(void)snprintf(place, sizeof place, "[%s]", name);
		prepend(c->where, place);
	}
}

/* Library words to ours. */
static int explain(const char *text, size_t n, cyaml_err_t e, struct complaint *c, struct fault *fault)
{
	static const struct {
		const char *theirs, *ours;
	} words[] = {
	    {"Expecting STRING", "expected one value, found a list or a mapping"},
	    {"Expecting SEQUENCE", "expected a list: [a, b] or a line with - for each item"},
	    {"Expecting MAPPING", "expected keys with values: {key: value}"},
	    {"Insufficient entries", "the list must have at least one item"},
	    {"Mapping field already seen", "the key is written twice"},
	};
	const char *ours = NULL;
	char at[32] = "", path[400];
	unsigned line;
	if (strncmp(c->what, "Unexpected key: ", 16) == 0) {
		const char *key = c->what + 16;
		(void)snprintf(path, sizeof path, "%s%s%.64s", c->where, *c->where ? "." : "", key);
		line = task_lines_find(text, n, path);
		if (line)
			(void)snprintf(at, sizeof at, " (line %u)", line);
		if (*c->where)
			(void)fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: %s has no key \"%.64s\"%s",
			    c->where, key, at);
		else
			(void)fault_set(
			    fault, VERDICT_TASK_INVALID, "task.yaml: there is no key \"%.64s\"%s", key, at);
		return fault_hint(
		    fault, "proctor-task(5) lists the keys; they are spelt in lower case with hyphens");
	}
	line = *c->where ? task_lines_find(text, n, c->where) : 0;
	if (line)
		(void)snprintf(at, sizeof at, " (line %u)", line);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(c->what, words[i].theirs, strlen(words[i].theirs)) == 0)
			ours = words[i].ours;
	if (e == CYAML_ERR_ALIAS)
		ours = "aliases (*name) are not allowed";
	return fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: %s%s%s%s", c->where, at,
	    *c->where ? ": " : "",
	    ours       ? ours
	    : *c->what ? c->what
		       : cyaml_strerror(e));
}

static int refuse(struct fault *fault, const char *text, size_t at, const char *what)
{
	unsigned line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: line %u: %s", line, what);
}

/* An escaped NUL would end the string that libcyaml makes of it. */
static bool escaped_nul(const char *p, size_t n)
{
	static const char *const forms[] = {"\\0", "\\x00", "\\u0000", "\\U00000000"};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (n >= strlen(forms[i]) && memcmp(p, forms[i], strlen(forms[i])) == 0)
			return true;
	return false;
}

static int prescan(const char *text, size_t n, struct fault *fault)
{
	bool content = false;
	if (n > TASK_YAML_MAX)
		return fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: larger than 256KiB");
	for (size_t i = 0, start = 0; i < n; i++) {
		if (i && text[i - 1] == '\n')
			start = i;
		if (text[i] == '\0')
			return refuse(fault, text, i, "a NUL byte");
		if (text[i] == '\\' && escaped_nul(text + i, n - i))
			return refuse(fault, text, i, "an escaped NUL");
		if (i != start)
			continue;
		bool marker = n - i >= 3 && memcmp(text + i, "---", 3) == 0;
		if (marker && content)
			return refuse(fault, text, i, "a second document (---); there may be one only");
		if (text[i] == '%')
			return refuse(fault, text, i, "a YAML directive (%); there may be none");
		if (marker || (text[i] != '#' && text[i] != '\n' && text[i] != '\r'))
			content = true;
	}
	return 0;
}

int task_yaml_parse(const char *text, size_t n, struct yaml_task **task, struct fault *fault)
{
	struct complaint c = {"", ""};
	const cyaml_config_t config = {.log_fn = listen,
	    .log_ctx = &c,
	    .mem_fn = cyaml_mem,
	    .log_level = CYAML_LOG_WARNING,
	    .flags = CYAML_CFG_NO_ALIAS};
	*task = NULL;
	if (prescan(text, n, fault) < 0 || task_lines_check(text, n, fault) < 0)
		return -1;
	fill_limit_fields();
	/* Through a pointer of libcyaml's own type: it writes one. */
	cyaml_data_t *data = NULL;
	cyaml_err_t e = cyaml_load_data((const uint8_t *)text, n, &config, &task_schema, &data, NULL);
	if (e != CYAML_OK)
		return explain(text, n, e, &c, fault);
	if (!data)
		return fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: the file is empty");
	*task = data;
	return 0;
}

void task_yaml_free(struct yaml_task *task)
{
	const cyaml_config_t config = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
	(void)cyaml_free(&config, &task_schema, task, 0);
}
