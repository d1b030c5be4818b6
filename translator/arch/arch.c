/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

#include <string.h>
#include <sys/utsname.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/path.h"

static const struct arch archs[] = {
#define PART(name, part) .part = &name##_##part,
#define ARCH(name)	 { #name, ARCH_PARTS(PART, name) },
#include "arch/arch.def"
#undef ARCH
#undef PART
};
#define NARCHS (sizeof(archs) / sizeof(archs[0]))

const struct arch *arch_named(const char *name)
{
	for (size_t i = 0; i < NARCHS; i++)
		if (!strcmp(archs[i].name, name) || !strcmp(archs[i].machine->kernel_dir, name))
			return &archs[i];
	return NULL;
}

const struct arch *arch_of_machine(uint16_t elf)
{
	for (size_t i = 0; i < NARCHS; i++)
		if (elf == archs[i].machine->elf || elf == archs[i].machine->elf_32)
			return &archs[i];
	return NULL;
}

/* Returns the architecture of this machine; NULL: it is not supported. */
static const struct arch *own_arch(void)
{
	struct utsname u;

	return uname(&u) ? NULL : arch_named(u.machine);
}

const struct arch *arch_of(const struct session *s)
{
	const struct arch *own;

	if (s->arch)
		return s->arch;
	own = own_arch();
	return own ? own : &archs[0];
}

bool arch_has_headers(struct arena *a, const char *dir, const struct arch *arch)
{
	return path_exists(
		arena_printf(a, "%s/arch/%s/include/generated", dir, arch->machine->kernel_dir));
}

const struct arch *arch_of_headers(struct arena *a, const char *dir)
{
	const struct arch *own = own_arch();

	if (own && arch_has_headers(a, dir, own))
		return own;
	for (size_t i = 0; i < NARCHS; i++)
		if (arch_has_headers(a, dir, &archs[i]))
			return &archs[i];
	return own;
}

const struct arch *arch_of_packed(const struct bytes *image)
{
	const struct arch *own = own_arch();

	if (own && own->image->is_packed(image))
		return own;
	for (size_t i = 0; i < NARCHS; i++)
		if (archs[i].image->is_packed(image))
			return &archs[i];
	return NULL;
}

bool arch_is_own(const struct arch *arch)
{
	return arch == own_arch();
}

bool arch_is_foreign(const struct session *s)
{
	return s->arch && !arch_is_own(s->arch);
}

const char *arch_names(struct arena *a)
{
	const char *names = archs[0].name;

	for (size_t i = 1; i < NARCHS; i++)
		names = arena_printf(a, "%s, %s", names, archs[i].name);
	return names;
}
