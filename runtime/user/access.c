/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads memory of the probed code: here, of the process itself, whichever address space
 * is named. Addresses come from scripts and may be wild: the kernel copies, and returns
 * EFAULT where a plain load would kill the process.
 */
#include <sys/uio.h>
#include <unistd.h>

#include "api.h"
#include "core/port.h"

static bool memory_copy(bool write, void *local, uint64_t addr, size_t size)
{
	struct iovec here = { local, size }, there = { (void *)(uintptr_t)addr, size };
	ssize_t n = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
			  : process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	return n == (ssize_t)size;
}

bool port_memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size)
{
	return memory_copy(false, dst, addr, size);
}

uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size)
{
	uint64_t v = 0;

	if (!memory_copy(false, &v, addr, size)) {
		stp_error(c, "read fault [man error::fault] at 0x%llx", (unsigned long long)addr);
		return 0;
	}
	return v;
}

struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max,
			       char *dst, bool *ok)
{
	uint32_t most = stp_script.limits.string - 1, len = 0;
	bool good = true;

	if (max && max < most)
		most = max;
	/*
	 * Reads up to the end of a page at a time: memory after the string may be
	 * missing.
	 */
	while (len < most && good) {
		uint32_t piece = 4096 - (uint32_t)((addr + len) & 4095), n;

		if (piece > most - len)
			piece = most - len;
		good = memory_copy(false, dst + len, addr + len, piece);
		n = good ? (uint32_t)strnlen(dst + len, piece) : 0;
		len += n;
		if (n < piece)
			break;
	}
	dst[len] = 0;
	if (ok)
		*ok = good;
	else if (!good)
		stp_error(c, "read fault [man error::fault] at 0x%llx",
			  (unsigned long long)addr + len);
	return (struct stp_str){ dst, len };
}

void stp_store(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size,
	       uint64_t value)
{
	if (!memory_copy(true, &value, addr, size))
		stp_error(c, "write fault [man error::fault] at 0x%llx", (unsigned long long)addr);
}

/* ---- functions that only points in the kernel offer ---- */

static int64_t kernel_only(struct stp_ctx *c, const char *what)
{
	stp_error(c, "%s: not in a script that runs in user space", what);
	return 0;
}

int64_t stp_arg(struct stp_ctx *c, unsigned n)
{
	return kernel_only(c, "arguments of a function");
}

int64_t stp_go_arg(struct stp_ctx *c, unsigned n)
{
	return kernel_only(c, "arguments of a function");
}

int64_t stp_retval(struct stp_ctx *c)
{
	return kernel_only(c, "the value of a function");
}

int64_t stp_kernel_anchor(void)
{
	return 0;
}

int64_t stp_register(struct stp_ctx *c, unsigned n)
{
	return kernel_only(c, "a register");
}

int64_t stp_kregister(struct stp_ctx *c, unsigned n)
{
	return stp_register(c, n);
}

int64_t stp_bpf_program_base(const struct stp_ctx *c, int64_t linked, const char *path)
{
	(void)c;
	(void)linked;
	(void)path;
	return 0;
}

int64_t stp_user_register(struct stp_ctx *c, unsigned n)
{
	return kernel_only(c, "a register");
}

int64_t stp_syscall_arg(struct stp_ctx *c, unsigned n)
{
	return kernel_only(c, "arguments of a system call");
}

void stp_set_arg(struct stp_ctx *c, unsigned n, int64_t value)
{
	kernel_only(c, "arguments of a function");
}

void stp_set_retval(struct stp_ctx *c, int64_t value)
{
	kernel_only(c, "the value of a function");
}

void stp_set_register(struct stp_ctx *c, unsigned n, int64_t value)
{
	kernel_only(c, "a register");
}

void stp_set_syscall_arg(struct stp_ctx *c, unsigned n, int64_t value)
{
	kernel_only(c, "arguments of a system call");
}
