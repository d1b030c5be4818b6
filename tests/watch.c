// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watch [OPTION]… COMMAND [ARG]…: runs it, and ends it with all that it started when it does not get on: not by the
 * clock, which says nothing about a test on a loaded machine.
 *
 *   --cpu S         when all of it has used S seconds of processor time
 *   --idle S        when in S seconds, taken together, none of it ran or wanted to
 *   --progress DIR  both begin anew whenever an entry of DIR comes or goes
 *   --publish DIR   leaves a file in DIR for every second (TICK) of processor time: 1, 2 …
 *   --clock DIR     reads the processor time there: in a guest, whose own clock goes on while nobody runs the guest
 *
 * The exit status is the command's, 128 + the signal that ended it, or 124; then stderr says why.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 1, MOST = 65536 };

struct process {
	int pid, parent;
	bool is_ours, is_busy;
	unsigned long long ticks; /* of its own and of the children that it has waited for */
};

static struct process all[MOST];
static int processes;

struct watch {
	long cpu_limit, idle_limit;
	const char *progress, *publish, *clock;
	pid_t command;
	double cpu, idle;  /* seconds since the last progress */
	double cpu_before; /* all that it had used then */
	struct timespec progress_at;
	long published, read; /* ticks */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads a line of stat: of a process, or of one of its threads. */
static bool read_stat(const char *path, struct process *ret)
{
	char text[1024], state = 0;
	unsigned long long t[4] = { 0 };
	const char *after;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = 0;
	/* A name may contain anything, ')' as well. */
	after = strrchr(text, ')');
	if (!after ||
	    sscanf(after + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
		   &state, &ret->parent, &t[0], &t[1], &t[2], &t[3]) != 6)
		return false;
	ret->pid = atoi(text);
	ret->is_busy = state == 'R' || state == 'D';
	ret->ticks = t[0] + t[1] + t[2] + t[3];
	return true;
}

static void read_processes(void)
{
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	char path[300];

	processes = 0;
	while (proc && (entry = readdir(proc)) && processes < MOST) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		all[processes].is_ours = false;
		if (read_stat(path, &all[processes]))
			processes++;
	}
	if (proc)
		closedir(proc);
}

static bool is_ours(int pid)
{
	for (int i = 0; i < processes; i++)
		if (all[i].pid == pid)
			return all[i].is_ours;
	return false;
}

/* All that descends from this process; what was left by its parent was given to us. */
static void find_ours(void)
{
	bool any;

	read_processes();
	do {
		any = false;
		for (int i = 0; i < processes; i++)
			if (!all[i].is_ours &&
			    (all[i].parent == getpid() || is_ours(all[i].parent)))
				any = all[i].is_ours = true;
	} while (any);
}

static bool any_thread_is_busy(int pid)
{
	struct process thread;
	struct dirent *entry;
	bool busy = false;
	char path[600];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !busy && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue; /* a test may look at opens that fail */
		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, entry->d_name);
		busy = read_stat(path, &thread) && thread.is_busy;
	}
	if (dir)
		closedir(dir);
	return busy;
}

static double cpu_of_ours(void)
{
	struct rusage dead;
	double sum = 0;

	getrusage(RUSAGE_CHILDREN, &dead);
	for (int i = 0; i < processes; i++)
		if (all[i].is_ours)
			sum += (double)all[i].ticks;
	return sum / (double)sysconf(_SC_CLK_TCK) +
	       (double)(dead.ru_utime.tv_sec + dead.ru_stime.tv_sec) +
	       (double)(dead.ru_utime.tv_usec + dead.ru_stime.tv_usec) / 1e6;
}

static bool tick_exists(const char *dir, long n)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/%ld", dir, n);
	return !access(path, F_OK);
}

static double read_cpu(struct watch *w)
{
	if (!w->clock)
		return cpu_of_ours();
	while (tick_exists(w->clock, w->read + 1))
		w->read++;
	return (double)(w->read * TICK);
}

