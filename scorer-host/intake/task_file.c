/*
 * From task.yaml to a struct task. Holds the top-level keys and the order of the parts; every scalar goes through a
 * parser of ours. Opens task.yaml alone, and nothing that it names.
 */
#include "intake/task_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "intake/task_build.h"
#include "intake/task_lines.h"
#include "sys/digest.h"

void *task_keep(struct builder *b, size_t count, size_t size)
{
	struct task_memory *m = b->memory;
	void **block = reallocarray(m->block, m->blocks + 1, sizeof *block);
	if (!block)
		return NULL;
	m->block = block;
	void *p = calloc(count ? count : 1, size);
	if (p)
		block[m->blocks++] = p;
	return p;
}

int no_memory(struct builder *b)
{
	return fault_set(b->fault, VERDICT_SCORER_FAULT, "task.yaml: no memory");
}

int task_words(struct builder *b, char *const *words, size_t count, char ***out)
{
	*out = NULL;
	if (count == 0 || !words)
		return 0;
	char **copy = task_keep(b, count + 1, sizeof *copy);
	if (!copy)
		return no_memory(b);
	memcpy(copy, words, count * sizeof *copy);
	*out = copy;
	return 0;
}

int bad(struct builder *b, const char *value, const char *expected, const char *key, ...)
{
	char path[160], at[32] = "";
	va_list args;
	va_start(args, key);
	(void)vsnprintf(path, sizeof path, key, args);
	va_end(args);
	unsigned line = task_lines_find(b->text, b->length, path);
	if (line)
		(void)snprintf(at, sizeof at, " (line %u)", line);
	if (!value)
		return fault_set(b->fault, VERDICT_TASK_INVALID, "task.yaml: %s%s: %s", path, at, expected);
	return fault_set(
	    b->fault, VERDICT_TASK_INVALID, "task.yaml: %s%s: \"%.128s\": %s", path, at, value, expected);
}

void cannot(struct builder *b, const char *key, ...)
{
	char path[160];
	va_list args;
	va_start(args, key);
	(void)vsnprintf(path, sizeof path, key, args);
	va_end(args);
	size_t used = strlen(b->cannot);
	if (used + strlen(path) + 3 < sizeof b->cannot)
		(void)snprintf(b->cannot + used, sizeof b->cannot - used, "%s%s", used ? ", " : "", path);
}

bool plain_text(const char *text, size_t most)
{
	size_t n = strlen(text);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return n >= 1 && n <= most;
}

