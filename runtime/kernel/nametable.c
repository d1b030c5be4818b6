/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chained hash table over an array. */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "core/port.h"
#include "kernel/nametable.h"

int stp_nametable_init(struct stp_nametable *t, unsigned int max)
{
	t->used = 0;
	t->bits = max(4, ilog2(max | 1) + 1);
	t->names = port_alloc((max + 1) * sizeof(*t->names));
	t->heads = port_alloc(sizeof(*t->heads) << t->bits);
	if (!t->names || !t->heads) {
		stp_nametable_free(t);
		return -ENOMEM;
	}
	memset(t->heads, 0xff, sizeof(*t->heads) << t->bits);
	return 0;
}

void stp_nametable_free(struct stp_nametable *t)
{
	port_free(t->names);
	port_free(t->heads);
	t->names = NULL;
	t->heads = NULL;
}

static unsigned int *head_of(const struct stp_nametable *t, const char *name)
{
	return &t->heads[hash_32(full_name_hash(NULL, name, strlen(name)), t->bits)];
}

void stp_nametable_add(struct stp_nametable *t, const char *name, unsigned int number)
{
	unsigned int *head = head_of(t, name);

	t->names[t->used] = (struct stp_name){ .name = name, .number = number, .next = *head };
	*head = t->used++;
}

static unsigned int same_name(const struct stp_nametable *t, unsigned int at, const char *name)
{
	while (at != STP_NO_NAME && strcmp(t->names[at].name, name))
		at = t->names[at].next;
	return at;
}

unsigned int stp_nametable_find(const struct stp_nametable *t, const char *name)
{
	return same_name(t, *head_of(t, name), name);
}

unsigned int stp_nametable_next(const struct stp_nametable *t, unsigned int at)
{
	return same_name(t, t->names[at].next, t->names[at].name);
}
