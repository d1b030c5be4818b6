/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/bpfreader.h"
#include "user/bpfrefusal.h"

#define NO_INSTRUCTION ((size_t)-1)
#define OTHERWISE      "--runtime=kernel runs it as a module"

/* Texts of the verifier's log, and their meanings. */
static const struct {
	const char *words, *meaning;
} reasons[] = {
	{ "BPF program is too large",
	  "the script is too large for the kernel's verifier; divide it, or " OTHERWISE },
	{ " jumps is too complex",
	  "the script has too many branches for the kernel's verifier; divide it, or " OTHERWISE },
	{ "JIT is required",
	  "the kernel does not compile BPF programs: sysctl net.core.bpf_jit_enable=1 lets it" },
	{ "JIT doesn't support",
	  "the kernel cannot compile BPF programs that have an arena; " OTHERWISE },
	{ "are required to use arena", "CAP_BPF and CAP_PERFMON are needed: run as root" },
};

/*
 * Returns the instruction that the verifier examined last; its lines have the form "12:
 * (bf) …".
 */
static size_t last_looked_at(const char *log)
{
	size_t ret = NO_INSTRUCTION;

	for (; *log; log += strcspn(log, "\n"), log += *log == '\n') {
		char *end;
		unsigned long n = strtoul(log, &end, 10);

		if (end > log && !strncmp(end, ": (", 3))
			ret = n;
	}
	return ret;
}

static const char *reason(const char *log, int error)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strstr(log, reasons[i].words))
			return reasons[i].meaning;
	switch (error) {
	case E2BIG:
		return reasons[0].meaning;
	case EPERM:
		return "loading BPF programs is not permitted: CAP_BPF and CAP_PERFMON are needed, "
		       "and "
		       "a kernel that is not locked down";
	case ENOMEM:
		return "there is not enough memory for the handlers";
	}
	return *log ? "the kernel's verifier refuses the code that stap has made of this: a fault "
		      "of "
		      "stap; -v shows the verifier's log for a report; " OTHERWISE
		    : strerror(error);
}

void bpfrefusal_explain(char *to, size_t size, const struct bpfparts *parts, const char *log,
			int error)
{
	size_t last = last_looked_at(log);
	const char *place = last == NO_INSTRUCTION ? "" : bpfreader_place(parts, last);

	snprintf(to, size, "%s%s--runtime=bpf: %s", place, *place ? ": " : "", reason(log, error));
}
