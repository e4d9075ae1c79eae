/*
 * The paths and names of a task: what is mounted where, the truth, the output, the environment. A path in the container
 * is absolute and in its shortest form, and no two places lie in one another. Looks at text only.
 */
#include "intake/task_build.h"

#include <stdio.h>
#include <string.h>

enum { PATH_MOST = 1024 };

/* /a/b: absolute, no empty, "." or ".." part, no slash at the end, not "/" itself. */
static bool normal_path(const char *path)
{
	if (path[0] != '/' || path[1] == '\0' || !plain_text(path, PATH_MOST))
		return false;
	for (const char *part = path; *part;) {
		part++;
		size_t n = strcspn(part, "/");
		if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.'))
			return false;
		part += n;
	}
	return true;
}

static bool within(const char *path, const char *folder)
{
	size_t n = strlen(folder);
	return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

static const char *const own_places[] = {"/output", "/proc", "/sys", "/dev", "/.proctor", "/submission"};

/* Whether a place may be mounted over: not one of ours, and neither above nor below one. */
static const char *clash(const char *path)
{
	for (size_t i = 0; i < sizeof own_places / sizeof *own_places; i++)
		if (within(path, own_places[i]) || within(own_places[i], path))
			return own_places[i];
	return NULL;
}

static int inputs(struct builder *b)
{
	const struct yaml_task *y = b->yaml;
	struct task *t = b->task;
	if (!y->input)
		return bad(b, NULL, "missing; expected [{path: input, at: /input}]", "input");
	t->input = task_keep(b, y->input_count, sizeof *t->input);
	if (!t->input)
		return no_memory(b);
	for (unsigned i = 0; i < y->input_count; i++) {
		const struct yaml_input *in = &y->input[i];
		if (!in->path || !plain_text(in->path, PATH_MOST))
			return bad(b, in->path, "expected a path below the task folder, or an absolute one",
			    "input[%u].path", i + 1);
		if (!in->at || !normal_path(in->at))
			return bad(b, in->at, "expected an absolute path without . or .. such as /input",
			    "input[%u].at", i + 1);
		if (clash(in->at))
			return bad(b, in->at, "Proctor itself mounts there", "input[%u].at", i + 1);
		for (unsigned k = 0; k < i; k++)
			if (within(in->at, t->input[k].at) || within(t->input[k].at, in->at))
				return bad(
				    b, in->at, "lies in the place of another input", "input[%u].at", i + 1);
		t->input[t->input_count++] = (struct task_input){in->path, in->at};
	}
	return 0;
}

static int outputs(struct builder *b)
{
	const struct yaml_output *o = b->yaml->output;
	if (!o || (!o->table && !o->files))
		return bad(b, NULL, "missing; expected {table: predictions.csv}", "output");
	if (o->table && o->files)
		return bad(b, NULL, "expected either table or files", "output");
	if (o->files)
		cannot(b, "output.files");
	b->task->output_table = o->table;
	if (o->table && (!plain_text(o->table, 255) || strchr(o->table, '/') || strcmp(o->table, ".") == 0 ||
			    strcmp(o->table, "..") == 0))
		return bad(b, o->table, "expected a plain file name: no slash, not . or ..", "output.table");
	return 0;
}

static int scratches(struct builder *b)
{
	static char tmp[] = "/tmp", shm[] = "/dev/shm";
	char *preset[] = {tmp, shm};
	struct task *t = b->task;
	t->scratch_count = b->yaml->scratch ? b->yaml->scratch_count : 2;
	if (task_words(b, b->yaml->scratch ? b->yaml->scratch : preset, t->scratch_count, &t->scratch) < 0)
		return -1;
	for (size_t i = 0; i < t->scratch_count; i++) {
		const char *path = t->scratch[i];
		if (!normal_path(path))
			return bad(
			    b, path, "expected an absolute path without . or .. such as /tmp", "scratch");
		if (strcmp(path, shm) != 0 && clash(path))
			return bad(b, path, "Proctor itself mounts there", "scratch");
		for (size_t k = 0; k < i; k++)
			if (within(path, t->scratch[k]) || within(t->scratch[k], path))
				return bad(b, path, "lies in another scratch tree", "scratch");
		for (size_t k = 0; k < t->input_count; k++)
			if (within(path, t->input[k].at) || within(t->input[k].at, path))
				return bad(b, path, "lies in the place of an input", "scratch");
	}
	return 0;
}

static int environment(struct builder *b)
{
	static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char rest[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	const struct yaml_task *y = b->yaml;
	for (unsigned i = 0; i < y->env_count; i++) {
		size_t n = strspn(y->env[i], rest);
		if (!strchr(first, y->env[i][0]) || n == 0 || y->env[i][n] != '=')
			return bad(b, y->env[i], "expected NAME=value", "env");
		for (unsigned k = 0; k < i; k++)
			if (strncmp(y->env[k], y->env[i], n + 1) == 0)
				return bad(b, y->env[i], "the variable is set twice", "env");
	}
	b->task->env_count = y->env_count;
	return task_words(b, y->env, y->env_count, &b->task->env);
}

/* Only where the text shows it; the command check looks at the files. */
static int truth(struct builder *b)
{
	const char *path = b->yaml->truth;
	if (!path || !plain_text(path, PATH_MOST))
		return bad(b, path, "expected the path of the truth table", "truth");
	for (size_t i = 0; i < b->task->input_count; i++)
		if (within(path, b->task->input[i].path))
			return bad(b, path, "lies in an input, where the candidate can read it", "truth");
	b->task->truth = b->yaml->truth;
	return 0;
}

int build_places(struct builder *b)
{
	if (inputs(b) < 0 || truth(b) < 0 || outputs(b) < 0 || scratches(b) < 0)
		return -1;
	return environment(b);
}