static void publish(struct watch *w, double cpu)
{
	char path[4200];
	int fd;

	while (w->publish && (double)((w->published + 1) * TICK) <= cpu) {
		snprintf(path, sizeof(path), "%s/%ld", w->publish, ++w->published);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (fd >= 0)
			close(fd);
	}
}

static bool has_progressed(struct watch *w)
{
	struct timespec before = w->progress_at;
	struct stat st;

	if (!w->progress || stat(w->progress, &st))
		return false;
	w->progress_at = st.st_mtim;
	return before.tv_sec != w->progress_at.tv_sec || before.tv_nsec != w->progress_at.tv_nsec;
}

/* Takes a sample, SECONDS after the last. */
static void sample(struct watch *w, double seconds)
{
	bool busy = false;
	double cpu;

	find_ours();
	for (int i = 0; i < processes; i++)
		busy |= all[i].is_ours && (all[i].is_busy || any_thread_is_busy(all[i].pid));
	cpu = read_cpu(w);
	publish(w, cpu);
	if (has_progressed(w)) {
		w->idle = 0;
		w->cpu_before = cpu;
	}
	w->cpu = cpu - w->cpu_before;
	/* A watch that did not get to look for long does not know what was in between. */
	if (!busy)
		w->idle += seconds < 2 ? seconds : 2;
}

static void kill_ours(int signal)
{
	find_ours();
	for (int i = 0; i < processes; i++)
		if (all[i].is_ours)
			kill(all[i].pid, signal);
}

/* Waits a second for something to end. True when the command has; then its status is in RET. */
static bool has_ended(struct watch *w, int *ret)
{
	static const struct timespec second = { .tv_sec = 1 };
	siginfo_t info;
	sigset_t set;
	int status, number;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	number = sigtimedwait(&set, &info, &second);
	if (number > 0 && number != SIGCHLD)
		kill(w->command, number);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != w->command)
			continue;
		*ret = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		return true;
	}
	return false;
}

static void end(struct watch *w)
{
	int status;

	if (w->cpu >= (double)w->cpu_limit)
		fprintf(stderr, "watch: ended: it has used %.0f s of processor time\n", w->cpu);
	else
		fprintf(stderr, "watch: ended: nothing of it ran for %.0f s\n", w->idle);
	kill_ours(SIGTERM);
	for (double begun = now(); now() - begun < 20;)
		if (has_ended(w, &status))
			break;
	kill_ours(SIGKILL);
}

static int watch(struct watch *w)
{
	double last = now();
	int status;

	w->cpu_before = read_cpu(w);
	has_progressed(w);
	while (!has_ended(w, &status)) {
		if (now() - last < 1)
			continue;
		sample(w, now() - last);
		last = now();
		if (w->cpu >= (double)w->cpu_limit || w->idle >= (double)w->idle_limit) {
			end(w);
			return 124;
		}
	}
	return status;
}

static int usage(void)
{
	fprintf(stderr, "usage: watch [--cpu S] [--idle S] [--progress DIR] [--publish DIR] "
			"[--clock DIR] COMMAND [ARG]…\n");
	return 125;
}

/* A shell that starts us in the background, or nohup, has some ignored: tests send them. */
static void default_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_DFL);
}

int main(int argc, char **argv)
{
	struct watch w = { .cpu_limit = 1L << 40, .idle_limit = 1L << 40 };
	sigset_t set;
	int i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "--cpu"))
			w.cpu_limit = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--idle"))
			w.idle_limit = atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--progress"))
			w.progress = argv[i + 1];
		else if (!strcmp(argv[i], "--publish"))
			w.publish = argv[i + 1];
		else if (!strcmp(argv[i], "--clock"))
			w.clock = argv[i + 1];
		else
			return usage();
	}
	if (i >= argc || w.cpu_limit <= 0 || w.idle_limit <= 0)
		return usage();
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	w.command = fork();
	if (!w.command) {
		default_signals();
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		execvp(argv[i], argv + i);
		fprintf(stderr, "watch: %s: %s\n", argv[i], strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	if (w.command < 0) {
		perror("watch: fork");
		return 125;
	}
	return watch(&w);
}
