/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See books.h. */
#include "trace/books.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARN_PROBES 10 /* most lossy probes that a message names */

static const char *const reason_names[] = {
#define R(kind, text) [STP_SKIP_##kind] = text,
	STP_SKIP_REASONS(R)
#undef R
};

const char *books_reason_word(unsigned reason)
{
	return reason_names[reason];
}

static char *next_books_field(char **s)
{
	return strsep(s, "\t");
}

static bool next_books_number(char **s, uint64_t *ret)
{
	char *field = next_books_field(s), *end;

	if (!field || *field < '0' || *field > '9')
		return false;
	errno = 0;
	*ret = strtoull(field, &end, 10);
	return !*end && !errno;
}

static void book_add(struct book *to, const struct book *from)
{
	to->hits += from->hits;
	to->delivered += from->delivered;
	to->dropped += from->dropped;
	to->skipped += from->skipped;
}

/* INDEX CPU HITS DELIVERED DROPPED SKIPPED POINT */
static const char *parse_probe(struct books *b, char *line)
{
	struct book k = { 0 };
	const char *cpu;
	uint64_t index;

	if (!next_books_number(&line, &index) || index >= b->nprobes)
		return "a line of the books names no probe";
	cpu = next_books_field(&line);
	if (!cpu || !next_books_number(&line, &k.hits) || !next_books_number(&line, &k.delivered) ||
	    !next_books_number(&line, &k.dropped) || !next_books_number(&line, &k.skipped) || !line)
		return "a line of the books is malformed";
	if (k.hits != k.delivered + k.dropped + k.skipped)
		return "the books do not add up: hits are not delivered + dropped + skipped";
	b->probes[index].point = line;
	b->rows[b->nrows++] = (struct book_row){ (uint32_t)index, cpu, line, k };
	book_add(&b->probes[index], &k);
	book_add(&b->total, &k);
	return NULL;
}

/* INDEX NANOSECONDS */
static const char *parse_time(struct books *b, char *line)
{
	uint64_t index, ns;

	if (!next_books_number(&line, &index) || index >= b->nprobes ||
	    !next_books_number(&line, &ns))
		return "a line of the books is malformed";
	b->probes[index].ns += ns;
	return NULL;
}

/* INDEX COUNT POINT */
static const char *parse_unreturned(struct books *b, char *line)
{
	uint64_t index, n;

	if (!next_books_number(&line, &index) || index >= b->nprobes ||
	    !next_books_number(&line, &n) || !line)
		return "a line of the books is malformed";
	b->probes[index].point = line;
	b->probes[index].unreturned += n;
	return NULL;
}

/* REASON COUNT */
static const char *parse_reason(struct books *b, char *line)
{
	char *name = next_books_field(&line);
	uint64_t n;

	if (!next_books_number(&line, &n))
		return "a line of the books is malformed";
	for (unsigned i = 0; i < STP_SKIP_COUNT; i++) {
		if (!strcmp(name, reason_names[i])) {
			b->reasons[i] += n;
			return NULL;
		}
	}
	return "the books name an unknown reason";
}

/* GLOBAL COUNT */
static const char *parse_contended(struct books *b, char *line)
{
	struct contended *c = &b->contended[b->ncontended];

	c->global = next_books_field(&line);
	if (!next_books_number(&line, &c->hits))
		return "a line of the books is malformed";
	b->ncontended++;
	return NULL;
}

static const char *parse_books_line(struct books *b, char *line)
{
	char *kind = next_books_field(&line);

	if (line && !strcmp(kind, "probe"))
		return parse_probe(b, line);
	if (line && !strcmp(kind, "time"))
		return parse_time(b, line);
	if (line && !strcmp(kind, "unreturned"))
		return parse_unreturned(b, line);
	if (line && !strcmp(kind, "skipped"))
		return parse_reason(b, line);
	if (line && !strcmp(kind, "contended"))
		return parse_contended(b, line);
	return "the books have a line of unknown kind";
}

const char *books_parse(struct books *b, char *text, uint32_t nprobes)
{
	const char *wrong = NULL;
	size_t lines = 1;
	char *line;

	*b = (struct books){ .text = text, .nprobes = nprobes };
	b->probes = calloc(nprobes ? nprobes : 1, sizeof(*b->probes));
	for (const char *s = text; (s = strchr(s, '\n')); s++)
		lines++;
	b->rows = calloc(lines, sizeof(*b->rows));
	b->contended = calloc(lines, sizeof(*b->contended));
	if (!b->probes || !b->rows || !b->contended)
		return "no memory for the books";
	while (!wrong && (line = strsep(&text, "\n"))) {
		if (*line)
			wrong = parse_books_line(b, line);
	}
	return wrong;
}

void books_deinit(struct books *b)
{
	free(b->probes);
	free(b->rows);
	free(b->contended);
	free(b->text);
}

uint64_t books_lost(const struct books *b)
{
	uint64_t harmless = b->reasons[STP_SKIP_ERROR];
	uint64_t skipped = b->total.skipped > harmless ? b->total.skipped - harmless : 0;

	return b->total.dropped + skipped;
}

