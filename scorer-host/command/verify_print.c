/* Tells what `verify` found. Names and texts out of the evidence may be hostile: nothing unprintable goes to a screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/verify.h"
#include "evidence/canonical.h"

static const char came_along[] =
    "the key came with the run, and so may both be somebody else's; name the operator's with --key or --home";

static const char *stated(const struct check *c, const char *part, const char *key)
{
	const json_t *predicate = json_object_get(c->statement, "predicate");
	return json_string_value(json_object_get(json_object_get(predicate, part), key));
}

static void put(const char *text)
{
	for (; text && *text; text++)
		(void)putchar(*text >= 0x20 && *text < 0x7f ? *text : '?');
}

static void level(const struct verified *v, enum check_level l, const char *ok)
{
	(void)printf("  %-11s ", check_level_name(l));
	switch (v->check.state[l]) {
	case CHECK_OK:
		put(ok);
		break;
	case CHECK_FAILED:
		put("does not hold");
		break;
	case CHECK_NOT_DONE:
		put(l == CHECK_RECOMPUTED && !v->recompute ? "not asked for (--task DIR)"
		    : l == CHECK_RECOMPUTED && v->nothing  ? v->nothing
		    : l == CHECK_TRANSCRIPT		   ? "the session was not whole: nothing to replay"
							   : "not checked");
		break;
	}
	(void)putchar('\n');
}

void verify_print(const struct verified *v)
{
	const struct check *c = &v->check;
	char text[4352];
	int status = verify_exit(v);
	const char *id = stated(c, "run", "id"), *verdict = stated(c, "verdict", "code");
	bool scored = verdict && strcmp(verdict, verdict_name(VERDICT_SCORED)) == 0;

	(void)printf("%s   ", status == 0 ? "HOLDS" : status == 1 ? "BROKEN" : "UNCHECKED");
	put(id ? id : v->run);
	(void)printf("   ");
	put(verdict);
	(void)putchar('\n');
	(void)snprintf(text, sizeof text, "good, by key %.16s... of %s", v->keyid, v->key_path);
	level(v, CHECK_SIGNATURE, text);
	(void)snprintf(text, sizeof text, "%zu files are what was stated, and no other is there", c->files);
	level(v, CHECK_DIGESTS, text);
	(void)snprintf(text, sizeof text, "%llu frames verify and carry the stated record", c->frames);
	level(v, CHECK_TRANSCRIPT, text);
	level(v, CHECK_RECOMPUTED,
	    scored ? "the stored table gives the stored score again"
		   : "the stored table gives the stored verdict again");
	for (size_t i = 0; i < c->findings && i < FINDINGS; i++) {
		(void)printf("  ! ");
		put(c->finding[i].file);
		(void)printf("   ");
		put(c->finding[i].what);
		(void)putchar('\n');
	}
	if (c->findings > FINDINGS)
		(void)printf("  ! and %zu more\n", c->findings - FINDINGS);
	if (v->came_along)
		(void)printf("  ? %s\n", came_along);
	if (v->cannot[0]) {
		(void)printf("  ? ");
		put(v->cannot);
		(void)putchar('\n');
	}
}

void verify_print_json(const struct verified *v)
{
	static const char *const states[] = {"not checked", "ok", "failed"};
	const struct check *c = &v->check;
	json_t *root = json_object(), *levels = json_object(), *list = json_array();
	int failed = 0;
	size_t n;
	char *text;

	for (int l = 0; l < CHECK_LEVELS; l++)
		canonical_put(levels, check_level_name((enum check_level)l),
		    json_string(l == CHECK_RECOMPUTED && v->nothing && c->state[l] == CHECK_NOT_DONE
				    ? "nothing to check"
				    : states[c->state[l]]),
		    &failed);
	for (size_t i = 0; i < c->findings && i < FINDINGS; i++) {
		json_t *one = json_object();
		canonical_put(one, "level", json_string(check_level_name(c->finding[i].level)), &failed);
		canonical_put(one, "file", canonical_text(c->finding[i].file), &failed);
		canonical_put(one, "what", canonical_text(c->finding[i].what), &failed);
		if (json_array_append_new(list, one) < 0)
			failed = 1;
	}
	canonical_put(root, "schema", json_string("urn:proctor:verify:1"), &failed);
	canonical_put(root, "run", canonical_text(stated(c, "run", "id")), &failed);
	canonical_put(root, "exit", json_integer(verify_exit(v)), &failed);
	canonical_put(root, "verdict", canonical_text(stated(c, "verdict", "code")), &failed);
	canonical_put(root, "keyid", v->keyid[0] ? json_string(v->keyid) : json_null(), &failed);
	canonical_put(root, "levels", levels, &failed);
	canonical_put(root, "findings", list, &failed);
	canonical_put(root, "cannot",
	    v->cannot[0]    ? canonical_text(v->cannot)
	    : v->came_along ? json_string(came_along)
			    : json_null(),
	    &failed);
	text = failed ? NULL : canonical_encode(root, &n);
	(void)fputs(text ? text : "{}\n", stdout);
	free(text);
	json_decref(root);
}
