/* `verify` over a made-up run: after one byte of any file is changed it fails and names the file; and all its other ways out. */
#include "host_verify.h"

static void holds(void **state)
{
	(void)state;
	assert_int_equal(plain(), 0);
	assert_non_null(strstr(said, "HOLDS   " SESSION_RUN "   SCORED"));
	assert_non_null(strstr(said, "8 files"));
	assert_non_null(strstr(said, "8 frames"));
	assert_int_equal(verify("--key", made_path(&m, "", "operator.pub"), NULL, NULL, NULL), 0);
	assert_int_equal(verify("--home", m.home, NULL, NULL, NULL), 0);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "again"));
	assert_int_equal(verify("--json", NULL, NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "urn:proctor:verify:1"));
	assert_non_null(strstr(said, "\"recomputed\": \"not checked\""));
}

static void second_opinion(void **state)
{
	(void)state;
	assert_int_equal(
	    program("python3", "tests/evidence/verify.py", m.folder, made_path(&m, "", "operator.pub"), NULL),
	    0);
}

/* Nested folders and files with the longest names of what is written longest, until intake refuses more of them. */
static void name_hostile_files(int tree)
{
	char name[256] = "", file[256];
	int at = fcntl(tree, F_DUPFD_CLOEXEC, 3), next;

	for (int i = 0; i < 126; i++)
		strcat(name, "\xc3\xa9");
	for (int i = 0; i < 14; i++) {
		assert_int_equal(mkdirat(at, name, 0700), 0);
		next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		(void)close(at);
		at = next;
	}
	for (int i = 0; i < 700; i++) {
		(void)snprintf(file, sizeof file, "%.230s%d", name, i);
		assert_int_equal(file_write(at, file, "", 0, 0600), 0);
	}
	(void)close(at);
	assert_int_equal(file_write(tree, "predictions.csv", MADE_TABLE, strlen(MADE_TABLE), 0600), 0);
}

/* What evidence_write writes of what intake takes fits the reserve, and verify reads it, whatever the names are. */
static void the_longest_names(void **state)
{
	static const char *const documents[] = {
	    "audit.json", "audit.dsse.json", "participant.json", "score.json"};
	struct output out;
	struct fault fault;
	struct stat st;
	off_t all = 0;
	int tree, into;

	(void)state;
	assert_int_equal(mkdir(made_path(&m, "tree", ""), 0700), 0);
	tree = open(made_path(&m, "tree", ""), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	name_hostile_files(tree);
	assert_int_equal(folder_remove(m.run.folder_fd, "outputs"), 0);
	assert_int_equal(mkdirat(m.run.folder_fd, "outputs", 0700), 0);
	into = openat(m.run.folder_fd, "outputs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(output_take(tree, into, "predictions.csv", 1 << 20, 1000, &out, &fault), 0);
	(void)close(tree);
	(void)close(into);
	assert_in_range(out.taken, 400, 600);
	assert_in_range(out.refused_count, 1, 20);
	assert_int_equal(out.taken + out.refused_all, 701);
	m.run.stage.refused = out.refused;
	m.run.stage.refused_count = out.refused_count;
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		assert_int_equal(fstatat(m.run.folder_fd, documents[i], &st, 0), 0);
		all += (st.st_size + 4095) / 4096 * 4096;
	}
	assert_in_range(all, 16 << 20, EVIDENCE_RESERVE_BYTES);
	assert_int_equal(verify("--home", m.home, NULL, NULL, NULL), 0);

	output_free(&out);
	assert_int_equal(folder_remove(m.run.folder_fd, "outputs"), 0);
	assert_int_equal(mkdirat(m.run.folder_fd, "outputs", 0700), 0);
	made_file(&m, "runs/" SESSION_RUN "/outputs/", "predictions.csv", MADE_TABLE);
	m.run.stage.refused = m.refused;
	m.run.stage.refused_count = 1;
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
}

static const char *const files[] = {"audit.json", "audit.dsse.json", "score.json", "participant.json",
    "task.yaml", "task.lock", "transcript.bin", "logs/stdout", "logs/stderr", "outputs/predictions.csv"};
enum { FILES = sizeof files / sizeof *files };

/* Every byte of every file; the larger ones at every step-th byte, each time another bit. */
static void every_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < FILES; i++) {
		int fd = openat(m.run.folder_fd, files[i], O_RDWR | O_CLOEXEC);
		off_t size = lseek(fd, 0, SEEK_END), step = size / 400 + 1;

		assert_true(fd >= 0 && size > 0);
		for (off_t at = 0; at < size; at += step) {
			uint8_t was, is;
			assert_int_equal(pread(fd, &was, 1, at), 1);
			is = was ^ (uint8_t)(1 << (at / step % 8));
			assert_int_equal(pwrite(fd, &is, 1, at), 1);
			if (!found(files[i]))
				fail_msg("byte %lld of %s: not found", (long long)at, files[i]);
			assert_int_equal(pwrite(fd, &was, 1, at), 1);
		}
		assert_int_equal(close(fd), 0);
	}
	assert_int_equal(plain(), 0);
}

