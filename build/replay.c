/*
 * Stands in for libFuzzer: feeds every file of the given folders to the fuzz target once, so that inputs that once
 * found something are tried on every check, with any compiler. Must never skip a file silently.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *path)
{
	fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
	exit(1);
}

/* The bytes are copied to a block of exactly their size, so that a read past the end is seen. */
static void replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	long size = -1;
	uint8_t *data;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 ||
	    fseek(file, 0, SEEK_SET) != 0)
		fail(path);
	data = malloc(size ? (size_t)size : 1);
	if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
		fail(path);
	fclose(file);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
}

static unsigned replay_folder(const char *folder)
{
	struct dirent **entries;
	char path[4096];
	unsigned files = 0;
	int count = scandir(folder, &entries, NULL, alphasort);

	if (count < 0)
		fail(folder);
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.') {
			if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) >=
			    (int)sizeof path)
				fail(folder);
			replay_file(path);
			files++;
		}
		free(entries[i]);
	}
	free(entries);
	return files;
}

int main(int argc, char **argv)
{
	unsigned files = 0;

	for (int i = 1; i < argc; i++)
		files += replay_folder(argv[i]);
	if (files == 0) {
		fprintf(stderr, "replay: no input found\n");
		return 1;
	}
	return 0;
}
