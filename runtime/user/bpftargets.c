/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/bpftargets.h"
#include "user/bpftypes.h"

/* Types of the kernel, or of a module: those continue the kernel's. */
struct types {
	const struct types *base;
	char *bytes;
	const struct btf_header *head;
	const char *names;
	const struct btf_type **all; /* all[0] has the number `first` */
	uint32_t first, count, first_name;
};

/* ---- reading ---- */

static char *read_file(const char *name, size_t *size)
{
	char path[128], *ret = NULL;
	size_t most = 0;
	ssize_t more = 1;
	int fd;

	snprintf(path, sizeof(path), BPFTYPES_FOLDER "%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (*size = 0; fd >= 0 && more > 0; *size += more > 0 ? (size_t)more : 0) {
		char *larger = *size < most ? ret : realloc(ret, most += 8 << 20);

		if (!larger)
			break;
		ret = larger;
		more = read(fd, ret + *size, most - *size);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Finds all types; false: the file is damaged, or there is no memory. */
static bool index_types(struct types *t, size_t size)
{
	const char *at, *end;

	t->head = (const void *)t->bytes;
	if (size < sizeof(*t->head) || t->head->magic != BTF_MAGIC ||
	    (uint64_t)t->head->hdr_len + t->head->type_off + t->head->type_len > size ||
	    (uint64_t)t->head->hdr_len + t->head->str_off + t->head->str_len > size)
		return false;
	at = t->bytes + t->head->hdr_len + t->head->type_off;
	end = at + t->head->type_len;
	t->names = t->bytes + t->head->hdr_len + t->head->str_off;
	t->all = malloc(t->head->type_len / sizeof(struct btf_type) * sizeof(*t->all));
	while (t->all && at + sizeof(struct btf_type) <= end) {
		t->all[t->count++] = (const void *)at;
		at += bpftypes_bytes((const void *)at);
	}
	return t->all && at == end;
}

static bool types_read(struct types *t, const char *name, const struct types *base)
{
	size_t size;

	*t = (struct types){ .base = base, .first = 1 };
	if (base) {
		t->first = base->first + base->count;
		t->first_name = base->head->str_len;
	}
	t->bytes = read_file(name, &size);
	return t->bytes && index_types(t, size);
}

static void types_free(struct types *t)
{
	free(t->all);
	free(t->bytes);
}

static const struct btf_type *type_of(const struct types *t, uint32_t number)
{
	if (number < t->first)
		return t->base ? type_of(t->base, number) : NULL;
	return number - t->first < t->count ? t->all[number - t->first] : NULL;
}

static const char *name_of(const struct types *t, uint32_t at)
{
	if (at < t->first_name)
		return t->base ? name_of(t->base, at) : "";
	return at - t->first_name < t->head->str_len ? t->names + (at - t->first_name) : "";
}

/* ---- arguments and results ---- */

static const struct btf_type *without_names(const struct types *t, uint32_t number)
{
	const struct btf_type *ret = type_of(t, number);

	while (ret) {
		switch (BTF_INFO_KIND(ret->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			ret = type_of(t, ret->type);
			continue;
		}
		break;
	}
	return ret;
}

/* The verifier takes loads of some pointers only. */
static int way_of_pointer(const struct types *t, uint32_t to)
{
	const struct btf_type *type = without_names(t, to);

	switch (type ? BTF_INFO_KIND(type->info) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
		return BPFTARGETS_LOADED;
	default:
		return to ? BPFTARGETS_ASKED : BPFTARGETS_LOADED;
	}
}

static int way_of(const struct types *t, uint32_t number)
{
	const struct btf_type *type = without_names(t, number);

	switch (type ? BTF_INFO_KIND(type->info) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return type->size <= 8 ? BPFTARGETS_LOADED : BPFTARGETS_NONE;
	case BTF_KIND_PTR:
		return way_of_pointer(t, type->type);
	default:
		return BPFTARGETS_NONE;
	}
}

/* Fills in the arguments; false: the function is not one of those to find. */
static bool take_prototype(struct bpftarget *target, const struct types *t, uint32_t number)
{
	const struct btf_type *type = type_of(t, number);
	const struct btf_param *params = (const void *)(type + 1);

	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_FUNC_PROTO ||
	    BTF_INFO_VLEN(type->info) > BPFTARGETS_ARGS)
		return false;
	target->nargs = BTF_INFO_VLEN(type->info);
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

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct bpftarget *)a)->name, ((const struct bpftarget *)b)->name);
}

static bool is_in(const struct bpftarget *target, const char *module)
{
	return module ? target->module && !strcmp(target->module, module) : !target->module;
}

/* The types tell no difference between functions of the same name. */
static void take_function(struct bpftarget *target, const struct types *t, uint32_t number,
			  int types)
{
	const struct btf_type *type = type_of(t, number);

	if (!target->is_seen && take_prototype(target, t, type->type))
		target->target.function = number;
	else
		target->target.function = 0;
	target->target.types = types;
	target->is_seen = true;
}

/* Targets of the same name stand together. */
static void take_functions(struct bpftarget *targets, unsigned n, const struct types *t,
			   const char *module, int types)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct bpftarget key, *found;

		if (BTF_INFO_KIND(t->all[i]->info) != BTF_KIND_FUNC)
			continue;
		key.name = name_of(t, t->all[i]->name_off);
		found = bsearch(&key, targets, n, sizeof(key), compare_names);
		while (found && found > targets && !strcmp(found[-1].name, key.name))
			found--;
		for (; found && found < targets + n && !strcmp(found->name, key.name); found++)
			if (is_in(found, module))
				take_function(found, t, t->first + i, types);
	}
}

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

static void take_module(struct bpftarget *targets, unsigned n, const struct types *kernel,
			const char *module)
{
	int fd = open_types(module);
	struct types t;

	if (fd > 0 && types_read(&t, module, kernel))
		take_functions(targets, n, &t, module, fd);
	if (fd > 0)
		types_free(&t);
}

void bpftargets_find(struct bpftarget *targets, unsigned n)
{
	struct types kernel;

	qsort(targets, n, sizeof(*targets), compare_names);
	if (types_read(&kernel, "vmlinux", NULL)) {
		take_functions(targets, n, &kernel, NULL, 0);
		for (unsigned i = 0; i < n; i++) {
			bool is_first = targets[i].module != NULL;

			for (unsigned k = 0; k < i && is_first; k++)
				is_first = !is_in(&targets[k], targets[i].module);
			if (is_first)
				take_module(targets, n, &kernel, targets[i].module);
		}
	}
	types_free(&kernel);
}
