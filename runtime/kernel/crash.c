/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See uapi/crash.h. Everything is written once, before the first hit, so it costs hits
 * nothing.
 */
#include <linux/gfp.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "core/state.h"
#include "kernel/crash.h"
#include "uapi/crash.h"

static struct crash {
	struct stp_crash_page *first, *last;
	size_t used; /* of the last page */
	u64 bytes;   /* bytes of the text so far */
	u32 nareas;
	bool failed; /* there was no memory */
} crash;

static __cold void page_add(struct crash *c)
{
	struct stp_crash_page *page = (void *)__get_free_page(GFP_KERNEL | __GFP_ZERO);

	c->failed |= !page;
	if (!page)
		return;
	page->self = __pa(page) >> PAGE_SHIFT;
	if (c->last)
		c->last->next = page->self;
	else
		c->first = page;
	c->last = page;
	c->used = sizeof(*page);
}

static __cold void put(struct crash *c, const void *from, size_t bytes)
{
	while (bytes && !c->failed) {
		size_t n = min_t(size_t, bytes, c->last ? PAGE_SIZE - c->used : 0);

		if (!n) {
			page_add(c);
			continue;
		}
		memcpy((u8 *)c->last + c->used, from, n);
		c->used += n;
		c->bytes += n;
		from += n;
		bytes -= n;
	}
}

/* The address is from vmalloc() or inside the module itself. */
static __cold void area_add(struct crash *c, enum stp_crash_kind kind, u32 index, const void *from,
			    u64 bytes)
{
	const struct stp_crash_area area = { kind, index, (unsigned long)from, bytes };
	unsigned long at = (unsigned long)from & PAGE_MASK, end = (unsigned long)from + bytes;

	if (!bytes)
		return;
	put(c, &area, sizeof(area));
	for (; at < end; at += PAGE_SIZE) {
		u64 frame = vmalloc_to_pfn((void *)at);

		put(c, &frame, sizeof(frame));
	}
	c->nareas++;
}

/* ---- formats, probes and globals, as tables ---- */

/* Finds a row of a table. False: it has no more. */
static __cold bool row_find(enum stp_crash_kind kind, u32 i, const char **text, u32 *len)
{
	const struct stp_script *script = port_address(stp_script);
	const u32 nformats = script->nformats;

	*text = NULL;
	if (kind == STP_CRASH_FORMATS && i < nformats) {
		*text = script->formats[i].text;
		*len = script->formats[i].len;
		return true;
	}
	if (kind == STP_CRASH_FORMATS && i < 2 * nformats)
		*text = script->formats[i - nformats].fields ?: "";
	else if (kind == STP_CRASH_PROBES && i < script->nprobes)
		*text = script->probes[i].pp;
	else if (kind == STP_CRASH_GLOBALS && i < script->nglobals)
		*text = script->globals[i].name;
	*len = *text ? strlen(*text) : 0;
	return *text;
}

static __cold void table_add(struct crash *c, enum stp_crash_kind kind)
{
	struct stp_crash_area area = { kind };
	static const u64 zero;
	const char *text;
	u32 len;

	for (u32 i = 0; row_find(kind, i, &text, &len); i++)
		area.bytes += sizeof(len) + len;
	put(c, &area, sizeof(area));
	for (u32 i = 0; row_find(kind, i, &text, &len); i++) {
		put(c, &len, sizeof(len));
		put(c, text, len);
	}
	put(c, &zero, -area.bytes & 7);
	c->nareas++;
}

/* ---- the session ---- */

static __cold void globals_add(struct crash *c)
{
	const struct stp_script *script = port_address(stp_script);

	for (u32 i = 0; i < script->nglobals; i++) {
		const struct stp_global *g = &script->globals[i];

		if (g->lock && !g->shares_lock)
			area_add(c, STP_CRASH_GLOBAL, i, &g->lock->refused,
				 sizeof(g->lock->refused));
	}
}

static __cold void cpus_add(struct crash *c)
{
	const struct stp_script *script = port_address(stp_script);

	for (u32 i = 0; i < stp_session_nrings(); i++) {
		const struct stp_cpu *cpu = stp_runtime.cpus[i];

		if (!cpu)
			continue;
		area_add(c, STP_CRASH_CPU, i, cpu, sizeof(*cpu));
		area_add(c, STP_CRASH_RING, i, cpu->ring.data, cpu->ring.size);
		area_add(c, STP_CRASH_BOOKS, i, cpu->books,
			 script->nprobes * sizeof(cpu->books[0]));
	}
}

static __cold void header_fill(const struct crash *c, struct stp_crash_header *h)
{
	const struct stp_script *script = port_address(stp_script);

	h->version = STP_CRASH_VERSION;
	h->abi = STP_ABI;
	h->page_bytes = PAGE_SIZE;
	h->nareas = c->nareas;
	h->nrings = stp_session_nrings();
	h->nformats = script->nformats;
	h->nprobes = script->nprobes;
	h->nglobals = script->nglobals;
	h->size = offsetof(struct stp_cpu, ring.size);
	h->head = offsetof(struct stp_cpu, ring.head);
	h->tail = offsetof(struct stp_cpu, ring.tail);
	h->pending = offsetof(struct stp_cpu, pending);
	h->bytes = c->bytes;
	h->session = port_realtime_ns();
	h->monotonic = port_monotonic_ns();
	strscpy(h->module, THIS_MODULE->name, sizeof(h->module));
	strscpy(h->host, init_uts_ns.name.nodename, sizeof(h->host));
}

int stp_crash_create(void)
{
	static const struct stp_crash_header none;
	struct crash *c = port_address(crash);

	BUILD_BUG_ON(sizeof(struct stp_book) != STP_CRASH_BOOK_WORDS * sizeof(u64));
	put(c, &none, sizeof(none));
	for (enum stp_crash_kind kind = 0; kind <= STP_CRASH_INLINE; kind++)
		table_add(c, kind);
	cpus_add(c);
	globals_add(c);
	if (c->failed) {
		stp_crash_destroy();
		return -ENOMEM;
	}
	header_fill(c, (void *)(c->first + 1));
	c->first->inverse = ~STP_CRASH_MAGIC;
	smp_store_release(&c->first->magic, STP_CRASH_MAGIC);
	return 0;
}

void stp_crash_destroy(void)
{
	struct crash *c = port_address(crash);
	struct stp_crash_page *page = c->first;

	if (page)
		WRITE_ONCE(page->magic, 0);
	smp_mb();
	while (page) {
		u64 next = page->next;

		free_page((unsigned long)page);
		page = next ? __va(next << PAGE_SHIFT) : NULL;
	}
	memset(c, 0, sizeof(*c));
}
