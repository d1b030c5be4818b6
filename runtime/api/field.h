/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: what a script uses of the kernel's types. The program looks each up in
 * the types of the kernel that it runs on, before anything is loaded (user/bpffields.c);
 * handlers read places and sizes here.
 */
#ifndef STP_API_FIELD_H
#define STP_API_FIELD_H

#include "api/memory.h"
#include "api/point.h"

struct stp_field {
	/* as in translator/ast/access.h */
	enum stp_field_kind {
		STP_FIELD_MEMBER,
		STP_FIELD_PARAMETER,
		STP_FIELD_RESULT,
		STP_FIELD_ENUMERATOR,
		STP_FIELD_NAMES,
		STP_FIELD_NO_MEMBER,
		STP_FIELD_NO_PARAMETER,
		STP_FIELD_VERSION,
		STP_FIELD_KERNEL,
	} kind;
	const char *module, *type, *path, *is;
	int64_t number;
	bool may_lack;
	const char *place; /* in the script */
	/*
	 * Found: bytes from the beginning, those to load and of the whole type; the bits
	 * above the value in the loaded word, and those above and below.
	 */
	int64_t offset;
	uint32_t size, bytes;
	uint8_t above, around;
	bool is_signed, is_found;
};

/* A row of a printed structure, and the text of it that this kernel lacks: ".name=?". */
struct stp_field_row {
	struct stp_shape *row;	   /* NULL: there are no more */
	uint32_t field, beginning; /* its place, and that of the structure */
	const char *lacking;
};

extern const struct stp_field_row *const stp_field_rows;
extern struct stp_field stp_fields[];
extern const uint32_t stp_fields_count;
extern const char stp_fields_release[]; /* the kernel's release */

/* Raises an error if the running kernel lacks the member. */
static inline void stp_field_need(struct stp_ctx *c, const struct stp_field *f)
{
	if (!f->is_found)
		stp_error(c, "this kernel has no '%s%s'", f->type, f->path);
}

/* Cuts a value out of its word. */
static inline int64_t stp_field_cut(int64_t word, const struct stp_field *f)
{
	uint64_t bits = (uint64_t)word << f->above;

	if (!f->around) /* as most arguments are */
		return word;
	return f->is_signed ? (int64_t)bits >> f->around : (int64_t)(bits >> f->around);
}

/* Loads a member at its address. A fault raises an error. */
static inline int64_t stp_field_load(struct stp_ctx *c, enum stp_space space, uint64_t addr,
				     const struct stp_field *f)
{
	return stp_field_cut((int64_t)stp_load(c, space, addr, f->size), f);
}

#endif
