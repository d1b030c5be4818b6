/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of the running kernel and of its modules: BTF, which the kernel has written
 * and which is trusted. translator/formats/btf.h is the reader of other files.
 */
#ifndef STP_USER_KERNELTYPES_H
#define STP_USER_KERNELTYPES_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNELTYPES_ENUM64 19 /* newer than the headers of some distributions */

struct kerneltypes;

/*
 * Opens the table of a module, or (NULL) the kernel's. The same one is opened once. NULL:
 * there is none.
 */
struct kerneltypes *kerneltypes_open(const char *module);
void kerneltypes_close(void); /* all of them */

/* Returns NULL for void. Ids below those of a module's table are the kernel's. */
const struct btf_type *kerneltypes_type(const struct kerneltypes *t, uint32_t id);
const char *kerneltypes_string(const struct kerneltypes *t, uint32_t offset);
/* Returns the next id after `id` of that name and of one of the kinds (bits); 0: none. */
uint32_t kerneltypes_next(const struct kerneltypes *t, uint32_t id, const char *name,
			  uint32_t kinds);
/* Returns the type without its typedefs and qualifiers. */
uint32_t kerneltypes_skip(const struct kerneltypes *t, uint32_t id);
unsigned kerneltypes_kind(const struct kerneltypes *t, uint32_t id);
uint64_t kerneltypes_size(const struct kerneltypes *t, uint32_t id);
bool kerneltypes_is_signed(const struct kerneltypes *t, uint32_t id);

/* See btf_vlen_of() in translator/formats/btf.h. */
static inline unsigned kerneltypes_count(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

struct kerneltypes_member {
	uint32_t type;
	uint64_t bit_offset;
	unsigned bit_size; /* 0: no bit field */
};

/* Finds a member of a structure, also in anonymous ones inside it. */
bool kerneltypes_member(const struct kerneltypes *t, uint32_t id, const char *name, size_t name_len,
			struct kerneltypes_member *ret);
/* Finds an enumerator. Returns how many different values enumerations give it. */
unsigned kerneltypes_enumerator(const struct kerneltypes *t, const char *name, int64_t *ret);

#endif
