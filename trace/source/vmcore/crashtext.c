/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See crashtext.h. The contents of the memory are not trusted. */
#include "trace/source/vmcore/crashtext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"
#include "trace/source/vmcore/physical.h"
#include "uapi/msg.h"

#define RINGS_MAX   8193
#define GLOBALS_MAX 65536
#define TEXT_MAX    (1u << 30)
#define FOUND_MAX   64

/* ---- finding ---- */

struct found {
	struct {
		uint64_t address;
		struct stp_crash_header header;
	} modules[FOUND_MAX];
	unsigned n;
};

static bool page_size_is_known(uint32_t bytes)
{
	return bytes >= PHYSICAL_PAGE && bytes <= 65536 && !(bytes & (bytes - 1));
}

/*
 * Examines the beginning of a page. A copy of a page is in a different frame from the one
 * that it names.
 */
static void look_at(struct found *f, const uint8_t *bytes, uint64_t address)
{
	struct stp_crash_page page;
	struct stp_crash_header h;

	memcpy(&page, bytes, sizeof(page));
	if (page.magic != STP_CRASH_MAGIC || page.inverse != ~STP_CRASH_MAGIC)
		return;
	memcpy(&h, bytes + sizeof(page), sizeof(h));
	if (!page_size_is_known(h.page_bytes) || address % h.page_bytes ||
	    page.self != address / h.page_bytes || f->n == FOUND_MAX)
		return;
	h.module[sizeof(h.module) - 1] = 0;
	h.host[sizeof(h.host) - 1] = 0;
	f->modules[f->n].address = address;
	f->modules[f->n++].header = h;
}

static bool find_all(struct found *f, struct physical *p)
{
	uint8_t *buf = malloc(PHYSICAL_PIECE);
	uint64_t address = 0;
	size_t n;

	if (!buf) {
		message_error("no memory for the buffers");
		return false;
	}
	for (; (n = physical_next(p, &address, buf)); address += n) {
		for (size_t at = 0; at + PHYSICAL_PAGE <= n; at += PHYSICAL_PAGE)
			look_at(f, buf + at, address + at);
		if (address > UINT64_MAX - n)
			break;
	}
	free(buf);
	return true;
}

/* Shows a list "one, two"; replaces names that are not plain. */
static void list_names(const struct found *f, char *buf, size_t size)
{
	size_t n = 0;

	for (unsigned i = 0; i < f->n && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "",
				      f->modules[i].header.module);
	for (; *buf; buf++)
		if (*buf < ' ' || *buf > '~')
			*buf = '?';
}

static bool choose(struct crashtext *c, const struct found *f, const char *module)
{
	const char *name = c->memory->name;
	char names[400] = "";
	unsigned hits = 0;

	for (unsigned i = 0; i < f->n; i++) {
		if (module && strcmp(module, f->modules[i].header.module) != 0)
			continue;
		hits++;
		c->address = f->modules[i].address;
		c->header = f->modules[i].header;
	}
	if (hits == 1)
		return true;
	list_names(f, names, sizeof(names));
	if (!f->n)
		message_error("%s: no module of stap is in it", name);
	else if (!hits)
		message_error("%s: no module %s in it; there is %s", name, module, names);
	else if (!module)
		message_error("%s: it has several modules; name one: %s", name, names);
	else
		message_error("%s: it has more than one module %s", name, module);
	return false;
}

/* ---- the text ---- */

static bool refuse(const struct crashtext *c, const char *what)
{
	return physical_damaged(c->memory, c->address, what);
}

static bool check_header(const struct crashtext *c)
{
	const struct stp_crash_header *h = &c->header;

	if (h->version != STP_CRASH_VERSION || h->abi != STP_ABI)
		return refuse(c, "written by another version of stap");
	if (!h->nrings || h->nrings > RINGS_MAX || h->nglobals > GLOBALS_MAX)
		return refuse(c, "no such CPU");
	if (h->bytes < sizeof(*h) || h->bytes > TEXT_MAX || h->bytes > c->memory->bytes)
		return refuse(c, "the module's description is implausibly long (corrupt file?)");
	return true;
}

/* Reads the pages of the text, one after the other; each must name its own frame. */
static bool read_text(struct crashtext *c)
{
	uint32_t page_bytes = c->header.page_bytes;
	uint64_t frame = c->address / page_bytes;
	uint8_t *page = malloc(page_bytes);
	const char *wrong = page ? NULL : "no memory for the buffers";

	for (uint64_t at = 0; !wrong && at < c->header.bytes;) {
		struct stp_crash_page head;
		uint64_t n = page_bytes - sizeof(head), left = c->header.bytes - at;
		uint8_t *larger = realloc(c->text, at + n);

		if (n > left)
			n = left;
		if (!larger)
			wrong = "no memory for the buffers";
		else if (frame > UINT64_MAX / page_bytes ||
			 !physical_read(c->memory, frame * page_bytes, page, page_bytes))
			wrong = "the module's description goes on outside of the dump";
		c->text = larger ? larger : c->text;
		if (wrong)
			break;
		memcpy(&head, page, sizeof(head));
		if (head.self != frame)
			wrong = "a page of the module's description has been replaced";
		memcpy(c->text + at, page + sizeof(head), n);
		at += n;
		frame = head.next;
	}
	free(page);
	return !wrong || refuse(c, wrong);
}

