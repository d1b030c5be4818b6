/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF tables: the kernel's compact description of its types and functions. A table is
 * read in place (mapped or in the arena) and checked once, when it is opened: afterwards
 * every id and name offset inside it is in range. Only chains (typedef of typedef …) can
 * still be endless, so code that follows them counts its steps (BTF_MAX_DEPTH).
 *
 * A module's table is split: its ids and its strings begin where those of its base, the
 * kernel's table, end.
 */
#ifndef STAP_BTF_H
#define STAP_BTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;
struct btf;

#define BTF_MAX_DEPTH 32

/* Newer than the headers of some distributions. */
#define BTF_ID_ENUM64 19

/*
 * The header that each table has: kernels since 7.2 may have a longer one, and so may the
 * header file that stap is compiled with.
 */
#define BTF_HEADER_BYTES (offsetof(struct btf_header, str_len) + sizeof(uint32_t))

/*
 * Opens a table. data must stay valid, because the table refers to it; file is for
 * messages. base: NULL, or the kernel's table.
 */
struct error *btf_open(struct arena *a, const char *file, const void *data, size_t len,
		       struct btf *base, struct btf **ret);

/* Returns the file that btf_open() was given. */
const char *btf_file(const struct btf *b);
struct btf *btf_base(const struct btf *b);
/* The table's own ids are [btf_first(), btf_end()). */
uint32_t btf_first(const struct btf *b);
uint32_t btf_end(const struct btf *b);

/* Returns NULL for 0 (void) and for ids that do not exist. */
const struct btf_type *btf_type(const struct btf *b, uint32_t id);
const char *btf_string(const struct btf *b, uint32_t offset);
const char *btf_name(const struct btf *b, uint32_t id);
/* Returns BTF_KIND_UNKN for void. */
unsigned btf_kind(const struct btf *b, uint32_t id);
/* Returns the type without its typedefs and qualifiers; 0 is void. */
uint32_t btf_skip(const struct btf *b, uint32_t id);
/* Returns the size in bytes; 0 if the type has none. */
uint64_t btf_size(const struct btf *b, uint32_t id);

/* Size of pointers in bytes, which BTF itself does not record: 8 until it is set. */
unsigned btf_pointer_size(const struct btf *b);
void btf_set_pointer_size(struct btf *b, unsigned size);

/*
 * Returns the function (kind FUNC) of that name in this table only; 0: there is none.
 */
uint32_t btf_find_function(struct btf *b, const char *name);
/* Returns all FUNC ids of this table alone, in the table's order. */
const uint32_t *btf_functions(const struct btf *b, size_t *count);
/*
 * Returns the type of that name whose kind is in the bit set, in this table or its base;
 * 0 if there is none. A definition wins over a forward declaration.
 */
uint32_t btf_find_type(struct btf *b, const char *name, uint32_t kinds);
/*
 * Tables of one program: a type that one of them only declares is defined in another. The
 * callback returns the definition's id, of a struct or union, in the table *ret; 0: there
 * is none.
 */
typedef uint32_t btf_definition_callback(void *ctx, const char *name, bool is_union,
					 struct btf **ret);
void btf_set_definitions(struct btf *b, btf_definition_callback *find, void *ctx);
/* True: the table has siblings that may define the types that it declares. */
bool btf_has_siblings(const struct btf *b);
/*
 * Returns the definition of a struct or union that the type declares, in this table, its
 * base or (then *b becomes that one) a sibling; 0 if there is none.
 */
uint32_t btf_find_definition(struct btf **b, uint32_t id);
/* Returns the pointer to a type, in this table or its base; 0 if there is none. */
uint32_t btf_find_pointer(struct btf *b, uint32_t id);

/*
 * The smallest aligned unit that holds a bit field, which is loaded from it. Returns
 * false if the unit takes more than 8 bytes.
 */
struct bit_unit {
	uint64_t offset; /* bytes */
	unsigned size;
	unsigned bit_offset; /* inside it */
};
bool btf_bit_unit(uint64_t bit_offset, unsigned bit_size, struct bit_unit *ret);

/*
 * The count has 24 bits and the kind 7. Header files before 7.2 say 16 and 5: the others
 * were unused and 0.
 */
static inline unsigned btf_vlen_of(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

static inline unsigned btf_kind_of(const struct btf_type *t)
{
	return t->info >> 24 & 0x7f;
}

/* Returns the data after the type: members, parameters, enumerators, array data. */
static inline const void *btf_tail(const struct btf_type *t)
{
	return t + 1;
}

#endif
