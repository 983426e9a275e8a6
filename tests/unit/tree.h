/* Small made-up machines: a temporary directory with a few files of /sys and /proc in it. */
#ifndef WS_TESTS_UNIT_TREE_H
#define WS_TESTS_UNIT_TREE_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes an empty root; name gets its path. */
static inline void tree_new(char name[PATH_MAX])
{
	const char *const parent = getenv("TMPDIR");

	snprintf(name, PATH_MAX, "%s/wirespeed-test-XXXXXX", parent ? parent : "/tmp");
	assert_non_null(mkdtemp(name));
}

/* Makes the directories above root + path. */
static inline void tree_parents(const char *root, const char *path, char name[PATH_MAX])
{
	char *slash;

	assert_true(snprintf(name, PATH_MAX, "%s%s", root, path) < PATH_MAX);
	for (slash = strchr(name + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(name, 0755);
		*slash = '/';
	}
}

static inline void tree_put_bytes(const char *root, const char *path, const void *bytes, size_t size)
{
	char name[PATH_MAX];
	FILE *file;

	tree_parents(root, path, name);
	file = fopen(name, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void tree_put(const char *root, const char *path, const char *text)
{
	tree_put_bytes(root, path, text, strlen(text));
}

static inline void tree_link(const char *root, const char *path, const char *target)
{
	char name[PATH_MAX];

	tree_parents(root, path, name);
	assert_int_equal(symlink(target, name), 0);
}

static inline int tree_remove_one(const char *name, const struct stat *about, int flag, struct FTW *where)
{
	(void)about;
	(void)flag;
	(void)where;
	return remove(name);
}

static inline void tree_remove(const char *root)
{
	nftw(root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A root of its own for each test, which is its state. */
static inline int tree_setup(void **state)
{
	char *root = malloc(PATH_MAX);

	assert_non_null(root);
	tree_new(root);
	*state = root;
	return 0;
}

static inline int tree_teardown(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}

#endif
