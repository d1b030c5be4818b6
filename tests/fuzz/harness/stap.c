/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See stap.h. stap opens files for as long as it runs, which here is an input: the
 * linker's --wrap sees what is opened (Makefile), and harness_release() closes it. Files
 * that stap maps are read instead, so that a step over their end is seen at once.
 */
#include "harness/stap.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "stap/pass.h"

#define HANDLES	 256
#define FIRST_FD 200 /* the fuzzer's own are below */

static char dir[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void remove_dir(void)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_dir(void)
{
	strcpy(dir, access("/dev/shm", W_OK) ? "/tmp/fuzz.XXXXXX" : "/dev/shm/fuzz.XXXXXX");
	if (!mkdtemp(dir))
		abort();
	atexit(remove_dir);
	setenv("SYSTEMTAP_DIR", dir, 1);
	setenv("SYSTEMTAP_DEBUGINFO_PATH", "/nonexistent", 1);
	setenv("STAP_KERNELS", dir, 1);
	unsetenv("DEBUGINFOD_URLS");
	// What an input opens comes after this one.
	fcntl(STDERR_FILENO, F_DUPFD, FIRST_FD - 1);
}

const char *harness_path(const char *name)
{
	static char paths[2][PATH_MAX];
	static unsigned turn;

	if (!*dir)
		make_dir();
	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", dir, name);
	return paths[turn];
}

void harness_write(const char *name, const void *data, size_t size)
{
	int fd = open(harness_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

void harness_make_dirs(const char *name)
{
	char path[PATH_MAX];

	strcpy(path, harness_path(name));
	for (char *slash = path + strlen(dir); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

static void write_text(const char *name, const char *text)
{
	harness_write(name, text, strlen(text));
}

void harness_make_tree(void)
{
	harness_make_dirs(HARNESS_BUILD "include/config");
	harness_make_dirs(HARNESS_BUILD "include/generated");
	harness_make_dirs(HARNESS_BUILD "include/linux");
	harness_make_dirs(HARNESS_BUILD "include/trace/events");
	harness_make_dirs(HARNESS_BUILD "arch/x86/include/generated/asm");
	harness_make_dirs("tree/boot");
	write_text(HARNESS_BUILD "include/config/auto.conf", "CONFIG_X86_64=y\n");
	write_text(HARNESS_BUILD "include/generated/utsrelease.h",
		   "#define UTS_RELEASE \"" HARNESS_RELEASE "\"\n");
	setenv("STAP_KERNELS", harness_path("tree"), 1);
}

/* ---- what is opened ---- */

static Dwfl *dwfls[HANDLES];
static Elf *elfs[HANDLES];
static unsigned ndwfls, nelfs;

Dwfl *__real_dwfl_begin(const Dwfl_Callbacks *callbacks);
Dwfl *__wrap_dwfl_begin(const Dwfl_Callbacks *callbacks);
Elf *__real_elf_begin(int fd, Elf_Cmd cmd, Elf *of);
Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *of);
int __real_elf_end(Elf *elf);
int __wrap_elf_end(Elf *elf);
int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);

Dwfl *__wrap_dwfl_begin(const Dwfl_Callbacks *callbacks)
{
	Dwfl *ret = __real_dwfl_begin(callbacks);

	if (ret && ndwfls < HANDLES)
		dwfls[ndwfls++] = ret;
	return ret;
}

Elf *__wrap_elf_begin(int fd, Elf_Cmd cmd, Elf *of)
{
	Elf *ret = __real_elf_begin(fd, cmd, of);

	if (ret && nelfs < HANDLES)
		elfs[nelfs++] = ret;
	return ret;
}

int __wrap_elf_end(Elf *elf)
{
	for (unsigned i = 0; i < nelfs; i++)
		if (elfs[i] == elf)
			elfs[i] = elfs[--nelfs];
	return __real_elf_end(elf);
}

int __wrap_open(const char *path, int flags, mode_t mode)
{
	int fd = __real_open(path, flags, mode), high;

	if (fd < 0 || fd >= FIRST_FD)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
	close(fd);
	return high;
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	if (fd < 0)
		return __real_mmap(at, size, prot, flags, fd, offset);
	errno = ENODEV;
	return MAP_FAILED;
}

void harness_release(void)
{
	while (ndwfls)
		dwfl_end(dwfls[--ndwfls]);
	while (nelfs)
		__real_elf_end(elfs[--nelfs]);
	close_range(FIRST_FD, ~0u, 0);
}

/* ---- stap ---- */

static void count_words(const char *const *args, unsigned *ret)
{
	while (args[*ret])
		++*ret;
}

void harness_session(const char *const *args, void (*callback)(struct session *s, void *ctx),
		     void *ctx)
{
	struct arena *arena = arena_create();
	struct session s = { .arena = arena,
			     .data_dir = ".",
			     .bin_dir = ".",
			     .tmp_dir = arena_strdup(arena, harness_path("tmp")),
			     .program = program_create(arena) };
	struct options options;
	bool exit_now = false;
	unsigned n = 0;
	char **argv;

	count_words(args, &n);
	argv = arena_array(arena, char *, n + 2);
	argv[0] = "stap";
	for (unsigned i = 0; i < n; i++)
		argv[i + 1] = arena_strdup(arena, args[i]);
	harness_make_dirs("tmp");
	if (!options_parse(&s, (int)n + 1, argv, &options, &exit_now)) {
		s.options = &options;
		callback(&s, ctx);
	}
	arena_destroy(arena);
	harness_release();
}

static void run_passes(struct session *s, void *ctx)
{
	int status = 0;

	passes_run(s, &status);
}

void harness_stap(const char *const *args)
{
	harness_session(args, run_passes, NULL);
}
