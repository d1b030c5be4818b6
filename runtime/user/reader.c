/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run that goes on without a reader (-L of staprun), and the reader that attaches to it
 * (-A). The reader is connected to the run's socket, and gives two pipes: one takes the
 * output, one messages. It never gives its terminal or a file, because it may be root's.
 * Without a reader, the output stays in the ring.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/session.h"
#include "core/state.h"
#include "trace/form/streamform.h"
#include "trace/messages.h"
#include "user/user.h"

static struct {
	bool is_kept;			/* it continues without a reader */
	volatile sig_atomic_t is_asked; /* to end */
	bool is_attached, wants_books;	/* the reader, if there is one */
	struct streamform_request stream;
	pid_t pid; /* of the reader that has the turn, attached or not yet; 0: none */
} reader;

/* The messages without a reader go to the system's log. */
static void leave_streams(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	message_to_log(true);
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}

void user_reader_background(void)
{
	message_log_open();
	leave_streams();
}

void user_reader_leave(void)
{
	reader.is_kept = true;
}

void user_reader_stop(void)
{
	reader.is_asked = true;
	stp_session_request_exit();
}

bool user_reader_is_awaited(void)
{
	return reader.is_kept && !reader.is_attached && !reader.is_asked;
}

bool user_reader_wants_books(void)
{
	return reader.wants_books;
}

pid_t user_reader_pid(void)
{
	return reader.pid;
}

bool user_reader_reserve(pid_t pid)
{
	if (!reader.is_kept || reader.pid)
		return false;
	reader.pid = pid;
	return true;
}

/* Handlers take the reader for a part of the run: its own hits are left out. */
static void set_starter(pid_t pid)
{
	struct stp_runtime *r = port_address(stp_runtime);
#ifdef STP_BPF
	int64_t number = pid ? bpftasks_number(pid) : 0;
#else
	int64_t number = pid;
#endif

	WRITE_ONCE(r->starters[0], number < 0 ? 0 : number);
}

/*
 * Takes "FLAGS [FORM]": b is the books at the end, v and w are -v and -w, a: the output
 * is data, so that commands print with the messages; c: colours. FORM is of --records.
 */
static bool take_flags(const char *text, struct user_output *ret)
{
	size_t n = strcspn(text, " ");
	const char *form = text[n] ? text + n + 1 : NULL;

	if (n != strspn(text, "-abcvw") || (form && !streamform_parse(form, &reader.stream)))
		return false;
	ret->stream = form ? &reader.stream : NULL;
	ret->aside = memchr(text, 'a', n);
	ret->colored = memchr(text, 'c', n);
	reader.wants_books = memchr(text, 'b', n);
	message_setup(memchr(text, 'v', n) != NULL, memchr(text, 'w', n) != NULL);
	return true;
}

bool user_reader_attach(const char *text, const int fds[USER_READER_PIPES])
{
	struct user_output o = { .fd = STDOUT_FILENO, .name = "stdout" };

	if (!reader.pid || reader.is_attached || !take_flags(text, &o))
		return false;
	if (dup2(fds[1], STDERR_FILENO) < 0 || dup2(fds[o.aside], STDOUT_FILENO) < 0)
		return false;
	if (o.aside)
		o.fd = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
	if (o.fd < 0 || !user_drain_attach(&o)) {
		leave_streams();
		return false;
	}
	message_to_log(false);
	reader.is_attached = true;
	set_starter(reader.pid);
	return true;
}

void user_reader_detach(bool flush)
{
	if (!reader.is_attached)
		return;
	user_drain_detach(flush);
	fflush(stderr);
	leave_streams();
	set_starter(0);
	reader.is_attached = reader.wants_books = false;
}

void user_reader_gone(void)
{
	user_reader_detach(false);
	reader.pid = 0;
}

bool user_reader_lost(void)
{
	if (!reader.is_attached || reader.is_asked)
		return false;
	user_reader_detach(false);
	return true;
}
