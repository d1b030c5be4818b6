/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions with several versions in a program, such as strlen in libc: the symbol
 * (STT_GNU_IFUNC) names a resolver, which chooses one of them when the program is loaded.
 * A resolver puts the address of the chosen one into a register: its code is searched for
 * instructions that do so. The unwinder's table of functions (.eh_frame_hdr), or the
 * symbols, distinguish an address from a number or from bytes in the middle of an
 * instruction: a function begins exactly there.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/file.h"
#include "lib/error.h"
#include "program/executable.h"

#define RESOLVER_MOST 65536 /* limit in bytes: files may be damaged */

/* .eh_frame_hdr, as every linker writes it: offsets of 4 bytes, functions by address. */
#define HEADER_BYTES	12
#define COUNT_UDATA4	0x03
#define TABLE_FROM_HERE 0x3b

struct search {
	struct session *s;
	const struct executable *p;
	struct bytes file;
	const uint8_t *table; /* table of functions; NULL: there is none */
	uint64_t table_from;  /* base of its addresses */
	uint32_t functions;
	/*
	 * The file is loaded at its own addresses: the code may contain them as numbers.
	 */
	bool is_fixed;
	bool asks_vdso;
	executable_addresses *ret;
};

/* Returns `size` bytes at an address of the file, or NULL. */
static const uint8_t *bytes_at(const struct search *x, uint64_t address, uint64_t size)
{
	uint64_t offset;

	if (!executable_offset(x->p, address, &offset) || offset > x->file.len ||
	    size > x->file.len - offset)
		return NULL;
	return x->file.data + offset;
}

static void find_table(struct search *x)
{
	const uint8_t *h =
		x->p->unwind_index ? bytes_at(x, x->p->unwind_index, HEADER_BYTES) : NULL;

	if (!h || h[0] != 1 || h[2] != COUNT_UDATA4 || h[3] != TABLE_FROM_HERE)
		return;
	x->functions = bytes_le32(h + 8);
	x->table = bytes_at(x, x->p->unwind_index + HEADER_BYTES, 8ull * x->functions);
	x->table_from = x->p->unwind_index;
}

static bool is_in_table(const struct search *x, uint64_t address)
{
	uint32_t low = 0, high = x->table ? x->functions : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t begin = x->table_from +
				 (uint64_t)(int64_t)(int32_t)bytes_le32(x->table + 8ull * middle);

		if (begin == address)
			return true;
		if (begin < address)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* A statically linked program may lack the table; then it has symbols. */
static bool is_function(const struct search *x, uint64_t address)
{
	if (is_in_table(x, address))
		return true;
	vec_each(&x->p->symbols, i)
		if (x->p->symbols.data[i].address == address &&
		    !x->p->symbols.data[i].resolver_size)
			return true;
	return false;
}

static void see_address(void *ctx, uint64_t address)
{
	struct search *x = ctx;
	static const char vdso[] = "__vdso_";
	const uint8_t *text = bytes_at(x, address, sizeof(vdso) - 1);

	x->asks_vdso |= text && !memcmp(text, vdso, sizeof(vdso) - 1);
	if (!is_function(x, address))
		return;
	vec_each(x->ret, i)
		if (x->ret->data[i] == address)
			return;
	vec_push(x->s->arena, x->ret, address);
}

static struct error *none_found(struct search *x, const char *name)
{
	if (x->asks_vdso)
		return error_create(x->s->arena, ERROR_ABSENT,
				    "'%s' is in the vdso, code of the kernel that is not "
				    "in a file and cannot be probed; probe its calls: "
				    ".plt(\"%s\") of the programs that call it",
				    name, name);
	return error_create(x->s->arena, ERROR_ABSENT,
			    "'%s' has several versions, of which one is chosen "
			    "when the program is loaded, but they are not known; probe its "
			    "calls: .plt(\"%s\") of the programs that call it",
			    name, name);
}

/*
 * Newer C libraries leave the choice to their loader: the resolver takes the address that
 * the loader has stored, or else the library's only function.
 */
static bool is_kept_by_loader(const char *name, const executable_addresses *found)
{
	static const char *const names[] = { "time", "gettimeofday" };

	name += strspn(name, "_");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (found->count == 1 && !strcmp(name, names[i]))
			return true;
	return false;
}

struct error *ifunc_choices(struct session *s, const struct executable *p,
			    const struct executable_found *f, executable_addresses *ret)
{
	struct search x = { .s = s, .p = p, .is_fixed = !p->is_movable, .ret = ret };
	uint64_t size = f->resolver_size < RESOLVER_MOST ? f->resolver_size : RESOLVER_MOST;
	struct error *err = file_map(s->arena, p->path, &x.file);
	const uint8_t *code;

	if (err)
		return err;
	find_table(&x);
	code = p->is_32 ? NULL : bytes_at(&x, f->address, size);
	for (uint64_t i = 0; code && i < size; i++)
		arch_of(s)->programs->addresses(code + i, size - i, f->address + i, x.is_fixed,
						see_address, &x);
	x.asks_vdso |= is_kept_by_loader(f->name, ret);
	if (x.asks_vdso) /* libc's own functions are for kernels without a vdso */
		ret->count = 0;
	return ret->count ? NULL : none_found(&x, f->name);
}
