/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user-space back end: the script as an ordinary process, one thread that is CPU 0.
 * main.c starts and ends it, timer.c is its loop, drain.c the reader of its rings.
 */
#ifndef STP_USER_H
#define STP_USER_H

#include <stdio.h>

#include "api.h"

/* ---- port.c ---- */
/* Number of CPUs; set before the session is created. Tests use threads as CPUs. */
extern unsigned user_cpu_count;
extern _Thread_local unsigned user_cpu; /* CPU of the calling thread */

/*
 * Loads the program of a timer's hits before there are other hits: these ask the process
 * for memory and for room in the ring, and loading may take long. False: the error is the
 * set-up's.
 */
bool user_timer_prepare(const struct stp_probe *p);
/* Runs a hit of a probe that is not begin, end or error. */
void user_hit(const struct stp_probe *p);

/*
 * Returns a descriptor to poll, or -1: when it is readable, user_woken() must be called.
 */
int user_waker(void);
void user_woken(void);
/*
 * Returns how long a wait may be, at most `ms`: output comes from elsewhere at any time.
 */
int user_wait_ms(int ms);

/* ---- timer.c ---- */
/*
 * Waits until a timer is due, a signal in `set` came or the state changed, and runs the
 * timers that are due; at most timeout_ms.
 */
void user_timers_run(int timeout_ms);

/* ---- target.c ---- */
/*
 * Forks a command, which waits for user_target_release(); aside: its output to stdout
 * goes to stderr. Returns 0 or -errno.
 */
int user_target_run(const char *command, int64_t *pid, bool aside);
/* Takes a running process as target; 0 or -errno. */
int user_target_attach(int64_t pid);
/* Lets the command go, or makes it end without having run. */
void user_target_release(bool run);
bool user_target_waits(void); /* the command has not begun to run */
/*
 * Returns a descriptor to poll: readable when the process has ended; then
 * user_target_ended() ends the script. -1: there is none.
 */
int user_target_watch(void);
void user_target_ended(void);
/* From now on, the end of the process does not end the script. */
void user_target_leave(void);
/* Called for a child that was waited for. True: it was the command. */
bool user_target_reaped(pid_t pid, int status);
/*
 * Called when the script has ended: a running command gets SIGTERM. True: it ended by
 * itself with a status other than 0, which was reported.
 */
bool user_target_finish(void);

/* ---- control.c ---- */
/* Opens the socket. Without one the run continues nevertheless. */
void user_control_open(void);
/* Returns a descriptor to poll: readable when there is something to serve; -1: never. */
int user_control_poll(void);
void user_control_serve(void);
/*
 * Waits until there is something to serve, or a signal, and serves it; at most
 * timeout_ms, -1: for ever.
 */
void user_control_wait(int timeout_ms);
/* How the run has ended, for its reader, or for those who asked it to end. */
struct user_end {
	int status;	 /* of the program */
	bool lost;	 /* hits or output */
	uint64_t unread; /* records that no reader has taken */
	uint64_t given;	 /* to the reader: user_drain_given() */
};
void user_control_end(const struct user_end *end);
void user_control_close(void);

/* ---- reader.c ---- */
#define USER_READER_PIPES 2 /* for the output, for messages */
/* Gives the standard streams up: messages go to the system's log. */
void user_reader_background(void);
/* From now on, the run continues without a reader. */
void user_reader_leave(void);
/* Asks the run to end. For signal handlers, too. */
void user_reader_stop(void);
/* True: the run must wait for a reader, even if its script has ended. */
bool user_reader_is_awaited(void);
bool user_reader_wants_books(void);
/* Gives the turn to attach. False: the run is not kept, or another process has it. */
bool user_reader_reserve(pid_t pid);
/* Returns the process that has the turn; 0: none. */
pid_t user_reader_pid(void);
/* Attaches that process. text: "FLAGS [FORM]". The caller closes the pipes. */
bool user_reader_attach(const char *text, const int pipes[USER_READER_PIPES]);
/* Detaches it; flush: after it has got the records that were read for it. */
void user_reader_detach(bool flush);
/* The process has ended, or given the turn up. */
void user_reader_gone(void);
/* The reader takes no more output. False: the run must end for that. */
bool user_reader_lost(void);

/* ---- drain.c ---- */
struct sinkpipe;
struct streamform_request;
/* The place of the script's output. */
struct user_output {
	int fd;		       /* -1: nobody reads; the output stays in the ring */
	const char *name;      /* in messages */
	struct sinkpipe *sink; /* takes the records unformatted, through fd; or NULL */
	/* fd gets a stream of records, messages and the books; NULL: it does not */
	const struct streamform_request *stream;
	bool aside;   /* commands of system() write to stderr instead of stdout */
	bool colored; /* rows of heat maps are in colours */
};
void user_drain_init(const struct user_output *o);
/* Gives the output a reader, and takes it away. False: no memory. */
bool user_drain_attach(const struct user_output *o);
void user_drain_detach(bool flush);
/* Returns how many records the last reader was given, if it asked for them as data. */
uint64_t user_drain_given(void);
bool user_drain_is_read(void);
/* Returns how many records nobody has read, and drops them. */
uint64_t user_drain_unread(void);
/*
 * Writes the records in the rings that are older than the horizon; all of them when
 * `last`. True: some are left, to be written a moment later.
 */
bool user_drain(bool last);
/* Writes the present books, and values, to a stream if that is due. */
void user_drain_look(void);
/* Returns the milliseconds until the next look; -1: there is none. */
int user_drain_look_ms(void);
/* True: some output could not be written, or there was an ERROR in it. */
bool user_drain_failed(void);
/*
 * Returns the pipe that is written to, or -1. A pipe without a reader is an error even
 * when nothing is printed: then user_drain_hangup() is called.
 */
int user_drain_reader(void);
void user_drain_hangup(void);
/* True: the reader of standard output has gone, which is not a failure. */
bool user_drain_reader_left(void);
/*
 * Closes the output, and waits until the sink has ended. True: some output was lost, or
 * failed before.
 */
bool user_drain_end(void);
/*
 * Writes how many records there were, and how many the sink, if any, has stored. After
 * user_drain_end().
 */
void user_drain_print(FILE *to);
void user_drain_free(void);

#endif
