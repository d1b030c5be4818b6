/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpffacts.h. */
#include "staprun/bpffacts.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "uapi/bpfimage.h"

/* The head of this program, which is for the machine of those that can run here. */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

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
	static char damaged[64];
	struct bpfimage_end end;
	uint64_t parts_end = bpfimage_parts_end(i->data, i->size, &end);
	int64_t damage;
	Elf64_Ehdr e;

	if (!parts_end || i->size < sizeof(e))
		return none;
	memcpy(&e, i->data, sizeof(e));
	if (e.e_machine != __ehdr_start.e_machine)
		return "a program for another architecture";
	damage = bpfimage_damage(i->data, i->size, parts_end, &end);
	if (damage >= 0) {
		snprintf(damaged, sizeof(damaged), "damaged in the %d bytes from offset %lld on",
			 BPFIMAGE_BLOCK, (long long)damage);
		return damaged;
	}
	ret->data = i->data + parts_end - bpfimage_padded(end.facts);
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
