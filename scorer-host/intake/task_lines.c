/* A walk over the events of a YAML text that keeps the path of every node. Builds nothing. */
#include "intake/task_lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 16, PATH_ROOM = 512 };

/* A mapping or list that is open; path: its own. */
struct open {
	bool list, value; /* value: the next node belongs to the key just read */
	unsigned items;
	char path[PATH_ROOM], key[PATH_ROOM];
};

struct walk {
	const char *wanted;
	unsigned line, depth; /* depth: how many are open */
	size_t best;	      /* length of the longest part of wanted that was met */
	struct open open[DEEPEST];
};

/* The node is the wanted one, or holds it. */
static void meet(struct walk *w, const char *path, size_t line)
{
	size_t n = strlen(path);

	if (n == 0 || n < w->best || strncmp(w->wanted, path, n) != 0 || !strchr(".[", w->wanted[n]))
		return;
	w->best = n;
	w->line = (unsigned)line + 1;
}

/* "path.key"; out is none of the two. */
static void join(const char *path, const char *key, char out[PATH_ROOM])
{
	(void)snprintf(out, PATH_ROOM, "%.400s%s%.64s", path, *path ? "." : "", key);
}

/* The path of the node that begins with this event; a key's is the same as its value's. */
static void name(struct walk *w, const yaml_event_t *e, char path[PATH_ROOM])
{
	struct open *in = w->depth ? &w->open[w->depth - 1] : NULL;

	path[0] = '\0';
	if (!in)
		return;
	if (in->list) {
		(void)snprintf(path, PATH_ROOM, "%.400s[%u]", in->path, ++in->items);
	} else if (in->value) {
		strcpy(path, in->key);
		in->value = false;
		return; /* met with its key */
	} else if (e->type == YAML_SCALAR_EVENT) {
		join(in->path, (const char *)e->data.scalar.value, path);
		strcpy(in->key, path);
		in->value = true;
	}
	meet(w, path, e->start_mark.line);
}

/* False when it is nested deeper than any task. */
static bool step(struct walk *w, const yaml_event_t *e)
{
	char path[PATH_ROOM];

	switch ((int)e->type) {
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		name(w, e, path);
		if (w->depth == DEEPEST || strlen(path) > PATH_ROOM / 2 - 80)
			return false;
		w->open[w->depth] = (struct open){.list = e->type == YAML_SEQUENCE_START_EVENT};
		strcpy(w->open[w->depth++].path, path);
		break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		w->depth -= w->depth > 0;
		break;
	case YAML_SCALAR_EVENT:
	case YAML_ALIAS_EVENT:
		name(w, e, path);
		break;
	default:
		break;
	}
	return true;
}

/* 0, or -1 at the parser's error, which stands in *parser. */
static int walk(yaml_parser_t *parser, struct walk *w)
{
	yaml_event_t event;
	bool on = true;

	while (on) {
		if (!yaml_parser_parse(parser, &event))
			return -1;
		on = event.type != YAML_STREAM_END_EVENT && (!w || step(w, &event));
		yaml_event_delete(&event);
	}
	return 0;
}

static bool start(yaml_parser_t *parser, const char *text, size_t n)
{
	if (!yaml_parser_initialize(parser))
		return false;
	yaml_parser_set_input_string(parser, (const unsigned char *)text, n);
	return true;
}

int task_lines_check(const char *text, size_t n, struct fault *fault)
{
	yaml_parser_t parser;
	int r;

	if (!start(&parser, text, n))
		return fault_set(fault, VERDICT_SCORER_FAULT, "task.yaml: no memory");
	r = walk(&parser, NULL);
	if (r < 0) {
		size_t at = parser.error == YAML_READER_ERROR ? parser.problem_offset : 0;
		unsigned line = (unsigned)parser.problem_mark.line + 1;
		for (size_t i = 0; i < at && i < n; i++)
			line += text[i] == '\n';
		(void)fault_set(fault, VERDICT_TASK_INVALID, "task.yaml: line %u: not YAML: %s%s%s", line,
		    parser.problem ? parser.problem : "no memory", parser.context ? " " : "",
		    parser.context ? parser.context : "");
		if (parser.problem && strstr(parser.problem, "cannot start any token"))
			(void)fault_hint(fault,
			    "indent with blanks, not tabs; put a value that begins with a "
			    "special character in quotes");
	}
	yaml_parser_delete(&parser);
	return r;
}

unsigned task_lines_find(const char *text, size_t n, const char *path)
{
	struct walk w = {.wanted = path};
	yaml_parser_t parser;

	if (!start(&parser, text, n))
		return 0;
	(void)walk(&parser, &w);
	yaml_parser_delete(&parser);
	return w.line;
}
