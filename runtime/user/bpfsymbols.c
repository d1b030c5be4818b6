/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/arena.h"
#include "core/port.h"
#include "trace/messages.h"
#include "user/bpfsymbols.h"

#define SYMBOLS_OF_KERNEL "/proc/kallsyms"

struct reading {
	struct bpf_symbol *symbols; /* name and module: offsets of the text */
	size_t n, room;
	char *text;
	size_t bytes, text_room;
	uint32_t module; /* of the last line */
};

static bool text_add(struct reading *r, const char *text, uint32_t *ret)
{
	size_t len = strlen(text) + 1;

	if (r->bytes + len > r->text_room) {
		char *more = realloc(r->text, 2 * r->text_room + len);

		if (!more)
			return false;
		r->text = more;
		r->text_room = 2 * r->text_room + len;
	}
	memcpy(r->text + r->bytes, text, len);
	*ret = (uint32_t)r->bytes;
	r->bytes += len;
	return true;
}

static bool symbol_add(struct reading *r, uint64_t address, const char *name, const char *module)
{
	struct bpf_symbol s = { .address = address };

	if (r->n == r->room) {
		struct bpf_symbol *more =
			realloc(r->symbols, (2 * r->room + 1024) * sizeof(*r->symbols));

		if (!more)
			return false;
		r->symbols = more;
		r->room = 2 * r->room + 1024;
	}
	/* The symbols of a module come one after the other. */
	if (strcmp(r->text + r->module, module) && !text_add(r, module, &r->module))
		return false;
	s.module = r->module;
	if (!text_add(r, name, &s.name))
		return false;
	r->symbols[r->n++] = s;
	return true;
}

/* Adds a line such as "ffffffff81000000 T name\t[module]". */
static bool line_add(struct reading *r, const char *line)
{
	char name[512], module[64] = "", kind;
	uint64_t address;
	int n = sscanf(line, "%" SCNx64 " %c %511s [%63[^]]", &address, &kind, name, module);

	/* Variables of each CPU, and absolute symbols, are in the lower half. */
	return n < 3 || !(address >> 63) || symbol_add(r, address, name, module);
}

/* By address; of symbols with the same one, the first in the kernel's list stays so. */
static int compare(const void *a, const void *b)
{
	const struct bpf_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : 1;
}

static size_t without_aliases(struct bpf_symbol *symbols, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || symbols[i].address != symbols[kept - 1].address)
			symbols[kept++] = symbols[i];
	return kept;
}

static bool to_arena(const struct reading *r)
{
	struct bpf_symbol *symbols = port_alloc((r->n + 1) * sizeof(*symbols));
	char *text = port_alloc(r->bytes);

	if (!symbols || !text)
		return false;
	memcpy(symbols, r->symbols, r->n * sizeof(*symbols));
	memcpy(text, r->text, r->bytes);
	bpf_shared.symbols = (uintptr_t)symbols;
	bpf_shared.nsymbols = r->n;
	bpf_shared.symbol_text = (uintptr_t)text;
	return true;
}

bool bpfsymbols_read(void)
{
	struct reading r = { 0 };
	FILE *f = fopen(SYMBOLS_OF_KERNEL, "r");
	char *line = NULL;
	size_t room = 0;
	uint32_t empty;
	bool good = text_add(&r, "", &empty); /* no module */

	while (f && good && getline(&line, &room, f) >= 0)
		good = line_add(&r, line);
	if (f)
		fclose(f);
	if (good && r.n) {
		qsort(r.symbols, r.n, sizeof(*r.symbols), compare);
		r.n = without_aliases(r.symbols, r.n);
		good = to_arena(&r);
	}
	if (!good)
		message_error("--runtime=bpf: no memory for the kernel's symbols");
	free(line);
	free(r.symbols);
	free(r.text);
	return good;
}
