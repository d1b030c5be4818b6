/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdw loads libdebuginfod by itself, when DEBUGINFOD_URLS is set; its documented
 * functions are taken from there. While it asks, it calls show(), which can end that.
 */
#include "dwarf/debugserver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/clock.h"
#include "lib/printable.h"

#define URLS	 "DEBUGINFOD_URLS"
#define PATIENCE "DEBUGINFOD_TIMEOUT" /* libdebuginfod waits this long for 100 kB */
#define DEFAULT	 "30"		      /* seconds; libdebuginfod's is 90 */
#define NS	 UINT64_C(1000000000)
/* While no server has answered, libdebuginfod counts up by a few a second. */
#define MAX_ROUNDS 1000

typedef int (*progress)(debuginfod_client *client, long done, long all);
typedef void (*set_progress)(debuginfod_client *client, progress show);
typedef void (*set_data)(debuginfod_client *client, void *data);
typedef void *(*get_data)(debuginfod_client *client);

static void *function(const char *name)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *ret = library ? dlsym(library, name) : NULL;

	if (library)
		dlclose(library);
	return ret;
}

/* Returns the servers in a form that is safe to show. */
static const char *urls(const struct debugserver *d)
{
	return printable_line(arena_strdup(d->s->arena, getenv(URLS)));
}

static bool is_late(const struct debugserver *d)
{
	return clock_now() - d->begin >= d->bound * NS;
}

static void say_asked(struct debugserver *d)
{
	d->begin = clock_now();
	if (d->is_visible)
		fprintf(stderr, "stap: asking %s for debuginfo of %s\n", urls(d),
			printable_line(arena_strdup(d->s->arena, d->path)));
}

/* Called a few times a second, and for each received piece. Returns true to end it. */
static int show(debuginfod_client *client, long done, long all)
{
	get_data data = (get_data)function("debuginfod_get_user_data");
	struct debugserver *d = data ? data(client) : NULL;

	if (!d)
		return 0;
	if (!d->begin)
		say_asked(d);
	if (d->is_visible && all > 0 && isatty(STDERR_FILENO))
		fprintf(stderr, "\r%ld of %ld kB\033[K", done >> 10, all >> 10);
	d->gave_up = all <= 0 && done < MAX_ROUNDS && is_late(d);
	return d->gave_up;
}

struct debugserver *debugserver_begin(struct session *s, Dwfl *dwfl, const char *path)
{
	struct debugserver *ret = arena_new(s->arena, struct debugserver);
	const char *servers = getenv(URLS);
	debuginfod_client *client;
	set_progress watch;
	set_data give;

	*ret = (struct debugserver){ .s = s, .path = path };
	if (!servers || !*servers)
		return ret;
	setenv(PATIENCE, DEFAULT, 0);
	ret->bound = strtoull(getenv(PATIENCE), NULL, 10);
	ret->is_visible = s->options->verbose || isatty(STDERR_FILENO);
	client = dwfl_get_debuginfod_client(dwfl);
	watch = (set_progress)function("debuginfod_set_progressfn");
	give = (set_data)function("debuginfod_set_user_data");
	if (client && watch && give) {
		give(client, ret);
		watch(client, show);
	}
	return ret;
}

void debugserver_end(struct debugserver *d, bool is_found)
{
	if (!d->begin)
		return;
	if (d->is_visible && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (is_found || !(d->gave_up || is_late(d)))
		return;
	diag_warning(d->s, (struct loc){ 0 },
		     "%s: no answer within %llu s, or less than 100 kB (" PATIENCE
		     "); debuginfo is looked for here alone",
		     urls(d), (unsigned long long)d->bound);
	unsetenv(URLS);
}