/* One byte of each through the command itself, and the other program agrees. */
static void command_names_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < FILES; i++) {
		int fd = openat(m.run.folder_fd, files[i], O_RDWR | O_CLOEXEC);
		off_t middle = lseek(fd, 0, SEEK_END) / 2;
		char was, is;

		assert_int_equal(pread(fd, &was, 1, middle), 1);
		is = (char)(was ^ 1);
		assert_int_equal(pwrite(fd, &is, 1, middle), 1);
		assert_int_equal(plain(), 1);
		assert_non_null(strstr(said, "BROKEN"));
		if (!strstr(said, files[i]))
			fail_msg("%s is not named in:\n%s", files[i], said);
		assert_int_equal(program("python3", "tests/evidence/verify.py", m.folder,
				     made_path(&m, "", "operator.pub"), NULL),
		    1);
		/* Without a key the change shows all the same. */
		assert_int_equal(verify("--home", "/nonexistent", NULL, NULL, NULL), 1);
		assert_non_null(strstr(said, "not checked"));
		assert_int_equal(pwrite(fd, &was, 1, middle), 1);
		assert_int_equal(close(fd), 0);
	}
}

static void cut_and_longer(void **state)
{
	(void)state;
	for (size_t i = 0; i < FILES; i++) {
		int fd = openat(m.run.folder_fd, files[i], O_RDWR | O_CLOEXEC);
		off_t size = lseek(fd, 0, SEEK_END);
		char last;

		assert_int_equal(pread(fd, &last, 1, size - 1), 1);
		assert_int_equal(ftruncate(fd, size - 1), 0);
		assert_true(found(files[i]));
		assert_int_equal(pwrite(fd, &last, 1, size - 1), 1);
		assert_int_equal(pwrite(fd, "\n", 1, size), 1);
		assert_true(found(files[i]));
		assert_int_equal(ftruncate(fd, size), 0);
		assert_int_equal(close(fd), 0);
	}
}

