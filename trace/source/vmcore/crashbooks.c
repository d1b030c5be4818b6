/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See crashbooks.h. The number of hits that the kernel has missed is not in the module's
 * memory.
 */
#include "trace/source/vmcore/crashbooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/source/vmcore/crashtext.h"
#include "trace/source/vmcore/physical.h"

#define TEXT_MAX       (64 << 20)
#define NAME_MAX_SHOWN 400 /* as in the module */

struct state {
	const struct crashtext *c;
	const struct tables *t;
	FILE *text;
	uint64_t reasons[STP_SKIP_COUNT];
	uint64_t at; /* parts that could not be read */
};

/* A name with a tab or a line end would be another line of the books. */
static void put_name(FILE *to, const struct stp_format_text *name)
{
	for (uint32_t i = 0; i < name->len && i < NAME_MAX_SHOWN; i++)
		fputc((unsigned char)name->text[i] < ' ' ? ' ' : name->text[i], to);
	fputc('\n', to);
}

static void put_probe(struct state *s, uint32_t probe, const char *cpu,
		      const uint64_t words[STP_CRASH_BOOK_WORDS])
{
	uint64_t skipped = 0, hits;

	for (int i = 0; i < STP_SKIP_COUNT; i++)
		s->reasons[i] += words[2 + i];
	for (int i = 0; i < STP_SKIP_UNCOUNTED; i++)
		skipped += words[2 + i];
	hits = words[0] + words[1] + skipped;
	if (!hits || ftell(s->text) > TEXT_MAX)
		return;
	fprintf(s->text,
		"probe\t%" PRIu32 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t",
		probe, cpu, hits, words[0], words[1], skipped);
	put_name(s->text, &s->t->probes.rows[probe]);
}

static bool put_ring(struct state *s, unsigned ring)
{
	const struct crash_area *a = &s->c->rings[ring].books;
	uint64_t words[STP_CRASH_BOOK_WORDS];
	char cpu[16];

	dictionary_cpu_name(ring, s->c->header.nrings, cpu);
	for (uint32_t i = 0; a->frames && i < s->t->probes.count; i++) {
		uint64_t from = i * (uint64_t)sizeof(words);

		s->at = crashtext_address(s->c, a, 0);
		if (from + sizeof(words) > a->bytes ||
		    !crashtext_read(s->c, a, from, words, sizeof(words), &s->at))
			return false;
		put_probe(s, i, cpu, words);
	}
	return true;
}

static bool put_globals(struct state *s)
{
	const struct crash_table *names = &s->c->tables[STP_CRASH_GLOBALS];
	uint32_t refused = 0, len;
	size_t at = 0;

	for (uint32_t i = 0; i < s->c->header.nglobals; i++, at += len) {
		const struct crash_area *a = &s->c->globals[i];

		if (names->size - at < sizeof(len))
			return false;
		memcpy(&len, names->bytes + at, sizeof(len));
		at += sizeof(len);
		if (names->size - at < len)
			return false;
		if (!a->frames || a->bytes != sizeof(refused))
			continue;
		if (!crashtext_read(s->c, a, 0, &refused, sizeof(refused), &s->at))
			return false;
		if (!refused)
			continue;
		fputs("contended\t", s->text);
		for (uint32_t k = 0; k < len && k < NAME_MAX_SHOWN; k++)
			if ((unsigned char)names->bytes[at + k] >= ' ')
				fputc(names->bytes[at + k], s->text);
		fprintf(s->text, "\t%" PRIu32 "\n", refused);
	}
	return true;
}

static bool put_all(struct state *s)
{
	s->at = s->c->address;
	for (unsigned ring = 0; ring < s->c->header.nrings; ring++)
		if (!put_ring(s, ring))
			return false;
	for (unsigned i = 0; i < STP_SKIP_COUNT; i++)
		if (s->reasons[i])
			fprintf(s->text, "skipped\t%s\t%" PRIu64 "\n", books_reason_word(i),
				s->reasons[i]);
	s->at = s->c->address;
	return put_globals(s);
}

char *crashbooks_text(const struct crashtext *c, const struct tables *t, size_t *len)
{
	struct state s = { .c = c, .t = t, .at = c->address };
	char *text = NULL;
	bool ok;

	_Static_assert(2 + STP_SKIP_COUNT <= STP_CRASH_BOOK_WORDS, "a word for each reason");
	s.text = open_memstream(&text, len);
	if (!s.text)
		return NULL;
	ok = put_all(&s);
	if (!ok)
		physical_damaged(c->memory, s.at, "a part of the books is not in the dump");
	if (!fclose(s.text) && ok)
		return text;
	free(text);
	return NULL;
}
