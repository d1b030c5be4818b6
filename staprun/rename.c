/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See rename.h. The kernel takes a module's name from struct module, which is a separate
 * section of the file. The name's place there differs little between kernels; it is found
 * by looking for the old name.
 */
#include "staprun/rename.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "staprun/report.h"

#define SECTION ".gnu.linkonce.this_module"
/* struct module begins with its state and a list. */
#define NAME_WITHIN 256

/* Returns the name in struct module, with room for another; NULL: not found. */
static char *find_name(const struct modinfo_section *s, const char *name)
{
	size_t len = strlen(name) + 1;

	if (s->size < NAME_WITHIN + MODULE_NAME_SIZE)
		return NULL;
	for (size_t at = 0; at < NAME_WITHIN; at += 8)
		if (!memcmp(s->data + at, name, len))
			return s->data + at;
	return NULL;
}

bool rename_module(struct load *l)
{
	struct modinfo_section section;
	char name[MODULE_NAME_SIZE] = "", *place = NULL;

	if (!modinfo_find_section(&l->image, SECTION, &section))
		place = find_name(&section, l->name);
	if (!place) {
		report_error(
			"%s: the module cannot be renamed: its name is not where kernels have it",
			l->path);
		return false;
	}
	snprintf(name, sizeof(name), "%.*s_%d", MODULE_NAME_SIZE - 14, l->name, (int)getpid());
	memcpy(place, name, sizeof(name));
	memcpy(l->name, name, sizeof(name));
	l->is_renamed = true;
	return true;
}
