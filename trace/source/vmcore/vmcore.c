/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See vmcore.h. physical.h reads the dump, crashtext.h finds the module in it. */
#include "trace/source/vmcore/vmcore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/dictionary.h"
#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/sources.h"
#include "trace/source/vmcore/crashbooks.h"
#include "trace/source/vmcore/crashtext.h"
#include "trace/source/vmcore/physical.h"

#define RING_MAX (1ull << 30)

/* A ring as it was when the machine stopped; positions only grow. */
struct left {
	uint64_t size, at, head, tail;
};

struct vmcore {
	struct physical memory;
	struct crashtext text;
	struct left *rings;
};

static ssize_t refuse(struct join *j, unsigned ring, uint64_t at, const char *what)
{
	struct vmcore *v = j->own;
	const struct crash_area *a = &v->text.rings[ring].ring;

	physical_damaged(&v->memory, crashtext_address(&v->text, a, at & (v->rings[ring].size - 1)),
			 what);
	j->damaged = j->reported = true;
	v->rings[ring].at = v->rings[ring].head;
	return 0;
}

/* ---- reading ---- */

/*
 * Returns how many of the n bytes at `buf` are whole records. Sets *wrong if the next
 * bytes cannot be a record.
 */
static size_t whole_records(const uint8_t *buf, size_t n, const char **wrong)
{
	struct stp_record head;
	size_t at = 0;

	*wrong = NULL;
	for (; n - at >= sizeof(head); at += sizeof(head) + STP_RECORD_ALIGN(head.len)) {
		memcpy(&head, buf + at, sizeof(head));
		*wrong = join_check_record(&head);
		if (!*wrong && head.kind >= RECORD_KINDS)
			*wrong = "record of unknown kind";
		if (*wrong || n - at - sizeof(head) < STP_RECORD_ALIGN(head.len))
			break;
	}
	return at;
}

static ssize_t vmcore_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	struct join *j = ctx;
	struct vmcore *v = j->own;
	struct left *l = &v->rings[ring];
	uint64_t from = l->at & (l->size - 1), n = l->head - l->at, first, at;
	const struct crash_area *a = &v->text.rings[ring].ring;
	const char *wrong;
	size_t whole;

	if (n > size)
		n = size;
	if (!n)
		return 0;
	first = n < l->size - from ? n : l->size - from;
	if (!crashtext_read(&v->text, a, from, buf, first, &at) ||
	    !crashtext_read(&v->text, a, 0, (char *)buf + first, n - first, &at))
		return refuse(j, ring, l->at, "records are in a page that is not in the dump");
	whole = whole_records(buf, n, &wrong);
	if (!whole)
		return refuse(j, ring, l->at, wrong ? wrong : "record cut short");
	l->at += whole;
	return (ssize_t)whole;
}

static void vmcore_report(struct join *j, unsigned ring, uint64_t offset, const char *what)
{
	struct vmcore *v = j->own;

	refuse(j, ring, v->rings[ring].tail + offset, what);
}

static void vmcore_run(struct join *j)
{
	static const struct merge_ops ops = { .read = vmcore_read,
					      .emit = join_emit,
					      .emit_run = join_emit_run };

	join_merge(j, &ops, vmcore_report);
}

static void vmcore_close(struct join *j)
{
	struct vmcore *v = j->own;

	if (!v)
		return;
	crashtext_close(&v->text);
	physical_close(&v->memory);
	free(v->rings);
	free(v);
}

SOURCE_OPS(vmcore, vmcore_run, source_no_seek, source_no_check, vmcore_close);

/* ---- opening ---- */

static bool word_of(const struct vmcore *v, const struct crash_area *a, uint32_t place,
		    uint64_t *ret)
{
	uint64_t at;

	return a->bytes >= sizeof(*ret) && place <= a->bytes - sizeof(*ret) &&
	       crashtext_read(&v->text, a, place, ret, sizeof(*ret), &at);
}

/* A CPU that can never exist has no ring. */
static bool open_ring(struct vmcore *v, unsigned n)
{
	const struct stp_crash_header *h = &v->text.header;
	const struct crash_ring *r = &v->text.rings[n];
	struct left *l = &v->rings[n];
	uint64_t pending;
	char cpu[16];

	l->size = 1;
	if (!r->cpu.frames)
		return true;
	if (!r->ring.frames || !word_of(v, &r->cpu, h->size, &l->size) ||
	    !word_of(v, &r->cpu, h->head, &l->head) || !word_of(v, &r->cpu, h->tail, &l->tail) ||
	    !word_of(v, &r->cpu, h->pending, &pending))
		return physical_damaged(&v->memory, crashtext_address(&v->text, &r->cpu, 0),
					"the state of a ring is not in the dump");
	if (!l->size || l->size > RING_MAX || l->size & (l->size - 1) || l->size > r->ring.bytes ||
	    l->head - l->tail > l->size)
		return physical_damaged(&v->memory, crashtext_address(&v->text, &r->cpu, 0),
					"the state of a ring cannot be");
	l->at = l->tail;
	if (pending)
		message_warning("CPU %s: a hit was printing when the machine stopped; its "
				"incomplete output is left out",
				dictionary_cpu_name(n, h->nrings, cpu));
	return true;
}

static char *copy_of(const struct crash_table *t)
{
	char *ret = malloc(t->size + 1);

	if (ret && t->size)
		memcpy(ret, t->bytes, t->size);
	return ret;
}

static bool open_tables(struct join *j, const struct vmcore *v)
{
	const struct crash_table *t = v->text.tables;
	const struct stp_crash_header *h = &v->text.header;
	char *bytes = copy_of(&t[STP_CRASH_FORMATS]);
	const char *wrong = bytes ? dictionary_formats(&j->tables, bytes, t[STP_CRASH_FORMATS].size,
						       h->nformats, true)
				  : "no memory for a table";

	bytes = wrong ? NULL : copy_of(&t[STP_CRASH_PROBES]);
	if (bytes)
		wrong = dictionary_init(&j->tables.probes, bytes, t[STP_CRASH_PROBES].size,
					h->nprobes);
	else if (!wrong)
		wrong = "no memory for a table";
	return !wrong || physical_damaged(&v->memory, v->text.address, wrong);
}

static bool open_trace(struct join *j, struct vmcore *v)
{
	const struct stp_crash_header *h = &v->text.header;

	j->parts->name = v->memory.name;
	j->parts->header = (struct raw_header){
		.version = RAW_VERSION,
		.nrings = h->nrings,
		.session = h->session,
		.monotonic = h->monotonic,
	};
	j->nparts = 1;
	j->nrings = h->nrings;
	j->module = strdup(h->module);
	j->host = strdup(h->host);
	v->rings = calloc(h->nrings, sizeof(*v->rings));
	if (!v->rings || !j->module || !j->host || !open_tables(j, v))
		return false;
	for (unsigned i = 0; i < h->nrings; i++)
		if (!open_ring(v, i))
			return false;
	j->books_text = crashbooks_text(&v->text, &j->tables, &j->books_len);
	j->damaged = j->reported = !j->books_text;
	return records_init(&j->records, &j->tables, j->output);
}

bool vmcore_open(struct join *j, const char *name, const char *module, struct output *o)
{
	struct vmcore *v = calloc(1, sizeof(*v));

	*j = (struct join){ .to = UINT64_MAX, .output = o, .source = &source_vmcore, .own = v };
	j->parts = calloc(1, sizeof(*j->parts));
	if (!v || !j->parts || !physical_open(&v->memory, name))
		return false;
	return crashtext_open(&v->text, &v->memory, module) && open_trace(j, v);
}
