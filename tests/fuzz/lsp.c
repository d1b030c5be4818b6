/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into stap --language-server: the input is what an editor writes. In
 * an input without "Content-Length", NUL ends each message, and the lengths are put in
 * front.
 *
 * Questions that the server answers in a child are answered here, with a session that is
 * made anew, so that the fuzzer sees how far they come. An answer that cannot be put
 * together, because a text in it is no UTF-8, is a finding.
 */
#include <setjmp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ast/program.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "harness/stap.h"
#include "lib/subprocess.h"
#include "stap/lsp/lsp.h"

static jmp_buf back;
static pid_t begin_child(struct lsp *l);

/* The first return is the child's, the second the parent's, which waits for nobody. */
#define fork()		    (setjmp(back) ? 1 : begin_child(l))
#define _exit(status)	    longjmp(back, 1)
#define subprocess_end(pid) 0
#include "stap/lsp/server.c"
#undef fork
#undef _exit

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
char *__real_json_dumps(const json_t *json, size_t flags);
char *__wrap_json_dumps(const json_t *json, size_t flags);
int __real_json_array_append_new(json_t *array, json_t *value);
int __wrap_json_array_append_new(json_t *array, json_t *value);
struct error *__wrap_subprocess_run(struct arena *a, const char *dir, char *const argv[],
				    bool capture, struct process_result *ret);

char *__wrap_json_dumps(const json_t *json, size_t flags)
{
	if (!json)
		abort();
	return __real_json_dumps(json, flags);
}

int __wrap_json_array_append_new(json_t *array, json_t *value)
{
	if (!value)
		abort();
	return __real_json_array_append_new(array, value);
}

/* Another stap, which is asked for points and variables, is not run. */
struct error *__wrap_subprocess_run(struct arena *a, const char *dir, char *const argv[],
				    bool capture, struct process_result *ret)
{
	*ret = (struct process_result){
		.output = "kernel.function(\"vfs_read@fs/read_write.c:450\") $file:struct file* "
			  "$buf:char const* $count:size_t\n"
			  "process(\"/a b\").mark(\"m\") $arg1:long\n"
	};
	return NULL;
}

static pid_t begin_child(struct lsp *l)
{
	struct session *s = l->s;

	*s = (struct session){ .arena = s->arena,
			       .options = s->options,
			       .data_dir = s->data_dir,
			       .bin_dir = s->bin_dir,
			       .tmp_dir = s->tmp_dir,
			       .program = program_create(s->arena),
			       .quiet = true };
	tapset_open(s);
	return 0;
}

/* Writes the messages, each behind its length. */
static void write_framed(int fd, const uint8_t *data, size_t size)
{
	for (const uint8_t *end = data + size, *next; data < end; data = next + 1) {
		next = memchr(data, 0, (size_t)(end - data));
		next = next ? next : end;
		dprintf(fd, "Content-Length: %zu\r\n\r\n%.*s", (size_t)(next - data),
			(int)(next - data), (const char *)data);
	}
}

static void serve(struct session *s, void *ctx)
{
	int status = 0;

	lsp_serve(s, &status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "--language-server", "--runtime=user", NULL };
	int fd = memfd_create("editor", 0);

	if (memmem(data, size, "ontent-", 7)) {
		if (write(fd, data, size) != (ssize_t)size)
			abort();
	} else {
		write_framed(fd, data, size);
	}
	lseek(fd, 0, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	close(fd);
	harness_session(args, serve, NULL);
	return 0;
}
