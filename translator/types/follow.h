/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk of a ->member[index] path, one step at a time. The state tells the meaning of
 * the current 64-bit value: a value of the current type, its address, or (for small
 * structures passed by value) the registers that hold it. member.c walks the paths of
 * scripts, memberdrift.c walks the paths that replace old names.
 */
#ifndef STAP_TYPES_FOLLOW_H
#define STAP_TYPES_FOLLOW_H

#include "base/diag.h"
#include "kernel/facts.h"
#include "types/member.h"

#define KIND(k)	   (1u << BTF_KIND_##k)
#define AGGREGATES (KIND(STRUCT) | KIND(UNION))

struct follow {
	struct session *s;
	struct access *a;
	struct btf *btf;
	uint32_t type; /* as declared, with its typedefs */
	enum path_place place;
	unsigned registers;
	/* from the start of the registers, or of a bit field from its address */
	uint64_t bit_offset;
	unsigned bit_size; /* 0: no bit field */
	/*
	 * The value is a structure that has replaced a pointer to it: used alone, it
	 * means its address.
	 */
	bool is_part;
	/*
	 * With --runtime=bpf (relocation.h): the place of the current address in a type
	 * of the kernel, NULL if kernels do not differ; the place that ADD steps have
	 * come to.
	 */
	const struct access_field *field, *added;
	bool is_relocated;  /* the types are in tables that each kernel has, */
	const char *module; /* of this module or (NULL) its own; */
	bool is_bound;	    /* or they are only this kernel's */
};

/* Returns the current type without its typedefs and qualifiers. */
uint32_t follow_type(const struct follow *f);
/* True: the current type is of one of the kinds, KIND(…) | KIND(…). */
bool follow_is(const struct follow *f, uint32_t kinds);
const char *follow_type_text(const struct follow *f);

void follow_push(struct follow *f, struct access_step step);
/* Joins neighbouring offsets. */
void follow_add(struct follow *f, int64_t offset);
/* Loads the value of the current type at the current address. */
void follow_load(struct follow *f, unsigned size, bool is_signed);
void follow_bits(struct follow *f, unsigned offset, unsigned size, bool is_signed);
/*
 * Takes bits of a value in registers: loads the word that they are in, then cuts them
 * out.
 */
void follow_take_bits(struct follow *f, unsigned size, bool is_signed);

/*
 * Replaces the current pointer, or the one in memory at the current address, with the
 * address of its target.
 */
void follow_pointer(struct follow *f);
/*
 * Finds the definition of a structure that is only declared here: a module's by the
 * kernel, a unit's by another unit of the program.
 */
void follow_definition(struct follow *f);
/*
 * Prepares a step to or from a structure: afterwards a pointer is replaced with its
 * target.
 */
void follow_structure(struct follow *f);
/* Follows a member by its present name. */
struct error *follow_plain(struct follow *f, const char *name);

struct follow_found {
	uint32_t type;
	uint64_t bit_offset;
	unsigned bit_size;
};

/* Finds a member of the current type, also in anonymous structures and unions. */
bool follow_find(const struct follow *f, const char *name, struct follow_found *ret);
struct error *follow_no_member(struct follow *f, const char *name);

typedef VEC(const char *) follow_names;

/* Lists the names of the members. */
void follow_members(const struct follow *f, follow_names *ret);

/* The state that a path is taken back to when it leads nowhere. */
struct follow_mark {
	struct follow f;
	size_t steps;
	struct access_step last;
};

struct follow_mark follow_mark_here(const struct follow *f);
void follow_go_back(struct follow *f, const struct follow_mark *m);

#endif
