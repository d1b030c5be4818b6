/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the target kernel, without debuginfo packages: BTF (from
 * /sys/kernel/btf/vmlinux when the target runs here, build/vmlinux,
 * usr/lib/debug/boot/vmlinux-RELEASE, or the payload of boot/vmlinuz-RELEASE in the
 * kernel's tree), split BTF of modules (.BTF section of the .ko files), Module.symvers
 * and the headers' syscalls.h. Everything is read on first use. All returned strings live
 * in the session's arena or in the mapped facts.
 */
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"
#include "ast/node.h"
#include "base/vec.h"

struct session;
struct error;
struct btf;
struct hashmap;

struct kernel {
	const char *release;   /* "6.1.0-56-cloud-amd64" */
	const char *root;      /* tree that holds it (kernel/tree.h); "": the machine's own */
	const char *build_dir; /* ROOT/lib/modules/RELEASE/build, or the directory of -r /DIR */
	const char *arch;      /* "x86_64" */
	bool is_running;       /* release is the running kernel's */
	void *facts;           /* facts.h; private */
};

/*
 * Picks the target: -r, else the running kernel, else (with --vm, or when the running
 * kernel has no build tree) the newest kernel that has headers, of all trees. Opens
 * nothing. The error says how to get one.
 */
struct error *kernel_open(struct session *s);
/*
 * Calls kernel_open() unless that was done; an error under --runtime=user, which has no
 * kernel.
 */
struct error *kernel_need(struct session *s);

/* A function's prototype from BTF. */
struct kernel_param {
	const char *name;    /* "" when BTF has none */
	uint32_t type_id;
};
struct kernel_function {
	const char *name;
	/* name in kallsyms: name, or name with a compiler's suffix (".isra.0") */
	const char *symbol;
	const char *module;  /* NULL: vmlinux */
	uint32_t return_type; /* 0: void */
	VEC(struct kernel_param) params;
	bool variadic;
	struct btf *btf;     /* the table the type ids belong to */
};
typedef VEC(struct kernel_function) kernel_functions;

/*
 * Finds all functions that match a glob (fnmatch) in the kernel (module NULL) or in
 * modules that match a glob, sorted by name, without duplicates. Wildcards do not match
 * compiler-made names (with a '.'), __pfx_* and __cfi_*. Functions that pass
 * (kernel_function_passes()) are never found.
 */
struct error *kernel_find_functions(struct session *s, const char *module, const char *glob,
				    kernel_functions *ret);
/*
 * True: the function passes: it exists while the kernel or the module starts or ends, and
 * not in between.
 */
bool kernel_function_passes(struct session *s, const char *module, const char *name);
/*
 * Finds tracepoints: name without "__traceiter_", parameters without the leading void *.
 * Without a module (a glob): those of the kernel, or where none of them match, those of
 * all modules.
 */
struct error *kernel_find_tracepoints(struct session *s, const char *module, const char *glob,
				      kernel_functions *ret);
/* Returns "sched" for sched_switch; NULL: the kernel's headers do not tell. */
const char *kernel_tracepoint_system(struct session *s, const char *name);
/* True: the kernel's headers have tracepoints of that system. */
bool kernel_has_trace_system(struct session *s, const char *system);
/*
 * A system call as declared in include/linux/syscalls.h; name is without "sys_".
 * ERROR_ABSENT when there is none. c_types holds each parameter's C type as written. A
 * type id is 0 when BTF does not know the type.
 */
struct kernel_syscall {
	const char *name;
	VEC(struct kernel_param) params;
	VEC(const char *) c_types;
	VEC(unsigned) sizes;        /* bytes: 1 2 4 8 */
	VEC(bool) is_signed;
	const char *entry;          /* "__x64_sys_read", NULL when the kernel has none */
	/* "__ia32_sys_read" or "__ia32_compat_sys_…", NULL when there is none */
	const char *compat_entry;
	VEC(struct kernel_param) compat_params; /* reserved: same as params */
	struct btf *btf;
};
struct error *kernel_find_syscall(struct session *s, const char *name, struct kernel_syscall *ret);
/* Returns every system call that the kernel has an entry for, sorted by name. */
struct error *kernel_syscall_names(struct session *s, const char *const **ret, size_t *count);
/*
 * Returns the kernel's name of the module that is named so, or lies at that path:
 * "fs/nfs-acl.ko.xz" is "nfs_acl".
 */
const char *kernel_module_name(struct session *s, const char *text);
enum kernel_module_kind { MODULE_ABSENT, MODULE_LOADABLE, MODULE_BUILT_IN };
enum kernel_module_kind kernel_module_kind(struct session *s, const char *name);
/*
 * Adds a module that lies in a file of its own, outside of the kernel's directory. *name
 * is the kernel's name for it, by which it is found from here on.
 */
struct error *kernel_module_file(struct session *s, const char *path, const char **name);
/* Returns the modules of the target whose names match the glob. */
struct error *kernel_modules_matching(struct session *s, const char *glob, const char *const **ret,
				      size_t *count);
/* Returns near names for "did you mean". */
const char *kernel_near_functions(struct session *s, const char *module, const char *name);
const char *kernel_near_tracepoints(struct session *s, const char *name);

/* ---- types ---- */

/*
 * Finds a type by its C name: "task_struct", "struct task_struct", "unsigned int",
 * "size_t".
 */
struct error *types_find(struct session *s, const char *module, const char *name, struct btf **btf,
			 uint32_t *ret);
/*
 * Returns the module that has a type that the kernel lacks. Modules named like the type's
 * first word are asked first, as scsi_mod for scsi_cmnd. NULL: no module has it.
 */
const char *types_holder(struct session *s, const char *name, struct btf **btf, uint32_t *ret);
/*
 * Finds a type among the kernel's own types alone, which is cheaper; 0 when there is
 * none.
 */
uint32_t types_known(struct session *s, const char *name);
/* Returns the type as C spells it: "struct file *". */
const char *types_str(struct session *s, const struct btf *btf, uint32_t type_id);
/*
 * Returns a C declaration of the type that needs no kernel header: structs as
 * forward-declared tags, enums as unsigned int, typedefs resolved.
 */
const char *types_abi_str(struct session *s, const struct btf *btf, uint32_t type_id);
struct type_info {
	unsigned size;
	bool is_signed;
	enum {
		KTYPE_VOID,
		KTYPE_INT,
		KTYPE_POINTER,
		KTYPE_AGGREGATE,
		KTYPE_ARRAY,
		KTYPE_OTHER
	} kind; /* typedefs and qualifiers looked through */
};
struct error *types_info(struct session *s, const struct btf *btf, uint32_t type_id,
			 struct type_info *ret);

/*
 * Appends to a->steps the steps that follow path from a value of the type (a pointer to,
 * for aggregates, its address), and sets a->c_type. The value at the end is loaded, or
 * its address when it is an aggregate or array or when address_of. ERROR_ABSENT names the
 * missing member, the type and near members.
 */
struct error *member_follow_named(struct session *s, struct btf *btf, uint32_t type_id,
				  const path_steps *path, bool address_of, struct access *a);

/*
 * Returns the directory of the makefiles and headers. Debian's build directory only
 * includes the makefile of that directory, by its full name; where the kernel was
 * unpacked elsewhere, the directory is found relative to the build directory.
 */
const char *kernel_source_dir(struct session *s);

/* ---- exports and config ---- */
bool kernel_exports(struct session *s, const char *symbol);
/*
 * True: the symbol is a function's and stays after boot; also where the kernel's image
 * cannot tell.
 */
bool kernel_has_symbol(struct session *s, const char *symbol);
/*
 * Returns "foo.isra.0" for "foo": the i-th variant, with other parameters, that the
 * compiler made of a function. NULL: there are no more, or that cannot be known.
 */
const char *kernel_specialised(struct session *s, const char *name, size_t i);
/*
 * True: kprobes refuse the kernel's function. *is_traced: ftrace may call at its entry
 * all the same.
 */
bool kernel_refuses_kprobe(struct session *s, const char *symbol, bool *is_traced);
/*
 * Returns the value of CONFIG_X from the target's .config/auto.conf: "y", "m", "100",
 * "\"text\"" without quotes; NULL when unset. The name may leave "CONFIG_" out.
 */
const char *kernel_config(struct session *s, const char *name);

#endif
