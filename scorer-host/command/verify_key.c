/*
 * Which public key a run is held against, and whether it is one from outside: whoever changed a run and signed it anew
 * can put his own key beside it. Never looks for one in the run itself.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/home.h"
#include "command/verify.h"

enum { NOT_CHECKED = 900 };

static int lack(struct verified *v, const char *what)
{
	v->key_path[0] = '\0';
	(void)snprintf(v->cannot, sizeof v->cannot, "the signature was not checked: %.*s", NOT_CHECKED, what);
	return -1;
}

static int load(struct verified *v, struct signing_key *key)
{
	struct fault fault;

	if (key_load_public(v->key_path, key, &fault) < 0)
		return lack(v, fault.what);
	(void)snprintf(v->keyid, sizeof v->keyid, "%s", key->id);
	return 0;
}

/* DIR/operator.pub into path; false when it is not there. */
static bool public_in(const char *dir, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/" OPERATOR_PUBLIC, strcmp(dir, "/") == 0 ? "" : dir) < PATH_MAX &&
	       access(path, F_OK) == 0;
}

/* The operator himself on his own machine: his private key lies there, closed to others and of this user. */
static bool is_ours(const char *home, const struct signing_key *public)
{
	char path[PATH_MAX];
	struct signing_key key;
	struct fault fault;
	struct stat st;
	bool same;

	if (snprintf(path, sizeof path, "%s/" OPERATOR_KEY, home) >= (int)sizeof path ||
	    lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    key_load(path, &key, &fault) < 0)
		return false;
	same = strcmp(key.id, public->id) == 0;
	key_wipe(&key);
	return same;
}

/* True when this user's own home has that key, or is the one that the run lies in. */
static bool is_home_key(const char *beside, const struct signing_key *public)
{
	char home[PATH_MAX], path[PATH_MAX];
	struct signing_key key;
	struct fault fault;

	if (!realpath(home_path(NULL), home))
		return false;
	return strcmp(home, beside) == 0 ||
	       (public_in(home, path) && key_load_public(path, &key, &fault) == 0 &&
		   strcmp(key.id, public->id) == 0);
}

int verify_key(struct verified *v, const char *file, const char *home, struct signing_key *key)
{
	char above[PATH_MAX], beside[PATH_MAX], what[PATH_MAX + 128];

	if (file) {
		if (snprintf(v->key_path, sizeof v->key_path, "%s", file) >= (int)sizeof v->key_path)
			return lack(v, "the key's path is too long");
		return load(v, key);
	}
	if (home) {
		if (public_in(home, v->key_path))
			return load(v, key);
		(void)snprintf(what, sizeof what,
		    "no key: there is no %.3000s/" OPERATOR_PUBLIC "; name the operator's with --key", home);
		return lack(v, what);
	}
	if (snprintf(above, sizeof above, "%s/../..", v->run) < (int)sizeof above &&
	    realpath(above, beside) && public_in(beside, v->key_path)) {
		if (load(v, key) < 0)
			return -1;
		v->came_along = !is_ours(beside, key) && !is_home_key(beside, key);
		return 0;
	}
	if (public_in(home_path(NULL), v->key_path))
		return load(v, key);
	return lack(v, "no key: there is no " OPERATOR_PUBLIC
		       " two folders above the run or in the home; name the operator's with --key");
}
