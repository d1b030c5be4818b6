/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostlines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/filename.h"
#include "lib/outfile.h"
#include "lib/printable.h"
#include "stap/remote/hostmonitor.h"
#include "trace/output.h"

#define PAGE_LINE 16000 /* bytes of a line for --page-hosts */

/* ---- files ---- */

static struct error *open_file(struct remote *r, const char *path, int *ret)
{
	struct outfile f;
	int rc = outfile_open(&f, path, 0666);

	if (rc)
		return error_create(r->s->arena, ERROR_ENVIRONMENT, "%s: %s", path,
				    outfile_error(&f, rc));
	close(f.dir);
	*ret = f.fd;
	return NULL;
}

/* Names the machine's file: the %h in it is the name that the user gave. */
static struct error *name_file(struct remote *r, const struct host *h, struct filename *ret)
{
	const char *module = strrchr(h->module, '/') + 1, *pattern = r->s->options->output,
		   *why = filename_check(pattern, false);

	*ret = (struct filename){
		.pattern = pattern,
		.module = arena_strndup(r->s->arena, module, strcspn(module, ".")),
		.cpu = -1,
	};
	strncpy(ret->host, h->name, sizeof(ret->host) - 1);
	return why ? error_create(r->s->arena, ERROR_USAGE, "-o %s: %s", pattern, why) : NULL;
}

static struct error *expand(struct remote *r, const struct filename *name, char ret[PATH_MAX])
{
	return filename_expand(name, time(NULL), ret)
		       ? error_create(r->s->arena, ERROR_USAGE, "-o %s: the name is too long",
				      name->pattern)
		       : NULL;
}

/* ---- files that rotate ---- */

struct error *hostlines_init(struct remote *r)
{
	const struct options *o = r->s->options;
	const char *why = NULL;

	r->rotates = options_passed(o, "-S") || options_passed(o, "--compress");
	for (size_t i = 0; !why && i + 1 < o->run_args.count; i++)
		if (!strcmp(o->run_args.data[i], "-S"))
			why = series_parse_rotation(o->run_args.data[i + 1], &r->rotation);
	r->rotation.compress = options_passed(o, "--compress");
	return why ? error_create(r->s->arena, ERROR_USAGE, "%s", why) : NULL;
}

/* Waits a while for a slow reader; signals stay pending meanwhile. */
static bool wait_for_reader(void *ctx, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, 100);
	return true;
}

static struct error *open_series(struct remote *r, struct host *h, const struct filename *name)
{
	struct output *o = arena_new(r->s->arena, struct output);
	int rc = series_output(o, name, &r->rotation);

	if (rc)
		return error_create(r->s->arena, ERROR_ENVIRONMENT, "%s: %s", o->name,
				    output_wrong(o, rc));
	o->wait = wait_for_reader;
	r->is_open = !r->file_each;
	*(r->file_each ? &h->series : &r->series) = o;
	return NULL;
}

static struct output *series_of(const struct remote *r, const struct host *h)
{
	return h->series ? h->series : r->series;
}

static void note_failure(struct remote *r, const struct output *o)
{
	if (o->error && !r->error)
		r->error = o->error;
}

static void flush_series(struct remote *r, struct output *o)
{
	if (!o)
		return;
	output_flush(o);
	output_look_at_clock(o);
	note_failure(r, o);
}

static void close_series(struct remote *r, struct output **o)
{
	if (*o && !output_close(*o))
		r->series_failed = true;
	*o = NULL;
}

/* ---- all files ---- */

struct error *hostlines_open(struct remote *r, struct host *h)
{
	struct filename name;
	char path[PATH_MAX];
	struct error *err = NULL;
	int fd = -1;

	if (!r->s->options->output || r->is_open)
		return NULL;
	err = name_file(r, h, &name);
	if (!err && r->rotates)
		return open_series(r, h, &name);
	if (!err)
		err = expand(r, &name, path);
	if (!err)
		err = open_file(r, path, &fd);
	if (err)
		return err;
	if (r->file_each) {
		h->file = fdopen(fd, "w");
		return h->file ? NULL : error_errno(r->s->arena, "%s", path);
	}
	r->error_file = arena_strdup(r->s->arena, path);
	r->is_open = true;
	fflush(stdout);
	if (dup2(fd, STDOUT_FILENO) < 0)
		err = error_errno(r->s->arena, "%s", path);
	close(fd);
	return err;
}

static void flush_file(struct remote *r, const struct host *h, FILE *f)
{
	if (!fflush(f) || r->error)
		return;
	r->error = errno;
	if (h)
		r->error_file = arena_printf(r->s->arena, "the file of %s", h->uri);
}

void hostlines_flush(struct remote *r)
{
	flush_file(r, NULL, stdout);
	flush_series(r, r->series);
	for (size_t i = 0; i < r->count; i++) {
		if (r->hosts[i].file)
			flush_file(r, &r->hosts[i], r->hosts[i].file);
		flush_series(r, r->hosts[i].series);
	}
}

void hostlines_close(struct remote *r)
{
	close_series(r, &r->series);
	for (size_t i = 0; i < r->count; i++) {
		FILE *f = r->hosts[i].file;

		close_series(r, &r->hosts[i].series);
		r->hosts[i].file = NULL;
		if (f && fclose(f) && !r->error) {
			r->error = errno;
			r->error_file =
				arena_printf(r->s->arena, "the file of %s", r->hosts[i].uri);
		}
	}
}

/* ---- lines ---- */

