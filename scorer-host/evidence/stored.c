/* Reads a run's own documents back. */
#include "evidence/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/canonical.h"
#include "evidence/dsse.h"
#include "evidence/statement.h"
#include "evidence/view.h"
#include "judge/record.h"
#include "sys/digest.h"
#include "sys/files.h"

enum { DOCUMENT_MAX = 64 << 20 };

/* The file's bytes for free(3), or NULL with a fault. */
static char *document(int folder, const char *path, const char *name, size_t *n, struct fault *fault)
{
	int fd = open_beneath(folder, name, O_RDONLY | O_NONBLOCK, 0);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	char *bytes = size >= 0 && size < DOCUMENT_MAX ? malloc((size_t)size + 2) : NULL;
	ssize_t r = fd < 0 ? fd : !bytes ? -EFBIG : file_read(folder, name, bytes, (size_t)size + 2);

	if (fd >= 0)
		(void)close(fd);
	if (r >= 0) {
		*n = (size_t)r;
		return bytes;
	}
	(void)fault_set(fault, VERDICT_NONE, "%s/%s: %s", path, name, strerror((int)-r));
	free(bytes);
	return NULL;
}

static int distrust(const char *path, const char *name, const char *why, struct fault *fault)
{
	(void)fault_set(fault, VERDICT_NONE, "%s/%s %s", path, name, why);
	return fault_hint(fault, "scorer-host verify %s names all that is wrong", path);
}

static int signed_by(int folder, const char *path, const struct signing_key *key, const char *audit, size_t n,
    struct fault *fault)
{
	size_t length;
	char *envelope = document(folder, path, ENVELOPE_FILE, &length, fault);
	struct dsse d = {0};
	int r = 0;

	if (!envelope)
		return -1;
	if (dsse_open(envelope, length, &d) < 0 || !dsse_signs(&d, key, audit, n))
		r = distrust(path, AUDIT_FILE, "does not carry this key's signature", fault);
	free(d.payload);
	free(envelope);
	return r;
}

static const char *stated_digest(const json_t *statement, const char *name)
{
	const json_t *subject;
	size_t i;

	json_array_foreach(json_object_get(statement, "subject"), i, subject)
	{
		const char *found = json_string_value(json_object_get(subject, "name"));
		if (found && strcmp(found, name) == 0)
			return json_string_value(
			    json_object_get(json_object_get(subject, "digest"), "sha256"));
	}
	return NULL;
}

static json_t *held(
    int folder, const char *path, const char *name, const json_t *statement, struct fault *fault)
{
	const char *stated = stated_digest(statement, name);
	char hex[DIGEST_HEX];
	size_t n;
	char *bytes = document(folder, path, name, &n, fault);
	json_t *value = NULL;

	if (!bytes)
		return NULL;
	digest_bytes(bytes, n, hex);
	if (!stated || strcmp(stated, hex) != 0)
		(void)distrust(path, name, "is not the one that was stated", fault);
	else if (!(value = canonical_decode(bytes, n)))
		(void)distrust(path, name, "is not in its one encoding", fault);
	free(bytes);
	return value;
}

int stored_read(const char *folder, const struct signing_key *key, struct stored *s, struct fault *fault)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
	const char *verdict;
	char *audit = NULL;
	size_t n = 0;

	memset(s, 0, sizeof *s);
	if (at < 0)
		return fault_set(fault, VERDICT_NONE, "%s: %s", folder, strerror(errno));
	audit = document(at, folder, AUDIT_FILE, &n, fault);
	r = !audit ? -1 : key ? signed_by(at, folder, key, audit, n, fault) : 0;
	if (r == 0) {
		s->statement = canonical_decode(audit, n);
		verdict = stored_text(s, "verdict", "code");
		s->verdict = verdict ? verdict_from_name(verdict) : VERDICT_NONE;
		if (s->verdict == VERDICT_NONE)
			r = distrust(folder, AUDIT_FILE, "states no verdict", fault);
	}
	if (r == 0)
		r = (s->participant = held(at, folder, PARTICIPANT_FILE, s->statement, fault)) ? 0 : -1;
	if (r == 0 && stated_digest(s->statement, SCORE_FILE))
		r = (s->score = held(at, folder, SCORE_FILE, s->statement, fault)) ? 0 : -1;
	free(audit);
	(void)close(at);
	return r;
}

void stored_free(struct stored *s)
{
	json_decref(s->statement);
	json_decref(s->score);
	json_decref(s->participant);
	memset(s, 0, sizeof *s);
}

