/* scorer-host keygen: makes the operator's signing key, once. Must never overwrite one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "evidence/key.h"
#include "sys/files.h"

static const char usage[] =
    "usage: scorer-host keygen [--home DIR] [--out FILE]\n\n"
    "Makes the key that signs evidence: ECDSA on P-256. FILE gets the private part (mode 0600), the same "
    "name with .pub\n"
    "in the place of .key or .pem the public one, both PEM. Without --out FILE is DIR/operator.key, the key "
    "that "
    "`run` uses; DIR\n"
    "is $PROCTOR_HOME, else /var/lib/proctor. An existing key is never overwritten.\n\n"
    "exit status: 0 the key is made, 2 it is not\n";

static int told(const struct fault *fault)
{
	(void)fprintf(stderr, "scorer-host keygen: %s\n", fault->what);
	if (fault->hint[0])
		(void)fprintf(stderr, "  %s\n", fault->hint);
	return 2;
}

int command_keygen(int argc, char **argv)
{
	const char *home = getenv("PROCTOR_HOME"), *out = NULL;
	char path[4096], public_path[4096];
	struct signing_key key;
	struct fault fault = {0};
	int r;

	for (int i = 1; i < argc; i++) {
		const char **value = strcmp(argv[i], "--home") == 0  ? &home
				     : strcmp(argv[i], "--out") == 0 ? &out
								     : NULL;
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			(void)fputs(usage, stdout);
			return 0;
		}
		if (!value || i + 1 == argc || !argv[i + 1][0]) {
			(void)fprintf(stderr,
			    "scorer-host keygen: %s %s; scorer-host keygen --help says more\n", argv[i],
			    value		? "wants a value"
			    : argv[i][0] == '-' ? "is no option"
						: "is one argument too many");
			return 2;
		}
		*value = argv[++i];
	}
	if (!home || !*home)
		home = "/var/lib/proctor";
	if (!out && (r = folder_make_all(home)) < 0) {
		(void)fault_set(&fault, VERDICT_NONE, "cannot make %s: %s", home, strerror(-r));
		return told(&fault);
	}
	if (out ? snprintf(path, sizeof path, "%s", out) >= (int)sizeof path
		: snprintf(path, sizeof path, "%s/" OPERATOR_KEY, home) >= (int)sizeof path) {
		(void)fault_set(&fault, VERDICT_NONE, "the key's path is too long");
		return told(&fault);
	}
	if (key_generate(path, NULL, &key, &fault) < 0)
		return told(&fault);
	(void)key_public_path(path, public_path, sizeof public_path);
	(void)printf("private  %s   (keep it; whoever has it can sign as you)\n"
		     "public   %s   (give it to whoever checks evidence)\n"
		     "keyid    %s\n",
	    path, public_path, key.id);
	key_wipe(&key);
	return 0;
}