/*
 * Writes output. Once the reader is gone or the disk is full, the rest is read and
 * dropped until the runs have ended.
 */
static void put(struct remote *r, const struct host *h, const char *text, size_t len)
{
	FILE *f = h->file ? h->file : stdout;
	struct output *o = series_of(r, h);

	if (hostmonitor_takes(r)) {
		hostmonitor_put(r, text, len);
		return;
	}
	if (o && !r->error) {
		output_put(o, text, len);
		note_failure(r, o);
		return;
	}
	if (r->error || fwrite(text, 1, len, f) == len)
		return;
	r->error = errno;
	if (h->file)
		r->error_file = arena_printf(r->s->arena, "the file of %s", h->uri);
}

/* Notes the end of a line: the next file may begin there. */
static void end_line(struct remote *r, const struct host *h)
{
	struct output *o = series_of(r, h);

	if (!o)
		return;
	output_record_end(o);
	note_failure(r, o);
}

/*
 * Makes a copy that is safe for a terminal. The caller must release it: other machines
 * decide how often this happens.
 */
static void copy_printable(const struct remote *r, const char *text, size_t len, struct strbuf *ret)
{
	strbuf_init(ret, r->s->arena);
	strbuf_add(ret, text, len);
	printable_make(ret->s, ret->len);
}

/* Writes text on the terminal, without anything that controls the terminal. */
static void put_printable(struct remote *r, const struct host *h, const char *text, size_t len)
{
	struct strbuf copy;

	copy_printable(r, text, len, &copy);
	put(r, h, copy.s, copy.len);
	strbuf_release(&copy);
}

/*
 * The same for text that arrives in pieces: a character that is cut at the end of one
 * piece waits for the next piece.
 */
static void put_piece(struct remote *r, struct host *h, const char *text, size_t len)
{
	struct strbuf all;
	size_t whole;

	strbuf_init(&all, r->s->arena);
	strbuf_add(&all, h->cut, h->cut_len);
	strbuf_add(&all, text, len);
	whole = printable_whole(all.s, all.len);
	h->cut_len = all.len - whole;
	memcpy(h->cut, all.s + whole, h->cut_len);
	put_printable(r, h, all.s, whole);
	strbuf_release(&all);
}

/*
 * Writes a line for the page: after the machine's number, and not longer than the page
 * keeps one, so that each line has a number.
 */
static void put_for_page(struct remote *r, const struct host *h, const char *text, size_t len)
{
	char number[32];
	int digits = snprintf(number, sizeof(number), "%zu: ", (size_t)(h - r->hosts));

	while (len) {
		size_t n = len > PAGE_LINE ? PAGE_LINE : len;

		put(r, h, number, (size_t)digits);
		put(r, h, text, n);
		text += n;
		len -= n;
		if (len)
			put(r, h, "\n", 1);
	}
}

void hostlines_put(struct remote *r, struct host *h, const char *text, size_t len)
{
	char prefix[HOST_NAME_MAX + 32] = "";

	if (r->page && !r->s->options->output && !r->user_json) {
		put_for_page(r, h, text, len);
		return;
	}
	if (r->s->options->remote_prefix == REMOTE_NUMBER)
		snprintf(prefix, sizeof(prefix), "%zu: ", (size_t)(h - r->hosts));
	else if (r->s->options->remote_prefix == REMOTE_HOST)
		snprintf(prefix, sizeof(prefix), "%s: ", h->label);
	if (!r->user_json)
		put(r, h, prefix, strlen(prefix));
	if (r->on_terminal)
		put_printable(r, h, text, len);
	else
		put(r, h, text, len);
	end_line(r, h);
}

/* Writes text, line by line: a file may end after each line. */
static void put_lines(struct remote *r, const struct host *h, const char *text, size_t len)
{
	const char *end;

	while (len && (end = memchr(text, '\n', len)) != NULL) {
		size_t n = (size_t)(end - text) + 1;

		put(r, h, text, n);
		end_line(r, h);
		text += n;
		len -= n;
	}
	put(r, h, text, len);
}

bool hostlines_fill(struct strbuf *line, const char **text, size_t *len)
{
	const char *end = memchr(*text, '\n', *len);
	size_t n = end ? (size_t)(end - *text) + 1 : *len;

	strbuf_add(line, *text, n);
	*text += n;
	*len -= n;
	if (!end && line->len < HOSTLINES_MOST)
		return false;
	if (!end)
		strbuf_addc(line, '\n');
	return true;
}

void hostlines_take(struct remote *r, struct host *h, const char *text, size_t len)
{
	if (r->count == 1 && !r->s->options->remote_prefix) {
		if (r->on_terminal)
			put_piece(r, h, text, len);
		else if (r->rotates)
			put_lines(r, h, text, len);
		else
			put(r, h, text, len);
		return;
	}
	while (hostlines_fill(&h->line, &text, &len)) {
		hostlines_put(r, h, h->line.s, h->line.len);
		h->line.len = 0;
	}
}

void hostlines_end(struct remote *r, struct host *h)
{
	if (h->line.len)
		hostlines_take(r, h, "\n", 1);
	put_printable(r, h, h->cut, h->cut_len);
	h->cut_len = 0;
}

void hostlines_say(const struct remote *r, struct host *h, const char *text, size_t len)
{
	struct strbuf copy;

	copy_printable(r, text, len, &copy);
	if (r->count > 1)
		fprintf(stderr, "%s: ", h->label);
	fprintf(stderr, "%.*s\n", (int)copy.len, copy.s);
	strbuf_release(&copy);
}