/* Returns the entry of an area that was named earlier, or NULL. */
static struct crash_area *place_of(struct crashtext *c, const struct stp_crash_area *a)
{
	if (a->kind == STP_CRASH_GLOBAL)
		return a->index < c->header.nglobals ? &c->globals[a->index] : NULL;
	if (a->index >= c->header.nrings)
		return NULL;
	if (a->kind == STP_CRASH_CPU)
		return &c->rings[a->index].cpu;
	return a->kind == STP_CRASH_RING    ? &c->rings[a->index].ring
	       : a->kind == STP_CRASH_BOOKS ? &c->rings[a->index].books
					    : NULL;
}

/*
 * Adds an area whose bytes are elsewhere. Returns the size of its list of frames; 0: an
 * error.
 */
static uint64_t take_frames(struct crashtext *c, const struct stp_crash_area *a, uint64_t at)
{
	uint64_t page = c->header.page_bytes, from = a->address % page, pages;
	struct crash_area *place = place_of(c, a);

	if (!place || place->frames || !a->bytes || a->bytes > UINT64_MAX - 2 * page)
		return 0;
	pages = (from + a->bytes + page - 1) / page;
	if (pages > (c->header.bytes - at) / sizeof(uint64_t))
		return 0;
	*place = (struct crash_area){ from, a->bytes, (const uint64_t *)(c->text + at) };
	return pages * sizeof(uint64_t);
}

static uint64_t take_inline(struct crashtext *c, const struct stp_crash_area *a, uint64_t at)
{
	struct crash_table *t = &c->tables[a->kind];
	uint64_t left = c->header.bytes - at, all = (a->bytes + 7) & ~(uint64_t)7;

	if (a->bytes > left || all > left || t->bytes)
		return UINT64_MAX;
	*t = (struct crash_table){ c->text + at, a->bytes };
	return all;
}

static bool parse_text(struct crashtext *c)
{
	uint64_t at = sizeof(struct stp_crash_header), n;

	c->rings = calloc(c->header.nrings, sizeof(*c->rings));
	c->globals = calloc(c->header.nglobals + 1u, sizeof(*c->globals));
	if (!c->rings || !c->globals)
		return refuse(c, "no memory for the buffers");
	for (uint32_t i = 0; i < c->header.nareas; i++, at += n) {
		struct stp_crash_area a;

		if (c->header.bytes - at < sizeof(a))
			return refuse(c, "the module's description is cut short");
		memcpy(&a, c->text + at, sizeof(a));
		at += sizeof(a);
		if (a.kind <= STP_CRASH_INLINE) {
			n = take_inline(c, &a, at);
			if (n == UINT64_MAX)
				return refuse(c, "a table of the module is longer than it can be");
			continue;
		}
		n = take_frames(c, &a, at);
		if (!n)
			return refuse(c, "memory that the module names cannot be");
	}
	return at == c->header.bytes || refuse(c, "the module's description has too much");
}

bool crashtext_open(struct crashtext *c, struct physical *p, const char *module)
{
	struct found *found = calloc(1, sizeof(*found));
	bool ok;

	*c = (struct crashtext){ .memory = p };
	ok = found && find_all(found, p) && choose(c, found, module);
	free(found);
	return ok && check_header(c) && read_text(c) && parse_text(c);
}

void crashtext_close(struct crashtext *c)
{
	free(c->text);
	free(c->rings);
	free(c->globals);
}

/* ---- areas ---- */

uint64_t crashtext_address(const struct crashtext *c, const struct crash_area *a, uint64_t from)
{
	uint64_t page = c->header.page_bytes, at = a->from + from;

	return a->frames[at / page] * page + at % page;
}

bool crashtext_read(const struct crashtext *c, const struct crash_area *a, uint64_t from, void *buf,
		    size_t size, uint64_t *at)
{
	uint64_t page = c->header.page_bytes;
	char *to = buf;

	while (size) {
		uint64_t n = page - (a->from + from) % page;

		if (n > size)
			n = size;
		*at = crashtext_address(c, a, from);
		if (!physical_read(c->memory, *at, to, n))
			return false;
		to += n;
		from += n;
		size -= n;
	}
	return true;
}
