/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads memory of the probed code, in BPF programs. As with --runtime=user this is the
 * memory of the process, whichever address space is named.
 */
#include "bpf/arena.h"
#include "core/port.h"

/*
 * Reads up to 8 bytes; sets bpf_shared.fault if they cannot be read. The linker generates
 * this function, because the kernel reads only to its own stack.
 */
extern uint64_t stp_bpf_read(uint64_t addr, uint64_t size);

static bool read_byte(uint64_t addr, char *ret)
{
	*ret = (char)stp_bpf_read(addr, 1);
	if (!bpf_shared.fault)
		return true;
	bpf_shared.fault = 0;
	return false;
}

bool port_memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size)
{
	char *to = dst;

	for (size_t i = 0; i < size; i++)
		if (!read_byte(addr + i, to + i))
			return false;
	return true;
}

uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size)
{
	uint64_t v = stp_bpf_read(addr, size);

	if (!bpf_shared.fault)
		return v;
	bpf_shared.fault = 0;
	stp_error(c, "read fault [man error::fault] at 0x%llx", (unsigned long long)addr);
	return 0;
}

struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max,
			       char *dst, bool *ok)
{
	uint32_t most = stp_script.limits.string - 1, len = 0;
	bool good = true;

	if (max && max < most)
		most = max;
	for (; len < most; len++) {
		good = read_byte(addr + len, dst + len);
		if (!good || !dst[len])
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
