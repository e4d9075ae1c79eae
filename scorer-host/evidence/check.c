/* The levels of a check that need nothing but the run directory and a public key. */
#include "evidence/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/canonical.h"
#include "evidence/dsse.h"
#include "evidence/replay.h"
#include "evidence/statement.h"
#include "evidence/subjects.h"
#include "sys/files.h"

enum { AUDIT_MAX = 64 << 20 };

const char *check_level_name(enum check_level level)
{
	static const char *const names[CHECK_LEVELS] = {"signature", "digests", "transcript", "recomputed"};
	return (unsigned)level < CHECK_LEVELS ? names[level] : "";
}

void check_find(struct check *c, enum check_level level, const char *file, const char *format, ...)
{
	va_list args;

	c->state[level] = CHECK_FAILED;
	if (c->findings < FINDINGS) {
		struct finding *f = &c->finding[c->findings];
		f->level = level;
		(void)snprintf(f->file, sizeof f->file, "%s", file);
		va_start(args, format);
		(void)vsnprintf(f->what, sizeof f->what, format, args);
		va_end(args);
	}
	c->findings++;
}

/* The file's bytes with a NUL behind, or NULL with errno. */
static char *whole_file(int folder, const char *name, size_t *n)
{
	struct stat st;
	char *bytes = NULL;
	ssize_t r;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return NULL;
	if (!S_ISREG(st.st_mode) || st.st_size > AUDIT_MAX) {
		errno = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
		return NULL;
	}
	bytes = malloc((size_t)st.st_size + 2);
	if (!bytes)
		return NULL;
	r = file_read(folder, name, bytes, (size_t)st.st_size + 2);
	if (r < 0) {
		free(bytes);
		errno = (int)-r;
		return NULL;
	}
	*n = (size_t)r;
	return bytes;
}

/*
 * Signature, envelope and statement against each other. The signature is tried over both, so that the file that was
 * changed is named and the other one can still be used to check the rest.
 */
static void signature(int folder, const struct signing_key *key, struct check *c)
{
	size_t n = 0, length = 0;
	char *audit = whole_file(folder, AUDIT_FILE, &n), *envelope;
	struct dsse d = {0};
	bool opened, same, audit_signed = false, payload_signed = false;

	if (!audit)
		check_find(c, CHECK_SIGNATURE, AUDIT_FILE, "cannot be read: %s", strerror(errno));
	envelope = whole_file(folder, ENVELOPE_FILE, &length);
	if (!envelope)
		check_find(c, CHECK_SIGNATURE, ENVELOPE_FILE, "cannot be read: %s", strerror(errno));
	opened = envelope && dsse_open(envelope, length, &d) == 0;
	if (envelope && !opened)
		check_find(c, CHECK_SIGNATURE, ENVELOPE_FILE, "is no DSSE envelope in its one encoding");
	same = opened && audit && d.payload_length == n && memcmp(d.payload, audit, n) == 0;
	if (key && opened) {
		payload_signed = dsse_signs(&d, key, d.payload, d.payload_length);
		audit_signed = audit && dsse_signs(&d, key, audit, n);
		if (!payload_signed && audit_signed)
			check_find(
			    c, CHECK_SIGNATURE, ENVELOPE_FILE, "carries another payload than was signed");
		else if (payload_signed && audit && !audit_signed)
			check_find(c, CHECK_SIGNATURE, AUDIT_FILE, "is not what was signed");
		else if (!payload_signed)
			check_find(c, CHECK_SIGNATURE, ENVELOPE_FILE,
			    "has no signature of this key (its keyid is %.16s..., the key's %.16s...)",
			    d.keyid, key->id);
	}
	if (opened && audit && !same && !payload_signed && !audit_signed) {
		check_find(c, CHECK_SIGNATURE, AUDIT_FILE, "is not the payload of " ENVELOPE_FILE);
		check_find(c, CHECK_SIGNATURE, ENVELOPE_FILE, "does not hold " AUDIT_FILE);
	}
	if (payload_signed)
		c->statement = canonical_decode(d.payload, d.payload_length);
	else if (audit)
		c->statement = canonical_decode(audit, n);
	if (!c->statement && audit)
		check_find(c, CHECK_SIGNATURE, AUDIT_FILE, "is no statement in its one encoding");
	if (key && c->state[CHECK_SIGNATURE] == CHECK_NOT_DONE)
		c->state[CHECK_SIGNATURE] = CHECK_OK;
	free(d.payload);
	free(envelope);
	free(audit);
}

