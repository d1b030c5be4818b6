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
 * What is done once is cold: compiled for size. start, stop and destroy are called by one
 * thread at a time (the back end holds a mutex).
 */
#ifndef STP_SESSION_H
#define STP_SESSION_H

#include "api.h"

struct stp_ring;

/* 0 or -errno; what was allocated is freed again */
int stp_session_create(void) __attribute__((cold));
/* Before the start: what tz_name() and its like tell. */
void stp_session_set_zone(const struct stp_zone *zone) __attribute__((cold));
/* The caller's process is the reader. */
void stp_session_set_reader(void);
/* Before the start: what becomes of output that finds its ring full. */
void stp_session_set_on_full(enum stp_on_full mode) __attribute__((cold));
/* Before the session is made: size of each CPU's ring, 0: as the script says. */
extern uint32_t stp_buffer_mb;
int stp_session_start(int64_t target, char *error, size_t size) __attribute__((cold));
void stp_session_stop(bool run_end_probes) __attribute__((cold));
void stp_session_destroy(void) __attribute__((cold));

enum stp_state stp_session_state(void);
/* From any context: RUNNING -> EXITING, and wakes the reader. */
void stp_session_request_exit(void);
void stp_session_status(struct stp_status *ret) __attribute__((cold));
/* See STP_IOC_HORIZON. */
uint64_t stp_session_horizon(void);
unsigned stp_session_nrings(void);
struct stp_ring *stp_session_ring(unsigned n);
/* Writes the books as uapi/msg.h describes, line by line. */
void stp_session_books(void (*line)(void *ctx, const char *text), void *ctx) __attribute__((cold));
/*
 * A family could not register something: the reason for the user
 * ("kernel.function(\"x\"): no such symbol"). The first is kept and makes
 * stp_session_start() fail unless it returns 0 from add(); then it is a warning.
 */
void stp_setup_error(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));
void stp_setup_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* The worker: brings what arrays have asked for; may sleep. */
void stp_maps_grow(void);

/* The script ended by an error: error probes run in place of end probes. */
bool stp_session_failed(void);
/* While the session stops: end (or error) probes are to run. */
bool stp_session_end_wanted(void);

/* ---- what probe families call ---- */

/* Their hits are p->hit(), see api.h. */
/*
 * begin, end, error: in the sleeping context; output
 * that finds its ring full waits for the reader.
 */
bool stp_hit_slow(const struct stp_probe *p);

#endif
