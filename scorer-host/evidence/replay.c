/* The replay of a run's transcript, and the statement's claims about its own files. */
#include "evidence/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/statement.h"
#include "judge/transcript.h"
#include "sys/files.h"

enum { PIECE = 64 << 10 };

/* Feeds the file; the replay's own state says how it went. 0 or -errno of reading. */
static int feed(int folder, struct transcript *t)
{
	uint8_t *piece = malloc(PIECE);
	int fd = open_beneath(folder, TRANSCRIPT_FILE, O_RDONLY | O_NONBLOCK, 0), r = fd < 0 ? fd : 0;
	ssize_t n = piece ? 1 : 0;

	if (!piece && r == 0)
		r = -ENOMEM;
	while (r == 0 && n > 0) {
		n = read(fd, piece, PIECE);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n < 0)
			r = -errno;
		else if (n > 0 && transcript_feed(t, piece, (size_t)n) < 0)
			n = 0;
	}
	if (fd >= 0)
		(void)close(fd);
	if (piece)
		explicit_bzero(piece, PIECE);
	free(piece);
	return r;
}

static bool same_json(const uint8_t *bytes, size_t n, const json_t *stated)
{
	json_t *value = json_loadb((const char *)bytes, n, JSON_REJECT_DUPLICATES, NULL);
	bool same = value && json_equal(value, stated);
	json_decref(value);
	return same;
}

static bool same_logs(const struct transcript *t, const json_t *logs)
{
	for (size_t i = 0; i < 2; i++) {
		const json_t *kept = json_object_get(json_array_get(logs, i), "kept");
		if (!json_is_integer(kept) || (uint64_t)json_integer_value(kept) != t->kept[i])
			return false;
	}
	return true;
}

static void compare(const struct transcript *t, const json_t *predicate, const json_t *stage, struct check *c)
{
	const char *id = json_string_value(json_object_get(json_object_get(predicate, "run"), "id"));
	const json_t *frames = json_object_get(json_object_get(predicate, "transcript"), "frames");

	if (!same_json(t->record, t->record_length, json_object_get(stage, "record")))
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "carries another record than the statement");
	if (!same_json(t->hello, t->hello_length, json_object_get(stage, "facts")))
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "carries other facts than the statement");
	if (!id || strcmp(id, t->run) != 0)
		check_find(
		    c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "is of the run %.64s, not of this one", t->run);
	if (!same_logs(t, json_object_get(stage, "logs")))
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE,
		    "carries %llu and %llu bytes of logs, not what is stated", (unsigned long long)t->kept[0],
		    (unsigned long long)t->kept[1]);
	if (!json_is_integer(frames) || (uint64_t)json_integer_value(frames) != t->session.frames)
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "has %llu frames, not as many as are stated",
		    (unsigned long long)t->session.frames);
	c->frames = t->session.frames;
}

/* A digest that the predicate repeats must be that of the file; null says nothing. */
static void repeated(const json_t *object, const char *file, const struct subjects *s, struct check *c)
{
	const char *digest = json_string_value(json_object_get(object, "sha256"));
	const struct subject *is = subjects_find(s, file);

	if (digest && (!is || is->kind != SUBJECT_FILE || strcmp(is->sha256, digest) != 0))
		check_find(c, CHECK_DIGESTS, file,
		    is ? "is not the one that the run names" : "is named by the run, but is not there");
}

void check_replay(int folder, const struct subjects *s, struct check *c)
{
	const json_t *predicate = json_object_get(c->statement, "predicate");
	const json_t *stage = json_array_get(json_object_get(predicate, "stages"), 0);
	const json_t *whole = json_object_get(json_object_get(stage, "observed"), "session_whole");
	const char *verdict =
	    json_string_value(json_object_get(json_object_get(predicate, "verdict"), "code"));
	struct transcript *t;
	int r;

	repeated(json_object_get(predicate, "task"), TASK_FILE, s, c);
	repeated(json_object_get(predicate, "transcript"), TRANSCRIPT_FILE, s, c);
	if (verdict && strcmp(verdict, verdict_name(VERDICT_SCORED)) == 0 && !subjects_find(s, SCORE_FILE))
		check_find(c, CHECK_DIGESTS, SCORE_FILE, "is not there, though the run is stated as scored");
	if (!json_is_true(whole))
		return;
	t = malloc(sizeof *t);
	if (!t) {
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "no memory to replay it");
		return;
	}
	transcript_start(t);
	r = feed(folder, t);
	if (r < 0)
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE, "cannot be read: %s", strerror(-r));
	else if (transcript_end(t) < 0)
		check_find(c, CHECK_TRANSCRIPT, TRANSCRIPT_FILE,
		    "does not verify under its key after %llu frames", (unsigned long long)t->session.frames);
	else
		compare(t, predicate, stage, c);
	if (c->state[CHECK_TRANSCRIPT] == CHECK_NOT_DONE)
		c->state[CHECK_TRANSCRIPT] = CHECK_OK;
	transcript_wipe(t);
	free(t);
}