static bool is_envelope(const char *name)
{
	return strcmp(name, AUDIT_FILE) == 0 || strcmp(name, ENVELOPE_FILE) == 0;
}

/* outputs and logs may be empty; any other folder without a stated file was put there. */
static bool may_be_empty(const char *name)
{
	return strcmp(name, "outputs") == 0 || strcmp(name, "logs") == 0;
}

static void present(const struct subject *s, const char *name, const json_t *stated, struct check *c)
{
	const char *digest = json_string_value(json_object_get(stated, name));

	if (s->kind == SUBJECT_FOLDER) {
		if (!may_be_empty(s->name))
			check_find(
			    c, CHECK_DIGESTS, name, "is an empty folder that the statement knows nothing of");
	} else if (s->kind == SUBJECT_UNREADABLE) {
		check_find(c, CHECK_DIGESTS, name, "cannot be read: %s", strerror(s->error));
	} else if (s->kind == SUBJECT_IRREGULAR) {
		check_find(c, CHECK_DIGESTS, name, "is no regular file");
	} else if (is_envelope(s->name)) {
		return;
	} else if (!digest || strcmp(name, SUBMISSION_SUBJECT) == 0) {
		check_find(c, CHECK_DIGESTS, name, "is not in the statement");
	} else if (strcmp(digest, s->sha256) != 0) {
		check_find(c, CHECK_DIGESTS, name,
		    "is not what was stated: its sha256 is %.16s..., stated is %.16s...", s->sha256, digest);
	} else {
		c->files++;
	}
}

/* {name: digest} of the statement's subjects, each of which must have both and be named once. */
static json_t *subjects_stated(const json_t *list, struct check *c)
{
	json_t *stated = json_object();
	const json_t *row;
	size_t i;

	if (!json_is_array(list))
		check_find(c, CHECK_DIGESTS, AUDIT_FILE, "names no subjects");
	json_array_foreach(list, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "name"));
		json_t *digest = json_object_get(json_object_get(row, "digest"), "sha256");
		if (!name || !json_is_string(digest))
			check_find(c, CHECK_DIGESTS, AUDIT_FILE, "has a subject without a name or digest");
		else if (json_object_get(stated, name))
			check_find(c, CHECK_DIGESTS, name, "is named twice in the statement");
		else
			(void)json_object_set(stated, name, digest);
	}
	return stated;
}

/* Every stated name must be there, and every name that is there stated, with its digest. */
static void digests(const struct subjects *s, struct check *c)
{
	json_t *stated = subjects_stated(json_object_get(c->statement, "subject"), c), *digest;
	json_t *names = json_object();
	const char *key;

	for (size_t i = 0; i < s->count; i++) {
		json_t *name = canonical_name(s->list[i].name);
		if (name) {
			present(&s->list[i], json_string_value(name), stated, c);
			(void)json_object_set_new(names, json_string_value(name), json_true());
		}
		json_decref(name);
	}
	json_object_foreach(
	    stated, key, digest) if (strcmp(key, SUBMISSION_SUBJECT) != 0 && !json_object_get(names, key))
	    check_find(c, CHECK_DIGESTS, key, "is stated, but is not there");
	json_decref(names);
	json_decref(stated);
	if (c->state[CHECK_DIGESTS] == CHECK_NOT_DONE)
		c->state[CHECK_DIGESTS] = CHECK_OK;
}

int check_run(int folder, const struct signing_key *key, struct check *c, struct fault *fault)
{
	struct subjects s;
	int r;

	memset(c, 0, sizeof *c);
	r = subjects_walk(folder, &s);
	if (r == 0) {
		signature(folder, key, c);
		if (c->statement) {
			digests(&s, c);
			check_replay(folder, &s, c);
		}
	} else {
		fault_set(fault, VERDICT_NONE, "cannot read the run directory: %s", strerror(-r));
	}
	subjects_free(&s);
	return r < 0 ? -1 : 0;
}

void check_free(struct check *c)
{
	json_decref(c->statement);
	c->statement = NULL;
}
