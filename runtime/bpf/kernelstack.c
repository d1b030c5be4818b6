/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack at a point, and names of its addresses, in BPF programs. */
#include "arch_bpf.h"
#include "api/point.h"
#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "uapi/bpfimage.h"

/*
 * Takes the kernel's stack, and returns its bytes; < 0: there is none. The linker
 * generates this function: only the program's own code has the context of the hit.
 */
extern int64_t stp_bpf_stack(void);
/* An address of that stack, innermost first. The linker generates it, too. */
extern uint64_t stp_bpf_frame(uint64_t n);
/*
 * Returns bpf_shared.symbols. The linker generates it, and notes that the table is
 * needed.
 */
extern uint64_t stp_bpf_symbols(void);

#define PAGE_BYTES 4096u

static const struct bpf_symbol *symbol_at(uint64_t address)
{
	const struct bpf_symbol *symbols = (const struct bpf_symbol *)stp_bpf_symbols();
	uint64_t from = 0, to = bpf_shared.nsymbols;

	while (from < to) {
		uint64_t middle = (from + to) / 2;

		if (symbols[middle].address <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? &symbols[from - 1] : NULL;
}

/*
 * Returns the bytes of a symbol, which the next one ends; after the last one of a module,
 * those up to the end of the page. 0: the address is beyond them.
 */
static uint64_t symbol_bytes(const struct bpf_symbol *s, uint64_t address)
{
	const struct bpf_symbol *symbols = (const struct bpf_symbol *)bpf_shared.symbols;
	const struct bpf_symbol *next = s + 1;
	uint64_t end;

	if (next < symbols + bpf_shared.nsymbols && next->module == s->module)
		end = next->address;
	else
		end = (s->address + PAGE_BYTES) / PAGE_BYTES * PAGE_BYTES;
	return address < end ? end - s->address : 0;
}

static const char *text_at(uint32_t place)
{
	return (const char *)bpf_shared.symbol_text + place;
}

unsigned port_symbol(char *text, uint64_t address)
{
	const struct bpf_symbol *s = symbol_at(address);
	uint64_t bytes = s ? symbol_bytes(s, address) : 0;
	int n;

	if (!bytes)
		return (unsigned)snprintf(text, PORT_SYMBOL_BYTES, "0x%llx",
					  (unsigned long long)address);
	n = snprintf(text, PORT_SYMBOL_BYTES, "%s+0x%llx/0x%llx", text_at(s->name),
		     (unsigned long long)(address - s->address), (unsigned long long)bytes);
	if (*text_at(s->module) && n < PORT_SYMBOL_BYTES)
		n += snprintf(text + n, PORT_SYMBOL_BYTES - (size_t)n, " [%s]", text_at(s->module));
	return n < PORT_SYMBOL_BYTES ? (unsigned)n : PORT_SYMBOL_BYTES - 1;
}

uint64_t stp_symbol_work(uint64_t address)
{
	return STP_SYMBOL_WORK;
}

/* True: it is a frame of the programs themselves, or of the code that calls them. */
static bool is_above_point(uint64_t address)
{
	static const char *const begins[] = { "bpf_", "__bpf_", "__traceiter_", "perf_" };
	const struct bpf_symbol *s = symbol_at(address);

	if (!s || !symbol_bytes(s, address))
		return true;
	for (unsigned i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(text_at(s->name), begins[i], strlen(begins[i])))
			return true;
	return false;
}

unsigned stp_kernel_stack(struct stp_ctx *c, uint64_t *frames, unsigned max)
{
	uint64_t n, first = 0;
	int64_t bytes;

	if (bpf_shared.hit != BPF_HIT_EVENT ||
	    (c->regs && bpf_shared.regs != BPF_REGS_VALUES && arch_bpf_is_program(c->regs)))
		return 0;
	bytes = stp_bpf_stack();
	if (bytes <= 0)
		return 0;
	n = (uint64_t)bytes / 8;
	stp_charge(c, STP_FRAME_WORK * (n + 2));
	while (!c->regs && first < n && is_above_point(stp_bpf_frame(first)))
		first++;
	if (n - first < max)
		max = (unsigned)(n - first);
	for (unsigned i = 0; i < max; i++)
		frames[i] = stp_bpf_frame(first + i);
	return max;
}
