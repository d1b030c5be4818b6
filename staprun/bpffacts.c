/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpffacts.h. */
#include "staprun/bpffacts.h"

#include <elf.h>
#include <string.h>

#include "uapi/bpfimage.h"

bool bpffacts_is_program(const struct image *i)
{
	Elf64_Ehdr e;

	if (i->size < sizeof(e))
		return false;
	memcpy(&e, i->data, sizeof(e));
	return !memcmp(e.e_ident, ELFMAG, SELFMAG) && e.e_ident[EI_CLASS] == ELFCLASS64 &&
	       (e.e_type == ET_EXEC || e.e_type == ET_DYN);
}

const char *bpffacts_find(const struct image *i, struct modinfo_section *ret)
{
	static const char none[] = "not a program that stap --runtime=bpf has made, or cut";
	struct bpfimage_end end;
	uint64_t facts;

	if (i->size % 8 || i->size < sizeof(end))
		return none;
	memcpy(&end, i->data + i->size - sizeof(end), sizeof(end));
	facts = bpfimage_padded(end.facts);
	if (end.magic != BPFIMAGE_END_MAGIC || facts > i->size - sizeof(end) ||
	    bpfimage_padded(end.handlers) > i->size - sizeof(end) - facts)
		return none;
	ret->data = i->data + i->size - sizeof(end) - facts;
	ret->size = end.facts;
	return end.facts && !ret->data[end.facts - 1] ? NULL : none;
}

const char *bpffacts_read(const struct image *i, struct modinfo *ret)
{
	struct modinfo_section s;
	const char *wrong = bpffacts_find(i, &s);

	if (wrong)
		return wrong;
	memset(ret->text, 0, sizeof(ret->text));
	ret->len = s.size < MODINFO_MAX - 2 ? s.size : MODINFO_MAX - 2;
	while (s.data[ret->len - 1])
		if (!--ret->len)
			return "its facts are too long";
	memcpy(ret->text, s.data, ret->len);
	return NULL;
}
