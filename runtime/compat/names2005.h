/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --compatible=0.5: names that embedded C of 2005 relied on. Registers have the names of
 * that time, sysctl tables have numbers and trees. It comes before the script's own C;
 * headers that the script includes later see these names as well.
 */
#ifndef STP_COMPAT_NAMES2005_H
#define STP_COMPAT_NAMES2005_H

#ifdef __KERNEL__

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <linux/uaccess.h>

/* ---- sysctl tables: a tree with numbers, until 2.6.33 and 6.5 ---- */

struct stp_ctl_table {
	int ctl_name;
	const char *procname;
	void *data;
	int maxlen;
	umode_t mode;
	struct stp_ctl_table *child;
	proc_handler *proc_handler;
	int (*strategy)(void);
	void *extra1, *extra2;
};
typedef struct stp_ctl_table stp_ctl_table;

static inline int sysctl_string(void)
{
	return 0; /* there is no sysctl by number */
}

static inline int sysctl_intvec(void)
{
	return 0;
}

#define STP_SYSCTLS	8
#define STP_SYSCTL_PATH 128

/*
 * Tables that the script has registered, a row for each directory; the rows of one call
 * have the header that it returned.
 */
static struct stp_former_sysctl {
	struct ctl_table_header *header, *first;
	struct ctl_table *table;
} stp_former_sysctls[STP_SYSCTLS];

static inline struct ctl_table_header *stp_sysctl_directory(const char *path,
							    struct ctl_table *table, size_t count)
{
#ifdef register_sysctl
	return register_sysctl_sz(path, table, count);
#else
	return register_sysctl(path, table);
#endif
}

static inline bool stp_sysctl_ends(const struct stp_ctl_table *t)
{
	return !t->procname && !t->ctl_name;
}

/*
 * Converts the files of one level to the kernel's present form, with an empty one at
 * their end; NULL: there are no files.
 */
static inline struct ctl_table *stp_sysctl_files(const struct stp_ctl_table *t, size_t *count)
{
	struct ctl_table *files;
	size_t n = 0;

	for (const struct stp_ctl_table *i = t; !stp_sysctl_ends(i); i++)
		n += !i->child && i->procname;
	*count = n;
	files = n ? kcalloc(n + 1, sizeof(*files), GFP_KERNEL) : NULL;
	for (n = 0; files && !stp_sysctl_ends(t); t++)
		if (!t->child && t->procname)
			files[n++] = (struct ctl_table){ .procname = t->procname,
							 .data = t->data,
							 .maxlen = t->maxlen,
							 .mode = t->mode,
							 .proc_handler = t->proc_handler,
							 .extra1 = t->extra1,
							 .extra2 = t->extra2 };
	return files;
}

static inline void stp_sysctl_level(const struct stp_ctl_table *t, const char *path,
				    struct ctl_table_header **first)
{
	size_t count;
	struct ctl_table *files = stp_sysctl_files(t, &count);
	struct stp_former_sysctl *row = stp_former_sysctls;

	while (row < stp_former_sysctls + STP_SYSCTLS && row->header)
		row++;
	if (!files || row == stp_former_sysctls + STP_SYSCTLS) {
		kfree(files);
		return;
	}
	row->header = stp_sysctl_directory(path, files, count);
	if (!row->header) {
		kfree(files);
		return;
	}
	row->table = files;
	if (!*first)
		*first = row->header;
	row->first = *first;
}

/* Directories are at most two deep, as in the scripts published at that time. */
static inline struct ctl_table_header *stp_register_sysctls(const struct stp_ctl_table *root)
{
	struct ctl_table_header *first = NULL;
	char path[STP_SYSCTL_PATH];

	for (const struct stp_ctl_table *t = root; !stp_sysctl_ends(t); t++) {
		if (!t->child || !t->procname)
			continue;
		stp_sysctl_level(t->child, t->procname, &first);
		for (const struct stp_ctl_table *u = t->child; !stp_sysctl_ends(u); u++)
			if (u->child && u->procname &&
			    snprintf(path, sizeof(path), "%s/%s", t->procname, u->procname) <
				    (int)sizeof(path))
				stp_sysctl_level(u->child, path, &first);
	}
	return first;
}

static inline void stp_unregister_sysctls(struct ctl_table_header *first)
{
	for (struct stp_former_sysctl *row = stp_former_sysctls + STP_SYSCTLS;
	     row-- > stp_former_sysctls;)
		if (first && row->first == first) {
			unregister_sysctl_table(row->header);
			kfree(row->table);
			*row = (struct stp_former_sysctl){ NULL };
		}
}

#define ctl_table			  stp_ctl_table
#define register_sysctl_table(table, ...) stp_register_sysctls(table)
#define unregister_sysctl_table(header)	  stp_unregister_sysctls(header)

#include "arch_names2005.h"

/* ---- types and functions of the time ---- */

typedef struct task_struct task_t;

#endif
#endif
