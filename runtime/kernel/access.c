/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads memory of the probed code without ever faulting in pages, in any context. User
 * space is only read when there is one: a kernel thread runs on the page tables of the
 * task before it, and an NMI may have come in the middle of a switch.
 */
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "api.h"
#include "core/port.h"
#include "core/state.h"
#include "kernel/access.h"
#include "kernel/gate.h"

#define STRING_CHUNK	 64
#define STRING_BYTE_WORK 5 /* api/ctx.h */

static bool may_repeat(const struct stp_ctx *c)
{
	return c->probe->repeat && c->repeats != STP_REPEATED_NEVER && !c->lasted && !c->error;
}

static __always_inline bool is_open(void)
{
	return port_user_space_usable() && stp_gate_process();
}

/*
 * Notes the address that could not be read, and breaks the hit off if it can be repeated.
 * Begin, end and error run with interrupts on, and are not hits of this CPU.
 */
static noinline __cold void note_absent(enum stp_space space, uint64_t addr, size_t size)
{
	struct stp_cpu *cpu;

	if (space != STP_USER || !is_open() || !irqs_disabled())
		return;
	cpu = stp_cpu_here();
	if (!READ_ONCE(cpu->busy) || !may_repeat(&cpu->ctx))
		return;
	cpu->ctx.absence = (struct stp_absence){ addr, size };
	stp_raise(&cpu->ctx, stp_absent);
}

void stp_access_put_off(void)
{
	note_absent(STP_USER, 0, STP_MAPPINGS);
}

static __always_inline bool user_copy(void *dst, uint64_t addr, size_t size)
{
	bool ok;

	if (!is_open())
		return false;
	/*
	 * In some kernels, access_ok() warns in interrupts unless page faults are already
	 * off.
	 */
	pagefault_disable();
	ok = !copy_from_user_nofault(dst, (const void __user *)(unsigned long)addr, size);
	pagefault_enable();
	return ok;
}

bool stp_access_peek(void *dst, uint64_t addr, size_t size)
{
	return user_copy(dst, addr, size);
}

/*
 * Stack walks read word after word, so most reads make no call: it would save registers
 * each time.
 */
bool stp_access_peek_word(uint64_t *dst, uint64_t addr)
{
	bool ok;

	if (unlikely(stp_script.own_only))
		return stp_access_peek(dst, addr, sizeof(*dst));
	if (!port_user_space_usable())
		return false;
	pagefault_disable();
	ok = stp_access_read_plainly(dst, addr);
	pagefault_enable();
	return ok;
}

/*
 * Reads without noting a missing page. Callers in the hit path still know address and
 * size after a failure, so nothing is saved for this during the copy.
 */
static noinline bool memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size)
{
	if (space == STP_USER)
		return user_copy(dst, addr, size);
	return stp_gate_kernel() &&
	       !copy_from_kernel_nofault(dst, (const void *)(unsigned long)addr, size);
}

/* Raises the error of a read that failed, or was refused. */
static noinline __cold void read_failed(struct stp_ctx *c, enum stp_space space, uint64_t addr)
{
	if (stp_gate_space(space))
		stp_error(c, "read fault [man error::fault] at 0x%llx", addr);
	else
		stp_error(c, space == STP_USER ? STP_GATE_OTHERS : STP_GATE_KERNEL);
}

bool port_memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size)
{
	if (likely(memory_read(space, dst, addr, size)))
		return true;
	note_absent(space, addr, size);
	return false;
}

uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size)
{
	uint64_t value = 0; /* little endian: a short read fills the low bytes */

	if (!memory_read(space, &value, addr, size)) {
		note_absent(space, addr, size);
		read_failed(c, space, addr);
		return 0;
	}
	return value;
}

/*
 * Every hit pays for this, so the byte is read without the code for copies of any length.
 */
bool stp_touch(struct stp_ctx *c, uint64_t addr)
{
	const uint8_t __user *at = (const uint8_t __user *)(unsigned long)addr;
	uint8_t byte;
	bool there;

	pagefault_disable();
	there = is_open() && access_ok(at, 1) && !__get_user(byte, at);
	pagefault_enable();
	if (likely(there))
		return true;
	note_absent(STP_USER, addr, 1);
	return !c->error;
}

/*
 * Reads in chunks that never cross a page: the string may end just before a missing one.
 */
static bool string_read(enum stp_space space, uint64_t addr, uint32_t max, char *dst, uint32_t *len)
{
	uint32_t at = 0;
	bool ok = true;

	while (at < max) {
		uint32_t page_left = PAGE_SIZE - ((addr + at) & (PAGE_SIZE - 1));
		uint32_t chunk = min3(max - at, page_left, (uint32_t)STRING_CHUNK);
		uint32_t got;

		ok = memory_read(space, dst + at, addr + at, chunk);
		if (!ok)
			break;
		got = strnlen(dst + at, chunk);
		at += got;
		if (got < chunk)
			break;
	}
	dst[at] = 0;
	*len = at;
	return ok;
}

struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max,
			       char *dst, bool *ok)
{
	uint32_t room = stp_script.limits.string - 1;
	struct stp_str ret = { .s = dst };
	bool good = string_read(space, addr, max ? min(max, room) : room, dst, &ret.len);

	stp_charge_later(c, STRING_BYTE_WORK * (u64)ret.len);
	if (unlikely(!good))
		note_absent(space, addr + ret.len, 1);
	if (ok)
		*ok = good;
	else if (!good)
		read_failed(c, space, addr);
	return ret;
}
