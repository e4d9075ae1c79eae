/* Mount and cgroup lines. Pure. */
#include "core/mountinfo.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* Cuts the next field off at `separator`; NULL when there is none before the end of the line. */
static char *cut(char **rest, char separator)
{
	char *field = *rest;
	char *end = strchr(field, separator);
	if (!end)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return field;
}

/* Plain decimal digits, the whole text. */
static int decimal(const char *text, unsigned *value)
{
	unsigned v = 0;
	if (!*text)
		return -EBADMSG;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -EBADMSG;
		unsigned digit = (unsigned)(*text - '0');
		if (v > (UINT_MAX - digit) / 10)
			return -EBADMSG;
		v = v * 10 + digit;
	}
	*value = v;
	return 0;
}

static bool octal(char c, char most)
{
	return c >= '0' && c <= most;
}

/* Undoes \ooo in place. The kernel escapes every backslash, and no path holds a NUL. */
static int unescape(char *text)
{
	char *to = text;
	while (*text) {
		if (*text != '\\') {
			*to++ = *text++;
			continue;
		}
		if (!octal(text[1], '3') || !octal(text[2], '7') || !octal(text[3], '7'))
			return -EBADMSG;
		int byte = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
		if (byte == 0)
			return -EBADMSG;
		*to++ = (char)byte;
		text += 4;
	}
	*to = '\0';
	return 0;
}

int mountinfo_parse(char *line, struct mount_line *m)
{
	char *rest = line;
	const char *id = cut(&rest, ' ');
	const char *parent = id ? cut(&rest, ' ') : NULL;
	const char *major = parent ? cut(&rest, ':') : NULL;
	const char *minor = major ? cut(&rest, ' ') : NULL;
	char *root = minor ? cut(&rest, ' ') : NULL;
	char *at = root ? cut(&rest, ' ') : NULL;
	char *options = at ? cut(&rest, ' ') : NULL;
	if (!options)
		return -EBADMSG;

	/* Any number of optional fields, then a lone hyphen. */
	const char *field;
	do
		field = cut(&rest, ' ');
	while (field && strcmp(field, "-") != 0);
	if (!field)
		return -EBADMSG;

	char *type = cut(&rest, ' ');
	if (!type || !cut(&rest, ' '))
		return -EBADMSG;

	unsigned number;
	if (decimal(id, &m->id) < 0 || decimal(parent, &number) < 0 || decimal(major, &number) < 0 ||
	    decimal(minor, &number) < 0 || unescape(root) < 0 || unescape(at) < 0 || unescape(type) < 0)
		return -EBADMSG;
	if (at[0] != '/')
		return -EBADMSG;
	m->root = root;
	m->at = at;
	m->options = options;
	m->type = type;
	m->super = rest;
	return 0;
}

int cgroup_parse(char *line, struct cgroup_line *c)
{
	char *rest = line;
	const char *id = cut(&rest, ':');
	const char *controllers = id ? cut(&rest, ':') : NULL;
	if (!controllers || decimal(id, &c->id) < 0 || rest[0] != '/')
		return -EBADMSG;
	c->controllers = controllers;
	c->path = rest;
	return 0;
}

bool list_has(const char *list, const char *word)
{
	size_t n = strlen(word);
	while (*list) {
		size_t here = strcspn(list, ",");
		if (here == n && memcmp(list, word, n) == 0)
			return true;
		list += here;
		if (*list)
			list++;
	}
	return n == 0;
}

/* True when one part of the path is "..". */
static bool leads_out(const char *path)
{
	for (const char *p = strstr(path, ".."); p; p = strstr(p + 1, ".."))
		if ((p == path || p[-1] == '/') && (p[2] == '\0' || p[2] == '/'))
			return true;
	return false;
}

int path_join(char *out, size_t size, const char *folder, const char *name)
{
	size_t a = strlen(folder);
	while (a > 0 && folder[a - 1] == '/')
		a--;
	while (*name == '/')
		name++;
	size_t b = strlen(name);
	if (a >= size || b >= size || a + 1 + b >= size)
		return -ENAMETOOLONG;
	memmove(out, folder, a);
	/* Nothing to add: the folder itself, the root staying "/". */
	if (b > 0 || a == 0)
		out[a++] = '/';
	memcpy(out + a, name, b);
	out[a + b] = '\0';
	return 0;
}

int cgroup_folder(char *out, size_t size, const char *at, const char *root, const char *own)
{
	if (leads_out(root) || leads_out(own))
		return -ENOENT;
	size_t n = strlen(root);
	while (n > 0 && root[n - 1] == '/')
		n--;
	if (strncmp(own, root, n) != 0 || (own[n] != '\0' && own[n] != '/'))
		return -ENOENT;
	return path_join(out, size, at, own + n);
}
