/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostprograms.h"

#include <string.h>

#include "arch/arch.h"
#include "base/remedy.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "stap/remote/host.h"

/* Returns the remedy on the machine, as a command of its own distribution. */
static const char *install_there(struct session *s, const struct host *h)
{
	const char *command =
		h->os_release ? remedy_command_on(s->arena, h->os_release, REMEDY_STAPRUN, NULL)
			      : "";

	return *command ? arena_printf(s->arena, "there: %s", command) : "install staprun there";
}

/* Finds a program in the build directory, or where it is installed. */
static struct error *read_one(struct session *s, const struct host *h, const char *name,
			      char **text, size_t *len)
{
	static const char *const places[] = { "static", "../libexec/stap/static" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *path =
			arena_printf(s->arena, "%s/%s/%s.gz", s->bin_dir, places[i], name);

		if (path_exists(path))
			return path_read(s->arena, path, text, len);
	}
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "no static %s is here to be sent; %s, or stap-static here ('make "
			    "static' builds it)",
			    name, install_there(s, h));
}

struct error *hostprograms_foreign(struct session *s, const struct host *h)
{
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "those that are sent are this machine's, not of %s; %s", h->arch->name,
			    install_there(s, h));
}

struct error *hostprograms_read(struct session *s, const struct host *h, struct hostprograms *p)
{
	char *staprun, *stapio, *both;
	struct error *err;

	if (p->text)
		return NULL;
	err = read_one(s, h, "staprun", &staprun, &p->staprun);
	if (!err)
		err = read_one(s, h, "stapio", &stapio, &p->stapio);
	if (err)
		return err;
	both = arena_array(s->arena, char, p->staprun + p->stapio);
	memcpy(both, staprun, p->staprun);
	memcpy(both + p->staprun, stapio, p->stapio);
	p->text = both;
	return NULL;
}
