/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine: its name, its connection and its state. A machine goes through the states
 * of enum host_state in their order; HOST_OUT can follow any of them.
 */
#ifndef STAP_REMOTE_HOST_H
#define STAP_REMOTE_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/printable.h"
#include "lib/sinkpipe.h"
#include "lib/strbuf.h"
#include "lib/vec.h"
#include "trace/source/hoststream.h"

struct arch;
struct error;
struct hostprograms;
struct output;
struct session;

enum host_state {
	HOST_WAITS, /* for its turn to be connected */
	HOST_ASKED, /* for its kernel */
	HOST_TIMED, /* its clock is being read */
	HOST_READY, /* for a module */
	HOST_RUNS,
	HOST_ENDED,
	HOST_OUT, /* left out: `why` */
};

/* The machine's clock against ours. */
struct host_clock {
	unsigned rounds; /* answers so far */
	int64_t sent;	 /* when the question went out */
	int64_t trip;	 /* of the shortest way there and back; 0: not known */
	int64_t offset;	 /* nanoseconds by which its clock is ahead */
};

struct host_books {
	bool known;
	int64_t hits, delivered, dropped, skipped;
};

struct hostform;

/* The process that makes data of the machine's records: hostsink.h. */
struct hostsink {
	const char *to; /* KIND:WHERE; NULL: nothing */
	struct sinkpipe pipe;
	struct bytequeue out; /* of the stream: what waits for the pipe */
	bool is_started, is_corrected, is_ended, failed;
};

struct host {
	const char *uri;   /* as the user gave it */
	const char *name;  /* HOST of the URI: for names of files */
	const char *label; /* that name, or the URI if another machine has the name, too */
	/* the local command that runs a command there, which is its last argument */
	VEC(char *) shell;
	enum host_state state;
	const char *why;
	const struct arch *arch;
	const char *release; /* of the machine's kernel */
	const char *btf;     /* SHA-256 of that kernel's BTF, in digits; NULL: it has none */
	const char *build;   /* SHA-256 of its build-id and compiler; NULL: not known */
	bool signs;	     /* it takes only signed modules */
	bool lacks_staprun;
	bool is_old;		/* its staprun is of an older stap: it sends no streams */
	const char *os_release; /* of its distribution, as far as remedies go; NULL: not known */
	const struct hostprograms *programs; /* to be sent; NULL: it has its own */
	const char *module;		     /* path here, for that kernel */
	const char *module_text;
	size_t module_len;
	struct host_clock clock;

	/* The connection. */
	pid_t pid;
	int input, output, errors; /* -1: closed */
	int exit;		   /* exit status, once pid is 0 */
	int64_t deadline;	   /* deadline of its answer; 0: it has answered */
	struct strbuf to_send;
	size_t sent;	    /* bytes of that, then of the programs and the module */
	struct strbuf line; /* a line of output that has not ended yet */
	struct strbuf error_line;
	struct printable_last said; /* of its greeting and its errors */

	/* The run. */
	int status;
	struct host_books books;
	struct strbuf text; /* printed, without the end of its line yet */
	char cut[4];	    /* a character of the output that is not whole yet */
	size_t cut_len;
	FILE *file;	       /* of -o with %h; NULL: all have one */
	struct output *series; /* in its place, with -S */

	/* hostrecords.h */
	struct hoststream from;
	struct hostform *form;	    /* NULL: its records become no lines here */
	bool is_damaged;	    /* nothing more is taken of it */
	bool has_sent, is_finished; /* its output; all of that is written */
	struct hostsink sink;
};

typedef VEC(struct host) host_list;

/* timeout: seconds in which ssh connects; batch: nobody is asked for passwords. */
struct host_ssh {
	unsigned timeout;
	bool batch;
};

struct error *host_parse(struct session *s, const char *uri, const struct host_ssh *ssh,
			 struct host *ret);
/* Returns the words of the command, NULL-terminated. */
char **host_command(struct session *s, const struct host *h, const char *command);

/*
 * Starts the command with three pipes for its streams. ^C at the local terminal is for
 * stap alone, which ends the run by closing its input.
 */
struct error *host_start(struct session *s, struct host *h, char **argv, const sigset_t *mask);
/* True: the process has ended, and h->pid is 0. */
bool host_has_ended(struct host *h);
/* Closes all open descriptors. Ends the process, unless it has ended by itself. */
void host_close(struct host *h);
void host_close_fd(int *fd);

/*
 * Reads the machine's answer about itself: "RELEASE MACHINE signed|any DIGEST DIGEST",
 * and "none" if it has no staprun, "old" if it has an older one, or "has"; then the lines
 * with ID and ID_LIKE of its os-release file.
 */
struct error *host_answered(struct session *s, struct host *h, const char *answer);
/* Returns the text in a form that is safe in messages. */
const char *host_shown(struct session *s, const char *text);

/*
 * Finds the BTF of the machine's kernel in the cache, or fetches it. *ret is a path. Call
 * it with the kernel open: an error says whose BTF it is.
 */
struct error *host_btf(struct session *s, const struct host *h, const char **ret);

#endif
