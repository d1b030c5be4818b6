/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/bpftargets.h"
#include "user/kerneltypes.h"

/* ---- arguments and results ---- */

/* The verifier takes loads of some pointers only. */
static int way_of_pointer(const struct kerneltypes *t, uint32_t to)
{
	switch (kerneltypes_kind(t, kerneltypes_skip(t, to))) {
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
		return BPFTARGETS_LOADED;
	default:
		return to ? BPFTARGETS_ASKED : BPFTARGETS_LOADED;
	}
}

static int way_of(const struct kerneltypes *t, uint32_t number)
{
	uint32_t id = kerneltypes_skip(t, number);
	const struct btf_type *type = kerneltypes_type(t, id);

	switch (kerneltypes_kind(t, id)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case KERNELTYPES_ENUM64:
		return type->size <= 8 ? BPFTARGETS_LOADED : BPFTARGETS_NONE;
	case BTF_KIND_PTR:
		return way_of_pointer(t, type->type);
	default:
		return BPFTARGETS_NONE;
	}
}

/* Fills in the arguments; false: the function is not one of those to find. */
static bool take_prototype(struct bpftarget *target, const struct kerneltypes *t, uint32_t number)
{
	const struct btf_type *type = kerneltypes_type(t, number);
	const struct btf_param *params = (const void *)(type + 1);

	if (kerneltypes_kind(t, number) != BTF_KIND_FUNC_PROTO ||
	    kerneltypes_count(type) > BPFTARGETS_ARGS)
		return false;
	target->nargs = kerneltypes_count(type);
	for (unsigned i = 0; i < target->nargs; i++) {
		target->args[i] = way_of(t, params[i].type);
		if (target->args[i] == BPFTARGETS_NONE)
			return false;
	}
	target->args[target->nargs] = way_of(t, type->type);
	if (type->type && target->args[target->nargs] == BPFTARGETS_NONE)
		return false;
	target->target.prototype = number;
	return true;
}

/* ---- functions ---- */

/* Returns a descriptor of a module's types, which the kernel lists; -1: there is none. */
static int open_types(const char *module)
{
	union bpf_attr attr = { .start_id = 0 };

	while (!bpfload_call(BPF_BTF_GET_NEXT_ID, &attr)) {
		union bpf_attr call = { .btf_id = attr.next_id };
		char name[64] = "";
		struct bpf_btf_info info = { .name = (uintptr_t)name, .name_len = sizeof(name) };
		int fd = (int)bpfload_call(BPF_BTF_GET_FD_BY_ID, &call);

		call = (union bpf_attr){ .info = { .bpf_fd = (uint32_t)fd,
						   .info_len = sizeof(info),
						   .info = (uintptr_t)&info } };
		if (fd >= 0 && !bpfload_call(BPF_OBJ_GET_INFO_BY_FD, &call) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		if (fd >= 0)
			close(fd);
		attr = (union bpf_attr){ .start_id = attr.next_id };
	}
	return -1;
}

/* The types tell no difference between functions of the same name. */
static void find_function(struct bpftarget *target, const struct kerneltypes *t, int types)
{
	const uint32_t functions = 1u << BTF_KIND_FUNC;
	uint32_t id = kerneltypes_next(t, 0, target->name, functions);

	target->is_seen = id != 0;
	if (id && !kerneltypes_next(t, id, target->name, functions) &&
	    take_prototype(target, t, kerneltypes_type(t, id)->type)) {
		target->target.function = id;
		target->target.types = types;
	}
}

void bpftargets_find(struct bpftarget *targets, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const char *module = targets[i].module;
		const struct kerneltypes *t = kerneltypes_open(module);
		int types = module ? open_types(module) : 0;

		if (t && types >= 0)
			find_function(&targets[i], t, types);
	}
	kerneltypes_close();
}
