/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch_bpf.h"
#include "core/port.h"
#include "core/session.h"
#include "user/bpfcallpoint.h"
#include "user/bpfcode.h"
#include "user/bpfkernel.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"

static struct {
	bool is_known;
	int ids[2]; /* of the events; 0: raw tracepoints are used */
} points_of_calls;

static const char *point_name(bool is_end)
{
	return is_end ? "sys_exit" : "sys_enter";
}

/* ---- the events ---- */

/*
 * True: the kernel may take the CPU from programs of raw tracepoints. No file or type
 * tells this, only the release.
 */
static bool may_lose_cpu(void)
{
	return bpfkernel_is_from(7, 0);
}

static int event_id(int events, bool is_end)
{
	char path[64], text[16] = "";
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "events/raw_syscalls/%s/id", point_name(is_end));
	fd = openat(events, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	return n > 0 ? atoi(text) : 0;
}

/* Returns the number of an event; 0: the raw tracepoint is used. */
static int id_of(bool is_end)
{
	int events = !points_of_calls.is_known && may_lose_cpu() ? bpfkernel_mount("tracefs") : -1;

	points_of_calls.is_known = true;
	if (events >= 0) {
		points_of_calls.ids[0] = event_id(events, false);
		points_of_calls.ids[1] = event_id(events, true);
		close(events);
	}
	return points_of_calls.ids[is_end];
}

/* ---- programs ---- */

unsigned bpfcallpoint_type(void)
{
	return id_of(false) && id_of(true) ? BPF_PROG_TYPE_TRACEPOINT
					   : BPF_PROG_TYPE_RAW_TRACEPOINT;
}

/*
 *   raw tracepoints   registers, number | result
 *   events            head, number, result
 */
int bpfcallpoint_word(bool is_end)
{
	return is_end && bpfcallpoint_type() == BPF_PROG_TYPE_TRACEPOINT ? 16 : 8;
}

void bpfcallpoint_registers(struct bpfcode *c)
{
	if (bpfcallpoint_type() == BPF_PROG_TYPE_TRACEPOINT) {
		bpfcode_put(c, CALL(HELPER_TYPED_TASK));
		bpfcode_put(c, MOVE(1, 0));
		bpfcode_put(c, CALL(HELPER_TASK_REGISTERS));
		bpfcode_put(c, MOVE(3, 0));
	} else {
		bpfcode_put(c, LOAD(3, 6, 0));
	}
	bpfpoint_registers_at(c);
}

/* ---- attaching ---- */

/* The event stays off: it runs the program all the same, on all CPUs. */
static int event_attach_program(int program, int id)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(event),
		.config = (uint64_t)id,
		.sample_period = 1,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &event, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, program)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

int bpfcallpoint_attach(struct bpfpoint *b, bool is_end, const char *name)
{
	union bpf_attr attr = { .raw_tracepoint = { .name = (uintptr_t)point_name(is_end),
						    .prog_fd = (uint32_t)b->program } };
	int rc;

	if (bpfcallpoint_type() == BPF_PROG_TYPE_TRACEPOINT)
		b->link = event_attach_program(b->program, id_of(is_end));
	else
		b->link = (int)bpfload_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (b->link >= 0)
		return 0;
	rc = -errno;
	stp_setup_error("%s: the tracepoint %s cannot be used: %s", name, point_name(is_end),
			strerror(-rc));
	return rc;
}