/* A word of these characters, the first of them a letter or a digit, at most 64. */
static bool word_of(const char *text, const char *allowed)
{
	size_t n = strlen(text);
	return n >= 1 && n <= 64 && strspn(text, allowed) == n && text[0] != '-' && text[0] != '.' &&
	       text[0] != '_';
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static int build_names(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	if (!y->name || !word_of(y->name, LOWER DIGITS "-"))
		return bad(b, y->name, "expected a short name of a-z, 0-9 and hyphens", "name");
	if (!y->version || !word_of(y->version, LOWER UPPER DIGITS ".-_"))
		return bad(b, y->version, "expected a version such as \"1\" or v0.2.0", "version");
	if (y->title && !plain_text(y->title, 256))
		return bad(b, y->title, "expected one line of at most 256 bytes", "title");
	if (!y->submission || (strcmp(y->submission, "image") != 0 && strcmp(y->submission, "files") != 0))
		return bad(b, y->submission, "expected image or files", "submission");
	b->task->submission = strcmp(y->submission, "files") == 0 ? SUBMISSION_FILES : SUBMISSION_IMAGE;
	if (b->task->submission == SUBMISSION_IMAGE && y->image)
		return bad(b, y->image, "only a task with submission: files names an image", "image");
	b->task->name = y->name;
	b->task->version = y->version;
	b->task->title = y->title;
	if (y->command && y->command[0][0] == '\0')
		return bad(b, "", "the first word is the program", "command");
	return task_words(b, y->command, y->command_count, &b->task->command);
}

static int build_telling(struct builder *b)
{
	static const struct {
		const char *name;
		unsigned bit;
	} words[] = {{"verdict", TELL_VERDICT}, {"metrics", TELL_METRICS}, {"count", TELL_COUNT},
	    {"limit", TELL_LIMIT}, {"notes", TELL_NOTES}};
	const struct yaml_task *y = b->yaml;

	b->task->round = -1;
	if (y->round) {
		uint64_t round;
		if (unit_parse(UNIT_COUNT, y->round, &round) < 0 || round > 17)
			return bad(b, y->round, "expected a number of decimals, 0 to 17", "round");
		b->task->round = (int)round;
	}
	b->task->tell = y->tell ? 0 : TELL_ALL;
	for (unsigned i = 0; y->tell && i < y->tell_count; i++) {
		unsigned bit = 0;
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			if (strcmp(words[w].name, y->tell[i]) == 0)
				bit = words[w].bit;
		if (!bit || (b->task->tell & bit))
			return bad(b, y->tell[i], "expected verdict, metrics, count, limit, notes, each once",
			    "tell");
		b->task->tell |= bit;
	}
	if (!(b->task->tell & TELL_VERDICT))
		return bad(b, NULL, "verdict must be among them", "tell");
	return 0;
}

static void note_unsupported(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	if (y->method)
		cannot(b, "method");
	if (b->task->submission == SUBMISSION_FILES)
		cannot(b, "submission: files");
	if (y->image)
		cannot(b, "image");
	if (y->scorer)
		cannot(b, "scorer");
	if (y->board)
		cannot(b, "board");
}

static int build(struct builder *b)
{
	if (build_names(b) < 0)
		return -1;
	note_unsupported(b);
	if (build_places(b) < 0 || build_columns(b) < 0 || build_selfcheck(b) < 0 || build_limits(b) < 0 ||
	    build_telling(b) < 0)
		return -1;
	if (!*b->cannot)
		return 0;
	(void)fault_set(
	    b->fault, VERDICT_TASK_INVALID, "task.yaml: this build cannot honour yet: %s", b->cannot);
	return fault_hint(b->fault,
	    "nothing is run under a rule that is not kept; take the key%s out to run without",
	    strchr(b->cannot, ',') ? "s" : "");
}

/* The file's bytes, NUL behind them; -1 with a fault. */
static int read_text(const char *folder, char **text, size_t *length, struct fault *fault)
{
	char path[4096];
	struct stat st;
	int n = snprintf(path, sizeof path, "%s/task.yaml", folder);
	if (n < 0 || (size_t)n >= sizeof path)
		return fault_set(fault, VERDICT_NONE, "%.256s…: the path is too long", folder);
	if (stat(folder, &st) < 0)
		return fault_set(fault, VERDICT_NONE, "%s: %s", folder, strerror(errno));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		bool denied = fd < 0 && errno == EACCES;
		(void)fault_set(fault, VERDICT_TASK_INVALID, "%s: %s", path,
		    fd < 0 ? strerror(errno) : "not a regular file");
		if (fd >= 0)
			close(fd);
		if (denied)
			return fault_hint(
			    fault, "let somebody call this who may read all of the task: root may");
		return fault_hint(fault, "a task is a folder that holds task.yaml; see proctor-task(5)");
	}
	size_t size = TASK_YAML_MAX + 1, have = 0;
	char *bytes = malloc(size + 1);
	ssize_t got = bytes ? 1 : -1;
	while (got > 0 && have < size) {
		got = read(fd, bytes + have, size - have);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			have += (size_t)got;
	}
	close(fd);
	if (got < 0) {
		free(bytes);
		return fault_set(fault, VERDICT_TASK_INVALID, "%s: %s", path, strerror(errno));
	}
	bytes[have] = '\0';
	*text = bytes;
	*length = have;
	return 0;
}

int task_load(const char *folder, struct task *task, struct fault *fault)
{
	char *text = NULL;
	size_t length = 0;
	memset(task, 0, sizeof *task);
	if (read_text(folder, &text, &length, fault) < 0)
		return -1;
	int r = task_parse(folder, text, length, task, fault);
	free(text);
	return r;
}

int task_parse(const char *folder, const char *text, size_t length, struct task *task, struct fault *fault)
{
	struct builder b = {.task = task, .text = text, .length = length, .fault = fault};

	memset(task, 0, sizeof *task);
	task->memory = b.memory = calloc(1, sizeof *b.memory);
	if (!b.memory)
		return no_memory(&b);
	int r = task_yaml_parse(text, length, &b.memory->yaml, fault);
	b.yaml = b.memory->yaml;
	if (r == 0) {
		task->folder = task_keep(&b, strlen(folder) + 1, 1);
		r = task->folder ? 0 : no_memory(&b);
	}
	if (r == 0) {
		strcpy(task->folder, folder);
		digest_bytes(text, length, task->sha256);
		r = build(&b);
	}
	if (r < 0)
		task_free(task);
	return r;
}

void task_free(struct task *task)
{
	struct task_memory *m = task->memory;
	if (m) {
		for (size_t i = 0; i < m->blocks; i++)
			free(m->block[i]);
		free(m->block);
		if (m->yaml)
			task_yaml_free(m->yaml);
		free(m);
	}
	memset(task, 0, sizeof *task);
}
