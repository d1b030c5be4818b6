/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that core/ needs from a back end. Implemented by kernel/port.c and
 * port_inline.h (env.h), and the same files of user/. env.h also provides: fixed-width
 * integers, bool, memcpy & co., snprintf/vsnprintf, READ_ONCE, WRITE_ONCE,
 * smp_store_release, smp_load_acquire, smp_mb, likely, unlikely, try_cmpxchg32(int32_t
 * *p, int32_t *old, int32_t new), and try_cmpxchg64() of uint64_t.
 */
#ifndef STP_PORT_H
#define STP_PORT_H

#include "api.h"

/* Returns zeroed memory, or NULL. May sleep. Large blocks are allowed. */
void *port_alloc(size_t bytes) __attribute__((cold));
void port_free(void *mem) __attribute__((cold));
uint64_t port_total_memory(void) __attribute__((cold));
/* Fills memory with unpredictable bytes, without waiting for the system's entropy. */
void port_random(void *to, size_t bytes) __attribute__((cold));

/* Returns the number of CPUs: contexts and rings are created for CPUs 0 … count-1. */
unsigned port_cpu_count(void) __attribute__((cold));
static __always_inline unsigned port_this_cpu(void); /* stable inside port_irq_save … restore */
bool port_cpu_possible(unsigned cpu) __attribute__((cold));

/* Between these two, no interrupts and no other handlers run on this CPU, except NMIs. */
static __always_inline unsigned long port_irq_save(void);
static __always_inline void port_irq_restore(unsigned long flags);

int64_t port_process(void); /* process id of the caller */
#define STP_STARTERS 2
/*
 * Stores the process ids of the staprun and the stap that wait for the caller; 0: it does
 * not exist.
 */
void port_starters(int64_t ret[STP_STARTERS]) __attribute__((cold));

uint64_t port_monotonic_ns(void); /* NMI-safe, CLOCK_MONOTONIC */
uint64_t port_realtime_ns(void);
static __always_inline uint64_t port_cycles(void);
uint64_t port_cycles_ns(uint64_t cycles);	       /* 0: their rate is unknown */
void port_delay_us(unsigned us);		       /* busy loop */
void port_sleep_ms(unsigned ms) __attribute__((cold)); /* only where c->sleepable */

/*
 * Tells the reader that a ring has reached its wake-up level or that the state has
 * changed. For any context.
 */
void port_wake_reader(void);
/*
 * Called by a hit that has filled its ring up to hold_level: the task returns to user
 * mode only when there is room.
 */
void port_hold_task(void);
#define PORT_WORKERS 2
/*
 * Makes worker 0 or 1 call stp_store_grow() in a context that can allocate, on the
 * calling processor unless the worker is already running. For any context.
 */
void port_wake_worker(unsigned worker);
/* Stops the workers. Afterwards none is running, and none may be woken. */
void port_stop_workers(void);
/*
 * True while there is a reader: a sleeping probe waits for room only as long as this is
 * true.
 */
bool port_reader_present(void) __attribute__((cold));

/*
 * The inline half defines PORT_REPEATS, which tells whether a hit can be repeated after
 * something of the program was absent; PORT_ALLOCATES, which tells whether a handler
 * that may sleep allocates memory itself; PORT_SAMPLES, which tells whether most hits do
 * not read the clock, because that takes long; PORT_PARTS, which tells whether several
 * handlers may add to an array at the same time; and PORT_SPARES, which tells whether
 * there are spare blocks of memory for arrays whose worker comes late.
 */
#define PORT_SPARE_BYTES ((512u << 10) - 64)
/* Takes a spare block, zeroed; NULL: there is none. Only with PORT_SPARES. */
void *port_spare_take(void);
/*
 * Runs a hit of begin, end or error. In the kernel and in a program this is
 * stp_hit_slow() of core/session.h, which is declared here for the inline halves.
 */
void stp_hit_slow(const struct stp_probe *p);
static __always_inline void port_hit_slow(const struct stp_probe *p);

/* Makes hits ask whether they may run, where they do not look at their struct stp_cpu. */
static __always_inline void port_hits_ask(void);
/*
 * Makes hits take the locks of globals, where they do so only while some are read. False:
 * a hit that has begun before does not end.
 */
static __always_inline bool port_reads_globals(bool begins);
/*
 * Call the handler of the hit; the probe's condition. A BPF program cannot call through
 * pointers.
 */
static __always_inline void port_handler_run(void (*handler)(struct stp_ctx *c), struct stp_ctx *c);
static __always_inline bool port_condition_run(const struct stp_probe *p, struct stp_ctx *c);

/*
 * Writes the name of a kernel's address, "vfs_read+0x10/0x110 [ext4]", or "0x…" if none
 * is known, and returns its length. The text has room for PORT_SYMBOL_BYTES. Not in user
 * space.
 */
unsigned port_symbol(char *text, uint64_t address);

/* Reads memory of the probed code. False: not all of it can be read. Never sleeps. */
bool port_memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size);
/*
 * stp_load(), stp_load_string(), stp_store(), stp_arg(), stp_retval() and
 * stp_syscall_arg() are also implemented by the back end.
 */

/*
 * Hides a variable's address from the compiler, which then keeps it in a register.
 * Otherwise each use of a member is a relocation, 24 bytes of a module. For code that
 * uses many members and runs once.
 */
#define port_address(variable)                                                                     \
	({                                                                                         \
		__typeof__(&(variable)) _address = &(variable);                                    \
		__asm__("" : "+r"(_address));                                                      \
		_address;                                                                          \
	})

#ifdef __KERNEL__
#include "kernel/port_inline.h"
#elif defined(__bpf__)
#include "bpf/port_inline.h"
#else
#include "user/port_inline.h"
#endif

#endif
