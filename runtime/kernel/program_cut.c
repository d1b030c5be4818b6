/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/program_cut.h"

#include "core/session.h"
#include "kernel/program_gathering.h"
#include "kernel/program_mapping.h"

#define CUT_FILES 16

/* A place is taken once and never given back. */
static struct cut_file {
	int taken, has_path;
	char path[PROGRAM_PATH_MOST];
} cut_files[CUT_FILES];

static bool is_noted(const struct cut_file *f, const char *path)
{
	return smp_load_acquire(&f->has_path) && !strcmp(f->path, path);
}

bool program_cut_note(struct stp_ctx *c, uint64_t address)
{
	const char *path = program_mapping_path(c, address);

	if (path[0] != '/')
		return false;
	for (unsigned int i = 0; i < CUT_FILES; i++) {
		struct cut_file *f = &cut_files[i];

		if (is_noted(f, path))
			return true;
		if (READ_ONCE(f->taken) || cmpxchg(&f->taken, 0, 1))
			continue;
		strscpy(f->path, path, sizeof(f->path));
		smp_store_release(&f->has_path, 1);
		return true;
	}
	return true; /* all places are taken */
}

/* True: two CPUs have noted the file at the same time. */
static bool is_repeated(unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (is_noted(&cut_files[k], cut_files[i].path))
			return true;
	return false;
}

/* Users choose the names, which may contain anything. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void report_file(struct cut_file *f)
{
	bool has_come = program_gathering_has(f->path);

	make_printable(f->path);
	if (has_come)
		stp_setup_warning("unwind tables of %s were read while the script ran; the first "
				  "stacks end too early there: -d %s adds them from the start",
				  f->path, f->path);
	else
		stp_setup_warning(
			"no unwind tables of %s, where stacks end too early: -d %s adds them",
			f->path, f->path);
}

void program_cut_report(void)
{
	for (unsigned int i = 0; i < CUT_FILES; i++) {
		struct cut_file *f = &cut_files[i];

		if (!f->has_path || is_repeated(i))
			continue;
		report_file(f);
	}
}
