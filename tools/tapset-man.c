/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset-man DATA-DIR OUT-DIR: writes the manual pages of the library in DATA-DIR/tapset.
 * tapset-man --check DATA-DIR: lists everything that is not documented; status 1 when
 * there is anything. tapset-man --names DATA-DIR: lists all public names, one per line as
 * "probe vm.mmap".
 */
#include <stdio.h>
#include <string.h>

#include "ast/program.h"
#include "base/lexical.h"
#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/streams.h"
#include "parse/parse.h"
#include "probe/probe.h"
#include "sem/tapset.h"
#include "stap/doc/doc.h"

static void write_page(struct session *s, const char *dir, const char *name,
		       const struct strbuf *text)
{
	struct error *err = path_write(s->arena, arena_printf(s->arena, "%s/%s.3stap", dir, name),
				       text->s, text->len);

	if (!err)
		return;
	fprintf(stderr, "tapset-man: %s\n", err->text);
	s->errors++;
}

static int write_pages(struct session *s, const struct docs *docs, const char *dir)
{
	struct strbuf out;

	vec_each(&docs->list, i) {
		const struct doc *d = docs->list.data[i];

		strbuf_init(&out, s->arena);
		doc_page(s, docs, d, &out);
		write_page(s, dir,
			   arena_printf(s->arena, "%s::%s", doc_kind_names[d->kind], d->name),
			   &out);
	}
	vec_each(&docs->sources, i) {
		strbuf_init(&out, s->arena);
		doc_topic_page(s, docs, docs->sources.data[i], &out);
		write_page(
			s, dir,
			arena_printf(s->arena, "tapset::%s", doc_topic(s, docs->sources.data[i])),
			&out);
	}
	return s->errors ? 1 : 0;
}

static int names(const struct docs *docs)
{
	vec_each(&docs->list, i)
		printf("%s %s\n", doc_kind_names[docs->list.data[i]->kind],
		       docs->list.data[i]->name);
	return 0;
}

/* Prints the words of the language for editors/: one kind and one word on each line. */
static int words(void)
{
	const char *word;

	for (size_t i = 0; (word = lexical_keyword(i)) != NULL; i++)
		printf("keyword %s\n", word);
	for (size_t i = 0; (word = parse_print_name(i)) != NULL; i++)
		printf("print %s\n", word);
	for (size_t i = 0; (word = parse_operator_name(i)) != NULL; i++)
		printf("operator %s\n", word);
	for (unsigned i = 0; i < probe_family_count; i++)
		for (const char *line = probe_families[i]->help; *line;) {
			printf("point %.*s\n", (int)strcspn(line, ".(\n "), line);
			line += strcspn(line, "\n");
			line += *line == '\n';
		}
	return 0;
}

static unsigned lacks(struct session *s, const struct docs *docs, const struct doc *d)
{
	const char *where = d->source ? d->source->name : "the language";
	unsigned n = 0;

	if (!d->summary) {
		printf("%s: %s %s has no documentation\n", where, doc_kind_names[d->kind], d->name);
		return 1;
	}
	for (size_t i = 0; i < d->given.count; i++)
		if (!doc_mentions(s, docs, d, d->given.data[i])) {
			printf("%s: the documentation of %s %s does not say what '%s' is\n", where,
			       doc_kind_names[d->kind], d->name, d->given.data[i]);
			n++;
		}
	return n;
}

static int check(struct session *s, const struct docs *docs)
{
	unsigned n = 0;

	vec_each(&docs->list, i)
		n += lacks(s, docs, docs->list.data[i]);
	vec_each(&docs->sources, i)
		if (!*doc_topic_text(s, docs->sources.data[i])) {
			printf("%s: does not begin with a comment that says what it is about\n",
			       docs->sources.data[i]->name);
			n++;
		}
	vec_each(&docs->strays, i)
		printf("'%s' is documented, but there is nothing with this name\n",
		       docs->strays.data[i]);
	return n + docs->strays.count ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct options options = { .compatible = SYSTEMTAP_VERSION, .runtime = RUNTIME_USER };
	struct session s = { .arena = arena,
			     .program = program_create(arena),
			     .options = &options };
	int status = 2;
	struct docs docs;

	if (!streams_open() || argc != 3) {
		fputs("Usage: tapset-man DATA-DIR OUT-DIR | --check DATA-DIR | --names DATA-DIR "
		      "| --words DATA-DIR\n",
		      stderr);
		return status;
	}
	s.data_dir = argv[1][0] == '-' ? argv[2] : argv[1];
	tapset_open(&s);
	docs_read(&s, &docs);
	if (!strcmp(argv[1], "--check"))
		status = check(&s, &docs);
	else if (!strcmp(argv[1], "--words"))
		status = words();
	else if (!strcmp(argv[1], "--names"))
		status = names(&docs);
	else
		status = write_pages(&s, &docs, argv[2]);
	arena_destroy(arena);
	if (streams_flush(stdout)) {
		perror("tapset-man: writing to standard output");
		return 1;
	}
	return status;
}
