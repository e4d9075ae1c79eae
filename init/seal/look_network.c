/* The own network namespace as /proc/self/net shows it; /sys may be absent, and a netlink socket refused. */
#include <errno.h>
#include <string.h>

#include "seal/look_parts.h"
#include "sys/lines.h"

enum { NETWORK_MOST = 1 << 18 };

/* Lines of /proc/net/dev: two of heading, then "  name: figures". */
static void look_interfaces(struct facts *f, int proc)
{
	struct lines l;
	if (proc < 0 || lines_open(&l, proc, "self/net/dev", NETWORK_MOST) < 0) {
		f->network_known = false;
		return;
	}
	char *line;
	for (unsigned n = 0; (line = lines_next(&l)); n++) {
		if (n < 2)
			continue;
		line += strspn(line, " ");
		/* A name may hold colons itself (an alias); figures never do. */
		char *colon = strrchr(line, ':');
		size_t length = colon ? (size_t)(colon - line) : 0;
		if (length == 0 || length >= sizeof f->interface[0] || f->interfaces == FACT_INTERFACES) {
			f->network_known = false;
			continue;
		}
		memcpy(f->interface[f->interfaces], line, length);
		f->interface[f->interfaces++][length] = '\0';
	}
	if (!lines_close(&l))
		f->network_known = false;
}

/* /proc/net/route: one line of heading; the interface comes first, "*" for a route that only refuses. */
static bool leads_away_v4(const char *line, unsigned n)
{
	size_t length = strcspn(line, "\t ");
	bool loopback = length == 2 && memcmp(line, "lo", 2) == 0;
	bool refuses = length == 1 && line[0] == '*';
	return n > 0 && length > 0 && !loopback && !refuses;
}

/* /proc/net/ipv6_route: no heading; the interface comes last. */
static bool leads_away_v6(const char *line, unsigned n)
{
	(void)n;
	size_t end = strlen(line);
	while (end > 0 && line[end - 1] == ' ')
		end--;
	size_t start = end;
	while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '\t')
		start--;
	return end > start && !(end - start == 2 && memcmp(line + start, "lo", 2) == 0);
}

static void look_routes(
    struct facts *f, int proc, const char *path, bool (*leads_away)(const char *, unsigned))
{
	struct lines l;
	int r = proc < 0 ? proc : lines_open(&l, proc, path, NETWORK_MOST);
	if (r < 0) {
		/* A kernel without the protocol has no file and no routes. */
		if (r != -ENOENT)
			f->network_known = false;
		return;
	}
	const char *line;
	for (unsigned n = 0; (line = lines_next(&l)); n++)
		f->routes += leads_away(line, n);
	if (!lines_close(&l))
		f->network_known = false;
}

void look_network(struct facts *f, int proc)
{
	f->network_known = true;
	look_interfaces(f, proc);
	look_routes(f, proc, "self/net/route", leads_away_v4);
	look_routes(f, proc, "self/net/ipv6_route", leads_away_v6);
	if (!f->network_known)
		f->incomplete = true;
}
