/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of the target kernel, filled on first use: the interface below kernel.h. */
#ifndef STAP_FACTS_H
#define STAP_FACTS_H

#include "base/session.h"
#include "formats/btf.h"
#include "formats/file.h"
#include "kernel/factcache.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/hashmap.h"
#include "lib/vec.h"

/*
 * Place of a function: it exists; it is gone once the kernel or the module has started;
 * it has no symbol; its symbol has a compiler's suffix.
 */
enum symbol_place {
	SYMBOL_TEXT = 'T',
	SYMBOL_INIT = 'I',
	SYMBOL_ABSENT = 'A',
	SYMBOL_SUFFIXED = 'S'
};

/* A module of the target. */
struct kernel_module {
	const char *name; /* with '_', as the kernel spells it */
	const char *path; /* of the .ko */
	struct btf *btf;  /* by module_btf() */
	struct error *failure;
	struct bytes elf;    /* by module_elf() */
	struct hashmap init; /* by module_function_place() */
	bool init_read;
};

struct facts {
	struct btf *btf; /* vmlinux, by kernel_btf() */
	struct error *btf_failure;
	struct bytes btf_bytes;
	const char *btf_digest; /* btffile.c */
	/* symbols.c: an enum symbol_place for each function; NULL: not known */
	const uint8_t *places;
	struct hashmap *globals; /* symbols.c: global functions; NULL: not known */
	bool globals_tried;
	struct hashmap suffixed; /* "foo" -> "foo.isra.0 foo.constprop.0" */
	struct hashmap refused;	 /* functions that take no kprobe */
	bool places_tried;
	struct hashmap modules; /* modules.c: name -> struct kernel_module */
	VEC(struct kernel_module *) module_list;
	bool modules_read;
	struct hashmap exports; /* config.c: symbol -> module */
	bool exports_read;
	struct hashmap config;
	bool config_read;
	struct hashmap syscalls; /* syscalls.c: name -> struct declaration */
	VEC(struct declaration *) syscall_list;
	bool syscalls_read;
	struct hashmap inlined_calls; /* syscalls.c: those that BTF does not have */
	VEC(const char *) inlined_list;
	bool inlined_read;
	struct hashmap trace_systems; /* tracesystems.c: tracepoint -> system */
	struct hashmap trace_system_names;
	bool trace_systems_read;
	struct hashmap *enumerators; /* types/enums.c: names of vmlinux's own; NULL: not read */
};

/* The running kernel's table, and the directory that has those of its modules, too. */
#define VMLINUX_RUNNING_DIR "/sys/kernel/btf"
#define VMLINUX_RUNNING	    VMLINUX_RUNNING_DIR "/vmlinux"

static inline struct facts *session_facts(struct session *s)
{
	return s->kernel->facts;
}

/*
 * Finds the kernel's own table (btfsource.c), or the table of a module by name
 * (modules.c; NULL: the kernel's).
 */
struct error *kernel_btf(struct session *s, struct btf **ret);
struct error *kernel_module_btf(struct session *s, const char *module, struct btf **ret);

/*
 * Finds the table in a file, whatever its form (btffile.c). ERROR_ABSENT: there is no
 * such file, or it has none.
 */
struct error *btffile_read(struct session *s, const char *path, struct bytes *ret);
/* Finds the kernel's table that --btf names; refuses one that is not the target's. */
struct error *btffile_given(struct session *s, struct bytes *ret);
struct error *btffile_check(struct session *s, const char *file, struct btf *b);
/* Returns the file with a module's table in the directory of --btf, or NULL. */
const char *btffile_of_module(struct session *s, const char *name);
void btffile_each_module(struct session *s, void (*callback)(struct session *s, const char *name));

/* True: the file boots, and vmlinux_payload() finds the packed kernel in it. */
bool vmlinux_is_packed(struct session *s, const struct bytes *image);
struct error *vmlinux_payload(struct session *s, const struct bytes *image, struct bytes *ret);
/* Returns the unpacked kernel image, an ELF file, and the vmlinuz it came from. */
struct error *vmlinux_image(struct session *s, struct bytes *ret, const char **vmlinuz);
/* Finds a section of an unpacked kernel, which may be an ELF file or not. */
struct error *vmlinux_part(struct session *s, const struct bytes *kernel, const char *name,
			   struct bytes *ret);
/* Finds a section of the image, and unpacks no more of it than necessary. */
struct error *vmlinux_section(struct session *s, const char *name, struct bytes *ret);

/* Finds a module by name (modules.c). '-' and '_' are equal in names. */
struct error *module_find(struct session *s, const char *name, struct kernel_module **ret);
struct error *module_btf(struct session *s, struct kernel_module *m, struct btf **ret);
void modules_read(struct session *s);
/* Returns SYMBOL_INIT when the function is gone once the module is loaded. */
enum symbol_place module_function_place(struct session *s, const char *module, const char *name);

/*
 * Returns a file or directory of the kernel's headers (config.c), as
 * "include/linux/fs.h"; NULL: it is not installed.
 */
const char *kernel_header(struct session *s, const char *name);

/*
 * True: the entry point of a call is another name of __do_sys_NAME, and no parameter is
 * passed (syscalls.c).
 */
bool syscall_without_params(struct btf *b, const char *name);

/*
 * Returns whether a function in the kernel's BTF has a symbol that stays after boot
 * (symbols.c). This comes from the image or from the running kernel; if neither can be
 * read, the result is SYMBOL_TEXT for all. i is the index in btf_functions(); *symbol is
 * changed when the symbol carries a compiler's suffix.
 */
enum symbol_place symbol_place(struct session *s, size_t i, const char *name, const char **symbol);

/*
 * Reads the symbol table that a kernel carries in .rodata (kallsyms.c). Calls back for
 * each function, and for each name on the blacklist of kprobes.
 */
enum kallsyms_kind {
	KALLSYMS_FUNCTION,
	KALLSYMS_INIT, /* gone after boot */
	/*
	 * code that must not be traced at all: entry code, and code that handles kprobes
	 */
	KALLSYMS_NOINSTR,
	/* a function of that name takes no kprobe; it is reported as a function, too */
	KALLSYMS_REFUSED,
};
/* `type` is nm's letter: a capital one for symbols that other files see. */
typedef void (*kallsyms_callback)(void *ctx, const char *name, char type, enum kallsyms_kind kind);
struct error *kallsyms_read(struct arena *a, const struct bytes *rodata, kallsyms_callback callback,
			    void *ctx);
/*
 * The same for the running kernel, from /proc/kallsyms. If addresses there are hidden
 * from the user, functions that are gone after boot cannot be recognised and count as
 * present.
 */
struct error *kallsyms_running(struct arena *a, kallsyms_callback callback, void *ctx);

#endif