static void gone_and_new(void **state)
{
	char aside[160];
	int fd;

	(void)state;
	(void)snprintf(aside, sizeof aside, "%s/aside", m.home);
	for (size_t i = 0; i < FILES; i++) {
		assert_int_equal(renameat(m.run.folder_fd, files[i], AT_FDCWD, aside), 0);
		assert_true(found(files[i]));
		assert_int_equal(symlinkat(aside, m.run.folder_fd, files[i]), 0);
		assert_true(found(files[i])); /* the right bytes, by a link */
		assert_int_equal(unlinkat(m.run.folder_fd, files[i], 0), 0);
		assert_int_equal(renameat(AT_FDCWD, aside, m.run.folder_fd, files[i]), 0);
	}
	static const char *const extra[] = {
	    "extra", ".reserve", "submission", "logs/.hidden", "outputs/a b\x1b[m"};
	static const char *const shown[] = {
	    "extra", ".reserve", "submission", "logs/.hidden", "outputs/a b\\x1b[m"};
	for (size_t i = 0; i < sizeof extra / sizeof *extra; i++) {
		fd = openat(m.run.folder_fd, extra[i], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(close(fd), 0);
		assert_true(found(shown[i]));
		assert_int_equal(unlinkat(m.run.folder_fd, extra[i], 0), 0);
	}
	assert_int_equal(mkdirat(m.run.folder_fd, "more", 0700), 0);
	assert_true(found("more"));
	assert_int_equal(unlinkat(m.run.folder_fd, "more", AT_REMOVEDIR), 0);
	assert_int_equal(mkfifoat(m.run.folder_fd, "pipe", 0600), 0);
	assert_true(found("pipe"));
	assert_int_equal(unlinkat(m.run.folder_fd, "pipe", 0), 0);
	assert_int_equal(plain(), 0);
}

static void other_key(void **state)
{
	struct signing_key key;
	struct fault fault;

	(void)state;
	assert_int_equal(key_generate(made_path(&m, "", "other.key"), NULL, &key, &fault), 0);
	assert_int_equal(verify("--key", made_path(&m, "", "other.pub"), NULL, NULL, NULL), 1);
	assert_non_null(strstr(said, "audit.dsse.json"));
	/* Signed over again by somebody else: whole in itself, but not the operator's. */
	assert_int_equal(evidence_write(&m.run, &key, &fault), 0);
	assert_int_equal(plain(), 1);
	assert_int_equal(verify("--key", made_path(&m, "", "other.pub"), NULL, NULL, NULL), 0);
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	assert_int_equal(plain(), 0);
}

static void no_key(void **state)
{
	(void)state;
	assert_int_equal(rename(made_path(&m, "", "operator.pub"), made_path(&m, "", "away")), 0);
	assert_int_equal(plain(), 3);
	assert_non_null(strstr(said, "the signature was not checked"));
	assert_int_equal(verify("--key", "/nonexistent", NULL, NULL, NULL), 2);
	assert_int_equal(rename(made_path(&m, "", "away"), made_path(&m, "", "operator.pub")), 0);
}

/* A key that lies beside the run without its private half may be of whoever signed the run anew. */
static void a_key_that_came_with_the_run(void **state)
{
	struct signing_key key;
	struct fault fault;

	(void)state;
	assert_int_equal(setenv("PROCTOR_HOME", "/nonexistent", 1), 0);
	assert_int_equal(plain(), 0); /* the operator's own home */
	assert_int_equal(rename(made_path(&m, "", "operator.key"), made_path(&m, "", "away")), 0);
	assert_int_equal(plain(), 3);
	assert_non_null(strstr(said, "UNCHECKED"));
	assert_non_null(strstr(said, "? the key came with the run"));
	assert_int_equal(verify("--json", NULL, NULL, NULL, NULL), 3);
	assert_non_null(strstr(said, "the key came with the run"));
	assert_int_equal(verify("--home", m.home, NULL, NULL, NULL), 0);
	assert_int_equal(verify("--key", made_path(&m, "", "operator.pub"), NULL, NULL, NULL), 0);
	assert_int_equal(setenv("PROCTOR_HOME", m.home, 1), 0);
	assert_int_equal(plain(), 0);
	/* The same key in a home elsewhere is as good; another key, or another's private half, is not. */
	assert_int_equal(mkdir(made_path(&m, "elsewhere", ""), 0700), 0);
	assert_int_equal(setenv("PROCTOR_HOME", made_path(&m, "elsewhere", ""), 1), 0);
	assert_int_equal(plain(), 3);
	assert_int_equal(
	    link(made_path(&m, "", "operator.pub"), made_path(&m, "elsewhere/", "operator.pub")), 0);
	assert_int_equal(plain(), 0);
	assert_int_equal(unlink(made_path(&m, "elsewhere/", "operator.pub")), 0);
	assert_int_equal(key_generate(made_path(&m, "elsewhere/", "operator.key"), NULL, &key, &fault), 0);
	assert_int_equal(plain(), 3);
	assert_int_equal(
	    link(made_path(&m, "elsewhere/", "operator.key"), made_path(&m, "", "operator.key")), 0);
	assert_int_equal(plain(), 3);
	assert_int_equal(unlink(made_path(&m, "", "operator.key")), 0);
	/* Open to others, it is nobody's own. */
	assert_int_equal(rename(made_path(&m, "", "away"), made_path(&m, "", "operator.key")), 0);
	assert_int_equal(chmod(made_path(&m, "", "operator.key"), 0644), 0);
	assert_int_equal(plain(), 3);
	assert_int_equal(chmod(made_path(&m, "", "operator.key"), 0600), 0);
	assert_int_equal(plain(), 0);
	/* What does not hold stays a finding. */
	made_file(&m, "runs/" SESSION_RUN "/", "extra", "");
	assert_int_equal(chmod(made_path(&m, "", "operator.key"), 0644), 0);
	assert_int_equal(plain(), 1);
	assert_int_equal(unlink(made_path(&m, "runs/" SESSION_RUN "/", "extra")), 0);
	assert_int_equal(chmod(made_path(&m, "", "operator.key"), 0600), 0);
	assert_int_equal(unsetenv("PROCTOR_HOME"), 0);
}
static void usage(void **state)
{
	char *none[] = {(char[]){"verify"}, NULL},
	     *unknown[] = {(char[]){"verify"}, (char[]){"--what"}, NULL},
	     *two[] = {(char[]){"verify"}, (char[]){"a"}, (char[]){"b"}, NULL},
	     *value[] = {(char[]){"verify"}, (char[]){"a"}, (char[]){"--key"}, NULL},
	     *absent[] = {(char[]){"verify"}, (char[]){"/nonexistent"}, NULL},
	     *no_run[] = {(char[]){"verify"}, (char[]){"/proc"}, NULL},
	     *file[] = {(char[]){"verify"}, (char[]){"/proc/mounts"}, NULL};

	(void)state;
	assert_int_equal(command_verify(1, none), 2);
	assert_int_equal(command_verify(2, unknown), 2);
	assert_int_equal(command_verify(3, two), 2);
	assert_int_equal(command_verify(3, value), 2);
	assert_int_equal(command_verify(2, absent), 2);
	assert_int_equal(command_verify(2, no_run), 2);
	assert_int_equal(command_verify(2, file), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(holds),
	    cmocka_unit_test(second_opinion),
	    cmocka_unit_test(the_longest_names),
	    cmocka_unit_test(every_byte),
	    cmocka_unit_test(command_names_it),
	    cmocka_unit_test(cut_and_longer),
	    cmocka_unit_test(gone_and_new),
	    cmocka_unit_test(other_key),
	    cmocka_unit_test(no_key),
	    cmocka_unit_test(a_key_that_came_with_the_run),
	    cmocka_unit_test(usage),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