const char *stored_text(const struct stored *s, const char *part, const char *key)
{
	const json_t *predicate = json_object_get(s->statement, "predicate");
	return json_string_value(json_object_get(json_object_get(predicate, part), key));
}

const json_t *stored_stage(const struct stored *s)
{
	return json_array_get(json_object_get(json_object_get(s->statement, "predicate"), "stages"), 0);
}

unsigned stored_notes(const struct stored *s)
{
	const json_t *stage = stored_stage(s), *logs = json_object_get(stage, "logs"),
		     *table = json_object_get(json_object_get(s->score, "table"), "notes");
	unsigned notes = 0;
	struct record record;
	struct fault fault;
	size_t i;

	if (record_read(json_object_get(stage, "record"), &record, &fault) == 0)
		notes |= record_notes(&record);
	if (json_array_size(json_object_get(stage, "refused")) > 0)
		notes |= NOTE_REFUSED_FILES;
	for (i = 0; i < json_array_size(logs); i++) {
		const json_t *log = json_array_get(logs, i);
		if (json_integer_value(json_object_get(log, "kept")) <
		    json_integer_value(json_object_get(log, "bytes")))
			notes |= NOTE_LOG_TRUNCATED;
	}
	for (i = 0; i < json_array_size(table); i++) {
		const char *note = json_string_value(json_array_get(table, i));
		if (note && strcmp(note, "bom") == 0)
			notes |= NOTE_BOM;
	}
	return notes;
}

/* A copy of what stands there, or that instead, which is taken over. */
static json_t *copy_or(const json_t *value, json_t *instead)
{
	if (!value || json_is_null(value))
		return instead;
	json_decref(instead);
	return json_deep_copy(value);
}

static json_t *metrics(const struct stored *s)
{
	json_t *list = json_array();
	const json_t *metric;
	int failed = 0;
	size_t i;

	if (s->verdict != VERDICT_SCORED)
		return list;
	json_array_foreach(json_object_get(s->score, "metrics"), i, metric)
	{
		json_t *one = json_object();
		canonical_put(one, "name", copy_or(json_object_get(metric, "name"), json_null()), &failed);
		canonical_put(one, "value", copy_or(json_object_get(metric, "value"), json_null()), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	return view_done(list, failed);
}

static json_t *task(const struct stored *s)
{
	json_t *whole = json_object_get(json_object_get(s->statement, "predicate"), "task"), *root;
	static const char *const keys[] = {"name", "version", "sha256"};
	int failed = 0;

	if (!json_is_object(whole))
		return json_null();
	root = json_object();
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		canonical_put(root, keys[i], copy_or(json_object_get(whole, keys[i]), json_null()), &failed);
	return view_done(root, failed);
}

json_t *stored_json(const struct stored *s, const char *folder)
{
	const json_t *record = json_object_get(stored_stage(s), "record");
	enum verdict_class class = verdict_class(s->verdict);
	json_t *root = json_object();
	int failed = 0;

	canonical_put(root, "schema", json_string("urn:proctor:run:1"), &failed);
	canonical_put(root, "run", canonical_text(stored_text(s, "run", "id")), &failed);
	canonical_put(root, "submission", canonical_text(stored_text(s, "run", "submission")), &failed);
	canonical_put(root, "exit", json_integer(verdict_exit(s->verdict)), &failed);
	canonical_put(root, "verdict", canonical_text(verdict_name(s->verdict)), &failed);
	canonical_put(root, "class", json_string(verdict_class_name(class)), &failed);
	canonical_put(root, "cause", copy_or(json_object_get(record, "cause"), json_null()), &failed);
	canonical_put(root, "task", task(s), &failed);
	canonical_put(root, "metrics", metrics(s), &failed);
	canonical_put(root, "layers", copy_or(json_object_get(record, "layers"), json_array()), &failed);
	canonical_put(root, "usage", copy_or(json_object_get(record, "usage"), json_object()), &failed);
	canonical_put(root, "notes", view_notes(stored_notes(s)), &failed);
	canonical_put(root, "participant", copy_or(s->participant, json_null()), &failed);
	canonical_put(root, "evidence", canonical_text(folder), &failed);
	canonical_put(
	    root, "retry", json_boolean(fault_retry(&(struct fault){.verdict = s->verdict})), &failed);
	canonical_put(root, "operator", canonical_text(stored_text(s, "verdict", "operator")), &failed);
	if (stored_text(s, "run", "rescores"))
		canonical_put(root, "rescores", canonical_text(stored_text(s, "run", "rescores")), &failed);
	return view_done(root, failed);
}
