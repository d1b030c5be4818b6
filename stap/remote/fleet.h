/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All machines of a run: the state that the files of this folder share. */
#ifndef STAP_REMOTE_FLEET_H
#define STAP_REMOTE_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stap/remote/host.h"
#include "stap/remote/hostprograms.h"
#include "trace/series.h"
#include "trace/source/hosts.h"

struct module_group;

struct remote {
	struct session *s;
	struct host *hosts;
	size_t count;
	VEC(struct module_group) groups; /* hostmodules.h */
	struct hostprograms programs;	 /* for machines without staprun */
	int modules_status;		 /* exit status of a translation that failed, or 0 */
	struct error *fatal;		 /* ends all */
	bool streams;			 /* the machines send streams; hostrecords.h */
	bool has_data;			 /* … with what JSON and sinks need */
	bool has_text;			 /* lines are made of them here */
	bool user_json;			 /* … of JSON */
	struct hosts order;		 /* in which their records are written */
	struct host *last;		 /* whose record was written last, or NULL */
	bool file_each;			 /* -o with %h */
	struct rotation rotation;	 /* of those files, by -S */
	bool rotates;
	struct output *series;	     /* the common file, if it rotates */
	bool series_failed;	     /* which was reported */
	bool is_open;		     /* the file of -o is */
	bool on_terminal;	     /* the output is shown there */
	struct hostmonitor *monitor; /* hostmonitor.h; NULL: no screen is wanted */
	struct hostpage *page;	     /* hostpage.h; NULL: no page is wanted */
	int error;		     /* of writing: the output is closed */
	const char *error_file;
	bool ending;
	sigset_t heard; /* the signals that were blocked before */
};

/* True: one program of --runtime=bpf serves all machines, whatever their kernels. */
bool fleet_runs_program(const struct session *s);

#define FLEET_SECOND 1000000000LL
/* Nanoseconds: of the clock for waiting, and since 1970. */
int64_t fleet_now(void);
int64_t fleet_time(void);

#endif
