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
	const char *root;      /* the tree that it lies in (kernel/tree.h); "": the machine's own */
	const char *build_dir; /* ROOT/lib/modules/RELEASE/build, or what -r /DIR names */
	const char *arch;      /* "x86_64" */
	bool is_running;       /* release is the running kernel's */
	void *facts;           /* debuginfo/ private */
};

/*
 * Picks the target: -r, else the running kernel, else (with --vm, or when the running
 * kernel has no build tree) the newest kernel that has headers, of all trees. Opens
 * nothing. The error names what gets one.
 */
struct error *kernel_open(struct session *s);
/*
 * kernel_open(), unless it has been called; an
 * error under --runtime=user, which has no kernel.
 */
struct error *kernel_need(struct session *s);

/* A function's prototype as BTF has it. */
struct kernel_param {
	const char *name;    /* "" when BTF has none */
	uint32_t type_id;
};
struct kernel_function {
	const char *name;
	const char *
		symbol; /* as kallsyms has it: name, or name with a compiler's suffix (".isra.0") */
	const char *module;  /* NULL: vmlinux */
	uint32_t return_type; /* 0: void */
	VEC(struct kernel_param) params;
	bool variadic;
	struct btf *btf;     /* the table the type ids belong to */
};
typedef VEC(struct kernel_function) kernel_functions;

/*
 * All functions matching a glob (fnmatch) in the kernel (module NULL) or in modules
 * matching a glob, sorted by name, no duplicates. Compiler-made names (with a '.'),
 * __pfx_* and __cfi_* are left out of wildcards, and of all what passes.
 */
struct error *kernel_find_functions(struct session *s, const char *module, const char *glob,
				    kernel_functions *ret);
/*
 * The function passes: it is there while the kernel or the
 * module starts, or for the kernel's end, and not in between.
 */
bool kernel_function_passes(struct session *s, const char *module, const char *name);
/*
 * Tracepoints: name without "__traceiter_", parameters without the leading void *.
 * Without a module (a glob) the kernel's, or where the kernel has none that match, those
 * of all modules.
 */
struct error *kernel_find_tracepoints(struct session *s, const char *module, const char *glob,
				      kernel_functions *ret);
/* "sched" of sched_switch; NULL: the kernel's headers do not tell. */
const char *kernel_tracepoint_system(struct session *s, const char *name);
/* They have tracepoints of that system. */
bool kernel_has_trace_system(struct session *s, const char *system);
/*
 * System calls as declared in include/linux/syscalls.h. name without "sys_". ERROR_ABSENT
 * when there is none. c_types holds each parameter's C type as written. The type ids are
 * 0 when BTF does not know the type.
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
/* Every system call that the kernel has an entry for, sorted by name. */
struct error *kernel_syscall_names(struct session *s, const char *const **ret, size_t *count);
/*
 * What the kernel calls the module that is named so, or
 * lies at that path: "fs/nfs-acl.ko.xz" is "nfs_acl".
 */
const char *kernel_module_name(struct session *s, const char *text);
enum kernel_module_kind { MODULE_ABSENT, MODULE_LOADABLE, MODULE_BUILT_IN };
enum kernel_module_kind kernel_module_kind(struct session *s, const char *name);
/*
 * A module that lies in a file of its own, outside of the kernel's directory;
 * *name is what the kernel calls it, and what stands for it from here on.
 */
struct error *kernel_module_file(struct session *s, const char *path, const char **name);
/* Modules of the target by name, with wildcards. */
struct error *kernel_modules_matching(struct session *s, const char *glob, const char *const **ret,
				      size_t *count);
/* Near names for "did you mean". */
const char *kernel_near_functions(struct session *s, const char *module, const char *name);
const char *kernel_near_tracepoints(struct session *s, const char *name);

/* ---- types ---- */

/* A type by C name: "task_struct", "struct task_struct", "unsigned int", "size_t". */
struct error *types_find(struct session *s, const char *module, const char *name, struct btf **btf,
			 uint32_t *ret);
/*
 * The module that has the type, of those that the kernel lacks: those called like
 * its first word are asked first, as scsi_mod is for scsi_cmnd. NULL: none has.
 */
const char *types_holder(struct session *s, const char *name, struct btf **btf, uint32_t *ret);
/* The same among the kernel's own types, cheaper: 0 when there is none. */
uint32_t types_known(struct session *s, const char *name);
/* Type as C spells it: "struct file *". */
const char *types_str(struct session *s, const struct btf *btf, uint32_t type_id);
/*
 * A C declaration usable without any kernel header: structs as
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
 * Appends to a->steps what it takes to follow path from a value of the type (a pointer
 * to, for aggregates, its address), and sets a->c_type. The value at the end is loaded,
 * or its address when it is an aggregate or array or when address_of. ERROR_ABSENT names
 * the missing member, the type and near members.
 */
struct error *member_follow_named(struct session *s, struct btf *btf, uint32_t type_id,
				  const path_steps *path, bool address_of, struct access *a);

/*
 * The directory of the makefiles and headers. Debian's build directory only includes that
 * of the sources: by its whole name, or counted from the build directory where the kernel
 * was unpacked aside.
 */
const char *kernel_source_dir(struct session *s);

/* ---- exports and config, for build/facts ---- */
bool kernel_exports(struct session *s, const char *symbol);
/*
 * A function's symbol that stays after boot; true
 * as well where the kernel's image cannot tell.
 */
bool kernel_has_symbol(struct session *s, const char *symbol);
/*
 * "foo.isra.0" of "foo": the i-th that the compiler made of a function, with other
 * parameters. NULL: there are no more, or that cannot be known.
 */
const char *kernel_specialised(struct session *s, const char *name, size_t i);
/*
 * Kprobes refuse the kernel's function; *is_traced:
 * ftrace may call at its entry all the same.
 */
bool kernel_refuses_kprobe(struct session *s, const char *symbol, bool *is_traced);
/*
 * The value of CONFIG_X from the target's .config/auto.conf: "y", "m", "100",
 * "\"text\"" without quotes; NULL when unset. The name may leave "CONFIG_" out.
 */
const char *kernel_config(struct session *s, const char *name);

#endif