/* "3 reentrant, 1 lock" */
static void format_reasons(const struct books *b, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = 0;
	for (unsigned i = 0; i < STP_SKIP_UNCOUNTED; i++) {
		if (b->reasons[i] && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%" PRIu64 " %s", n ? ", " : "",
					      b->reasons[i], reason_names[i]);
	}
}

/* "times 2, kept 1" */
static void format_contended(const struct books *b, char *buf, size_t size)
{
	size_t n = 0;

	for (uint32_t i = 0; i < b->ncontended && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s %" PRIu64, n ? ", " : "",
				      b->contended[i].global, b->contended[i].hits);
}

static void warn_probe(const struct book *k, books_warning *warning)
{
	char dropped[96] = "", skipped[48] = "";

	if (k->dropped)
		snprintf(dropped, sizeof(dropped),
			 " %" PRIu64 " dropped (buffer full; try a larger one: stap -s MB)",
			 k->dropped);
	if (k->skipped)
		snprintf(skipped, sizeof(skipped), "%s %" PRIu64 " skipped", k->dropped ? "," : "",
			 k->skipped);
	warning("%s: of %" PRIu64 " hits%s%s", k->point, k->hits, dropped, skipped);
}

void books_warn(const struct books *b, books_warning *warning)
{
	unsigned lossy = 0;
	char text[160];

	if (!books_lost(b))
		return;
	for (uint32_t i = 0; i < b->nprobes; i++) {
		const struct book *k = &b->probes[i];
		if ((k->dropped || k->skipped) && lossy++ < WARN_PROBES)
			warn_probe(k, warning);
	}
	if (lossy > WARN_PROBES)
		warning("... and %u more probes (-t shows all): of %" PRIu64 " hits %" PRIu64
			" dropped, %" PRIu64 " skipped",
			lossy - WARN_PROBES, b->total.hits, b->total.dropped, b->total.skipped);
	format_reasons(b, text, sizeof(text));
	if (text[0])
		warning("skipped hits: %s [man warning::pass5]", text);
	if (!b->ncontended)
		return;
	format_contended(b, text, sizeof(text));
	warning("skipped for the lock of: %s; a larger -DMAXTRYLOCK= waits longer", text);
}

/*
 * Prints the stored records if there is a sink, and the time of a hit if it is known.
 * Neither is counted by CPU, and old files have no times.
 */
static void print_row(const struct books *b, const char *name, const struct book *k,
		      const uint64_t *stored)
{
	uint64_t ran = k->delivered + k->dropped;

	fprintf(stderr, "%-44s %12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64, name, k->hits,
		k->delivered, k->dropped, k->skipped);
	if (stored)
		fprintf(stderr, " %12" PRIu64, *stored);
	else if (b->stored)
		fprintf(stderr, " %12s", "");
	if (k->ns && ran)
		fprintf(stderr, " %9" PRIu64, k->ns / ran);
	fputc('\n', stderr);
}

/* Prints the CPUs on which a probe was hit, if there is more than one. */
static void print_cpus(const struct books *b, uint32_t probe)
{
	char name[32];
	unsigned cpus = 0;

	for (uint32_t i = 0; i < b->nrows; i++)
		cpus += b->rows[i].probe == probe;
	for (uint32_t i = 0; cpus > 1 && i < b->nrows; i++) {
		if (b->rows[i].probe != probe)
			continue;
		snprintf(name, sizeof(name), "  cpu %s", b->rows[i].cpu);
		print_row(b, name, &b->rows[i].book, NULL);
	}
}

static void print_unreturned(const struct books *b)
{
	for (uint32_t i = 0; i < b->nprobes; i++)
		if (b->probes[i].unreturned)
			fprintf(stderr,
				"not returned: %" PRIu64
				" calls of %s that an exception, longjmp() or "
				"the end of a thread ended, or that were still active\n",
				b->probes[i].unreturned, b->probes[i].point);
}

void books_print(const struct books *b)
{
	char text[160];

	fprintf(stderr, "%-44s %12s %12s %10s %10s", "probe", "hits", "delivered", "dropped",
		"skipped");
	if (b->stored)
		fprintf(stderr, " %12s", "stored");
	fprintf(stderr, " %9s\n", "ns/hit");
	for (uint32_t i = 0; i < b->nprobes; i++) {
		if (!b->probes[i].point)
			continue;
		print_row(b, b->probes[i].point, &b->probes[i], b->stored ? &b->stored[i] : NULL);
		print_cpus(b, i);
	}
	print_row(b, "total", &b->total, b->stored ? &b->all_stored : NULL);
	format_reasons(b, text, sizeof(text));
	if (text[0])
		fprintf(stderr, "skipped: %s\n", text);
	if (b->reasons[STP_SKIP_FILTERED])
		fprintf(stderr,
			"filtered: %" PRIu64 " of tasks outside of the control group, or of probes "
			"that were off\n",
			b->reasons[STP_SKIP_FILTERED]);
	if (b->reasons[STP_SKIP_STOPPING])
		fprintf(stderr, "not counted: %" PRIu64 " that came while the script was ending\n",
			b->reasons[STP_SKIP_STOPPING]);
	print_unreturned(b);
}
