/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running script: its state, contexts, rings and books. One per module or process.
 *
 *   stp_session_create   allocates everything; nothing runs
 *   stp_session_start    begin probes in order, then families' add()          LOADED ->
 *                        RUNNING (or EXITING)
 *   stp_session_stop     families' remove() backwards, then end or error      any ->
 *                        STOPPED
 *   stp_session_destroy  frees
 *
 * Functions that run once are cold: compiled for size. Only one thread at a time calls
 * start, stop and destroy (the back end holds a mutex).
 */
#ifndef STP_SESSION_H
#define STP_SESSION_H

#include "api.h"

struct stp_ring;
struct stp_start; /* uapi/msg.h */

/* Returns 0 or -errno. On an error, everything that was allocated is freed again. */
int stp_session_create(void) __attribute__((cold));
/*
 * Sets what the reader asks for: the zone that tz_name() and similar functions return,
 * whether the output has the task of each hit and the numbers of histograms, what happens
 * when a ring is full, the length of warnings. Call it before the start.
 */
void stp_session_prepare(const struct stp_start *start) __attribute__((cold));
/* Makes the caller's process the reader. */
void stp_session_set_reader(void);
/* Size of each CPU's ring; 0: the script's. Set before the session is created. */
extern uint32_t stp_buffer_mb;
/*
 * The memory limit of the run, in megabytes; 0: none. Set it before the session is
 * created, which fails with EDQUOT if it needs more.
 */
extern uint32_t stp_memory_mb;
/*
 * Counts memory that is allocated, or reserved for growth, while the session is created.
 * Later allocations are temporary or were reserved. False: this exceeds the limit.
 */
bool stp_session_take(uint64_t bytes) __attribute__((cold));
/*
 * Takes at most that many bytes, or a quarter of the remaining ones. Returns the number.
 */
uint64_t stp_session_take_some(uint64_t most) __attribute__((cold));
/* Returns the number of counted bytes. */
uint64_t stp_session_memory(void) __attribute__((cold));
/* Ignores hits of tasks other than the target's. Call it before the start. */
void stp_session_set_filtered(void) __attribute__((cold));
int stp_session_start(int64_t target, char *error, size_t size) __attribute__((cold));
void stp_session_stop(bool run_end_probes) __attribute__((cold));
void stp_session_destroy(void) __attribute__((cold));

enum stp_state stp_session_state(void);
/* Changes RUNNING to EXITING and wakes the reader. For any context. */
void stp_session_request_exit(void);
void stp_books_status(struct stp_status *ret) __attribute__((cold));
/* See STP_IOC_HORIZON. */
uint64_t stp_session_horizon(void);
unsigned stp_session_nrings(void);
struct stp_ring *stp_session_ring(unsigned n);
/* Writes the books line by line, as uapi/msg.h describes. */
void stp_books_write(void (*line)(void *ctx, const char *text), void *ctx) __attribute__((cold));
/*
 * Switches probes on or off: "INDEX:on", "all:off". Hits of probes that are off count as
 * filtered. False: the request is malformed, or there is no such probe. Calls of this and
 * of stop must not overlap.
 */
bool stp_session_switch(const char *request) __attribute__((cold));
bool stp_session_is_off(uint32_t index) __attribute__((cold));
/*
 * The name of the script as given by the program that started it: a file, or the text of
 * -e.
 */
extern char *stp_script_text;
/* Describes the run line by line, as in uapi/status.h. */
void stp_about_write(void (*line)(void *ctx, const char *text), void *ctx) __attribute__((cold));
/*
 * Reports that a family could not register something: the reason for the user
 * ("kernel.function(\"x\"): no such symbol"). The first one is kept and makes
 * stp_session_start() fail, unless add() returns 0: then it is a warning.
 */
void stp_setup_error(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));
void stp_setup_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* The worker: allocates the memory that arrays have requested; may sleep. */
void stp_store_grow(void);

/* True: the script ended by an error. Error probes run in place of end probes. */
bool stp_session_failed(void);
/* True: it ended by an error because its probes took too much of a CPU's time. */
bool stp_session_overloaded(void);
/* True: end (or error) probes must run while the session stops. */
bool stp_session_end_wanted(void);

/* ---- functions for probe families ---- */

/* Families run their hits by p->hit(), see api/script.h. */
/*
 * stp_hit_slow() of core/port.h runs begin, end and error in the sleeping context. If the
 * ring is full, their output waits for the reader.
 */

#endif
