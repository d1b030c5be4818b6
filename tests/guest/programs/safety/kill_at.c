/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kill_at REPORT WHO N COMMAND [ARG]…: runs the command, and kills (SIGKILL) the process
 * WHO at its N-th point. Points are the beginnings and the ends of its system calls:
 * progress, not time. WHO is a process's name; NAME:2 the second process of that name.
 * With "+" behind it, all processes whose names begin with "stap" are killed with it.
 *
 * The file REPORT gets "killed N CALL" with the number of the system call; or, if WHO has
 * ended before, a line "NAME:NUMBER POINTS" for each process. Ends at once, and leaves
 * the other processes to themselves.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP 128
#endif

enum { MOST = 4096, NAME = 32 };

static struct process {
	pid_t pid; /* 0: this name is no process's any more */
	char name[NAME];
	int number;  /* among those of that name */
	bool is_due; /* it may have got another name */
	long points;
} all[MOST];

static int processes;
static char who[NAME];
static int who_number = 1;
static bool with_others;

static struct process *process_new(pid_t pid)
{
	if (processes == MOST)
		exit(2);
	all[processes] = (struct process){ .pid = pid, .is_due = true };
	return &all[processes++];
}

static struct process *process_of(pid_t pid)
{
	for (int i = 0; i < processes; i++)
		if (all[i].pid == pid)
			return &all[i];
	return process_new(pid);
}

static void name_read(pid_t pid, char *ret)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "r");
	if (!f || !fgets(ret, NAME, f))
		ret[0] = 0;
	ret[strcspn(ret, "\n")] = 0;
	if (f)
		fclose(f);
}

/* Looks for another name: a process with it is another one. */
static struct process *name_renew(struct process *p)
{
	char name[NAME];
	pid_t pid = p->pid;

	p->is_due = false;
	name_read(pid, name);
	if (!strcmp(name, p->name))
		return p;
	if (p->name[0]) {
		p->pid = 0;
		p = process_new(pid);
		p->is_due = false;
	}
	strcpy(p->name, name);
	p->number = 1;
	for (int i = 0; i < processes; i++)
		p->number += &all[i] != p && !strcmp(all[i].name, name);
	return p;
}

static FILE *report_open(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		exit(2);
	return f;
}

static void report_killed(const char *path, const struct process *p, long call)
{
	FILE *f = report_open(path);

	fprintf(f, "killed %ld %ld\n", p->points, call);
	fclose(f);
}

static void report_all(const char *path)
{
	FILE *f = report_open(path);

	for (int i = 0; i < processes; i++)
		if (all[i].points)
			fprintf(f, "%s:%d %ld\n", all[i].name, all[i].number, all[i].points);
	fclose(f);
}

static void kill_others(void)
{
	for (int i = 0; i < processes; i++) {
		char name[NAME];

		if (!all[i].pid)
			continue;
		name_read(all[i].pid, name);
		if (!strncmp(name, "stap", 4))
			kill(all[i].pid, SIGKILL);
	}
}

/* Returns the number of the system call that the process is in. */
static long call_of(pid_t pid)
{
#ifdef __aarch64__
	int call = 0;
	struct iovec to = { &call, sizeof(call) };

	ptrace(PTRACE_GETREGSET, pid, (void *)(long)NT_ARM_SYSTEM_CALL, &to);
	return call;
#else
	struct user_regs_struct regs = { 0 };

	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	return (long)regs.orig_rax;
#endif
}

/* True: this was the point. */
static bool is_point(struct process *p, const char *path, long n)
{
	long call;

	if (p->is_due)
		p = name_renew(p);
	if (++p->points != n || strcmp(p->name, who) || p->number != who_number)
		return false;
	call = call_of(p->pid);
	kill(p->pid, SIGKILL);
	if (with_others)
		kill_others();
	report_killed(path, p, call);
	return true;
}

/* Lets a process that has stopped go on: a signal is delivered, one that stops it holds it. */
static void go_on(struct process *p, int status)
{
	int event = status >> 16, n = WSTOPSIG(status);

	if (event == PTRACE_EVENT_STOP &&
	    (n == SIGSTOP || n == SIGTSTP || n == SIGTTIN || n == SIGTTOU))
		ptrace(PTRACE_LISTEN, p->pid, NULL, NULL);
	else
		ptrace(PTRACE_SYSCALL, p->pid, NULL,
		       (long)(event || n == (SIGTRAP | 0x80) ? 0 : n));
	if (event == PTRACE_EVENT_EXEC)
		p->is_due = true;
}

static void begin(char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
	int go[2];
	pid_t pid;
	char c;

	if (pipe(go))
		exit(2);
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(127);
		close(go[0]);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, NULL, options) ||
	    ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) || write(go[1], "", 1) != 1) {
		perror("kill_at");
		exit(2);
	}
	close(go[0]);
	close(go[1]);
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;
	long n;

	if (argc < 5)
		return 2;
	snprintf(who, sizeof(who), "%s", argv[2]);
	with_others = strchr(who, '+');
	who[strcspn(who, "+")] = 0;
	if (strchr(who, ':'))
		who_number = atoi(strchr(who, ':') + 1);
	who[strcspn(who, ":")] = 0;
	n = atol(argv[3]);
	begin(argv + 4);
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		struct process *p = process_of(pid);

		if (!WIFSTOPPED(status)) {
			p->pid = 0; /* its name and number stay: another of that name is the next */
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && is_point(p, argv[1], n))
			return 0;
		go_on(process_of(pid), status);
	}
	report_all(argv[1]);
	return 0;
}
