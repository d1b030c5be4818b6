/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: the program as the loader of its handlers. Its data, and everything that
 * the session allocates, are in an arena, which the handlers see at the same addresses;
 * the linker has placed the data there (translator/build/user.c). Everything except the
 * handlers runs in the program, as with --runtime=user.
 */
#ifndef STP_USER_BPFLOAD_H
#define STP_USER_BPFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpfload_kind;
struct stp_probe;

/* A function of the kernel that programs of the type TRACING are attached to. */
struct bpfload_target {
	uint32_t function, prototype; /* numbers of types */
	int types;		      /* descriptor of a module's types; 0: the kernel's own */
};

/* How a program is attached: see bpf(2). */
struct bpfload_kind {
	unsigned type, attach_type;
	struct bpfload_target target;
	bool is_quiet; /* a refusal has no message: there is another way */
};

/*
 * Makes the arena, moves the program's data there, and loads the handlers. Comes before
 * stp_session_create(), and after all processes are started. False with a message.
 */
bool bpfload_start(bool verbose);
union bpf_attr;
long bpfload_call(int command, union bpf_attr *attr); /* bpf(2) */
/* Loads the handlers. Returns the program's descriptor; < 0: errno, with a message. */
int bpfload_handlers(const struct bpfload_kind *kind);
struct bpf_insn;
/* False: too much would be verified if the handlers were joined to one more point. */
bool bpfload_has_room(void);
/*
 * Loads handlers that follow these instructions, which leave the context in register 1.
 * Returns < 0 without a message, too.
 */
int bpfload_joined(const struct bpfload_kind *kind, const struct bpf_insn *first, unsigned n);
unsigned bpfload_begin(void);	 /* struct bpfimage */
bool bpfload_reads(bool begins); /* port_reads_globals() */
bool bpfload_is_verbose(void);
int bpfload_arena(void); /* the map's descriptor */
/*
 * Makes an array of that type, enum bpf_map_type, whose only element is the descriptor.
 * Returns its own descriptor, or -errno.
 */
int bpfload_array_of(unsigned type, int fd);
/* A descriptor to poll: readable when bpfload_woken() must be called for a hit. */
int bpfload_waker(void);
void bpfload_woken(void);
/* Replaces the spare blocks of memory that arrays have taken. */
void bpfload_fill_spares(void);
/* Runs a hit in the kernel; is_slow: of begin, end or error. */
void bpfload_hit(const struct stp_probe *p, bool is_slow);

#endif
