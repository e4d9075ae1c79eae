/* scorer-host runs: what the ledger of a home knows. Only --import writes. */
#include <ctype.h>
#include <string.h>

#include "command/command.h"
#include "command/runs.h"

static const char usage[] =
    "usage: scorer-host runs [--home DIR] [FILTER...] [--count] [--json]\n"
    "       scorer-host runs [--home DIR] --verify [--json]\n"
    "       scorer-host runs [--home DIR] [--key FILE] [--json] --import RUN...\n\n"
    "Lists the runs of a home, in the order of their starting.\n\n"
    "  --task NAME          of that task\n"
    "  --submission WHO[/N] of that participant, or one submission\n"
    "  --verdict CODE       that ended so\n"
    "  --since TIME         started then or later, e.g. 2026-09-28 or 2026-09-28T14:00 (UTC)\n"
    "  --count              how many there are of each verdict\n"
    "  --verify             whether the ledger's chain holds and agrees with the run directories\n"
    "  --import RUN...      enter finished run directories, of other homes too, whose evidence verifies\n"
    "  --key FILE           the public key for --import: else DIR/operator.pub\n"
    "  --home DIR           $PROCTOR_HOME, else /var/lib/proctor\n\n"
    "exit status: 0, 1 the ledger does not hold or not every run could be entered, 2 usage, 3 the ledger\n"
    "cannot be read or written, 4 it is no ledger or broken\n";

static int wrong(const char *word, const char *what)
{
	(void)fprintf(stderr, "scorer-host runs: %s %s; scorer-host runs --help says more\n", word, what);
	return 2;
}

/* The beginning of an RFC 3339 time in UTC. */
static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	size_t n = strlen(text);

	if (n < 4 || n >= sizeof form)
		return false;
	for (size_t i = 0; i < n; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
			return false;
	return true;
}

/* -1: go on; else the exit status. */
static int arguments(int argc, char **argv, struct runs_options *o)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		const struct {
			const char *name;
			const char **to;
		} values[] = {{"--home", &o->home}, {"--key", &o->key}, {"--task", &o->filter.task},
		    {"--submission", &o->filter.submission}, {"--verdict", &o->filter.verdict},
		    {"--since", &o->filter.since}};
		const struct {
			const char *name;
			bool *to;
		} flags[] = {{"--count", &o->count}, {"--json", &o->json}, {"--verify", &o->verify}};
		const char **value = NULL;
		bool *flag = NULL;

		if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			(void)fputs(usage, stdout);
			return 0;
		}
		if (strcmp(word, "--import") == 0) {
			o->import = argv + i + 1;
			return *o->import ? -1 : wrong(word, "wants run directories");
		}
		for (size_t k = 0; k < sizeof values / sizeof *values; k++)
			value = strcmp(word, values[k].name) == 0 ? values[k].to : value;
		for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
			flag = strcmp(word, flags[k].name) == 0 ? flags[k].to : flag;
		if (flag)
			*flag = true;
		else if (!value)
			return wrong(word, "is not known");
		else if (*value)
			return wrong(word, "is given twice");
		else if (++i == argc || !*argv[i])
			return wrong(word, "wants a value");
		else
			*value = argv[i];
	}
	return -1;
}

static int sensible(const struct runs_options *o)
{
	const struct ledger_filter *f = &o->filter;
	bool filtered = f->task || f->submission || f->verdict || f->since || o->count;

	if (f->verdict && verdict_from_name(f->verdict) == VERDICT_NONE)
		return wrong(f->verdict, "is no verdict (proctor-verdicts(7))");
	if (f->since && !is_time(f->since))
		return wrong(f->since, "is no time like 2026-09-28 or 2026-09-28T14:00");
	if ((o->import || o->verify) && filtered)
		return wrong(o->import ? "--import" : "--verify", "takes no filter");
	if (o->import && o->verify)
		return wrong("--verify", "goes without --import");
	if (o->key && !o->import)
		return wrong("--key", "goes with --import");
	return -1;
}

int command_runs(int argc, char **argv)
{
	struct runs_options o = {0};
	struct fault fault = {0};
	struct ledger *l;
	int status = arguments(argc, argv, &o);

	if (status < 0)
		status = sensible(&o);
	if (status >= 0)
		return status;
	o.home = home_path(o.home);
	if (o.import)
		return runs_import(&o);
	if (ledger_open(o.home, LEDGER_READ, &l, &fault) < 0)
		return home_complain("runs", &fault);
	status = o.verify ? runs_verify(&o, l) : runs_list(&o, l);
	ledger_done(l);
	if (fflush(stdout) != 0 && status == 0)
		status = 3;
	return status;
}
