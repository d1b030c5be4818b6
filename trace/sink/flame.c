/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to flame:FILE, a flame graph: a picture in SVG, with its own code for a browser
 * (flame.js).
 *
 * The text fields of an item, one after the other, are a stack, and its last number says
 * how much of it was seen; without a number it is 1. An item that has only numbers gives
 * the number for the stacks that the hit prints next, as print_stack() and
 * print_backtrace() do.
 *
 * The name of the number's field can name the quantity and its unit: off_cpu_us is time
 * off the CPU, in microseconds. Time spent waiting has cold colours, because no CPU works
 * then.
 *
 * With ",before=OLD" after the file's name, OLD is the picture of another run. Runs
 * differ in length, so shares of the whole are compared; the colour shows by how much a
 * frame's own share has changed, without the frames above it.
 */
#include "trace/sink/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"
#include "trace/sink/newfile.h"
#include "trace/sink/flamebaseline.h"
#include "trace/sink/stacks.h"
#include "lib/utf8.h"

#define WIDTH	  1200.0 /* of the picture, in pixels */
#define HEIGHT	  17	 /* of a frame */
#define ABOVE	  40	 /* title and buttons */
#define BELOW	  30	 /* the frame under the pointer */
#define LETTER	  7.25
#define LEAST	  0.1	/* width of a frame that is drawn */
#define UNCHANGED 0.005 /* of the largest change */
#define TEXT_MOST (128u << 10)

struct flame {
	FILE *f;
	char *file;
	const char *title; /* in `file`'s memory, after its NUL; NULL: the module's name */
	const struct sink_trace *trace;
	struct stacks stacks;
	/* Lines that the hit has printed; they may be a stack. */
	char *text;
	size_t len;
	uint64_t hit, weight;
	unsigned deepest;
	char *counts;	      /* the name of the number's field; NULL: there was none */
	uint64_t nanoseconds; /* per unit of the number; 0: it is not a time */
	double most; /* the largest change of a frame's own share, where runs are compared */
};

/* ---- stacks ---- */

static bool no_memory(const struct flame *p)
{
	message_error("%s: no memory", p->file ? p->file : "--to flame");
	return false;
}

static bool is_frame(const char *s, size_t len)
{
	while (len && *s == ' ') {
		s++;
		len--;
	}
	return len > 2 && s[0] == '0' && s[1] == 'x';
}

/* Adds the stacks in the printed lines; other lines separate them. */
static bool take_lines(struct flame *p)
{
	size_t at = 0, from = 0;
	bool ok = true;

	while (ok && at < p->len) {
		const char *end = memchr(p->text + at, '\n', p->len - at);
		size_t next = end ? (size_t)(end - p->text) + 1 : p->len;

		if (!is_frame(p->text + at, next - at)) {
			stacks_put(&p->stacks, p->text + from, at - from);
			ok = from == at || stacks_add(&p->stacks, p->weight);
			from = next;
		}
		at = next;
	}
	if (ok && from < p->len) {
		stacks_put(&p->stacks, p->text + from, p->len - from);
		ok = stacks_add(&p->stacks, p->weight);
	}
	p->len = 0;
	p->weight = 1;
	return ok || no_memory(p);
}

static bool begin_hit(struct flame *p, const struct sink_hit *h)
{
	if (p->hit == h->hit)
		return true;
	p->hit = h->hit;
	return take_lines(p);
}

/* Keeps the text of the hit until it is known whether it is a stack. */
static bool keep_text(struct flame *p, const struct sink_hit *h, const char *s, size_t len)
{
	if (!begin_hit(p, h) || (len > TEXT_MOST - p->len && !take_lines(p)))
		return false;
	memcpy(p->text + p->len, s, len);
	p->len += len;
	return true;
}

/*
 * Returns the item's value if it is one line of a stack, as print_syms() prints them;
 * otherwise NULL.
 */
static const struct value *line_of(const struct item *i)
{
	const struct value *v = i->values;

	return i->site->nfields == 1 && i->site->fields[0].type == FIELD_STRING &&
			       is_frame(v->s, v->len) &&
			       memchr(v->s, '\n', v->len) == v->s + v->len - 1
		       ? v
		       : NULL;
}

/* Derives the quantity and its unit from the first number's name. False: no memory. */
static bool name_weights(struct flame *p, const char *name)
{
	static const struct {
		const char *ending;
		uint64_t nanoseconds;
	} units[] = { { "_ns", 1 }, { "_us", 1000 }, { "_ms", 1000000 } };
	size_t len = strlen(name);

	if (p->counts)
		return true;
	p->counts = strdup(name);
	if (!p->counts)
		return no_memory(p);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (len > 3 && !strcmp(name + len - 3, units[i].ending)) {
			p->nanoseconds = units[i].nanoseconds;
			p->counts[len - 3] = '\0';
		}
	return true;
}

static bool flame_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	const struct value *number = NULL;
	const char *name = NULL;
	struct flame *p = sink;
	const struct value *line = line_of(i);
	uint64_t weight;

	if (line)
		return keep_text(p, h, line->s, line->len);
	if (!begin_hit(p, h) || !take_lines(p))
		return false;
	for (uint32_t k = 0; k < i->site->nfields; k++) {
		if (i->site->fields[k].type == FIELD_STRING)
			stacks_put(&p->stacks, i->values[k].s, i->values[k].len);
		else if (i->site->fields[k].type != FIELD_BYTES) {
			number = &i->values[k];
			name = i->site->fields[k].name;
		}
	}
	if (name && !name_weights(p, name))
		return false;
	weight = !number ? 1 : number->number < 0 ? 0 : (uint64_t)number->number;
	if (!p->stacks.depth)
		p->weight = weight;
	return stacks_add(&p->stacks, weight) || no_memory(p);
}

static bool flame_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
		       const char *s, size_t len)
{
	return kind != RECORD_OUTPUT || keep_text(sink, h, s, len);
}

/* ---- the picture ---- */

static const char code[] =
#include "trace/sink/flame.js.inc"
	;

/* Puts a text of at most `most` characters, escaped for XML. */
static void put_text(FILE *f, const char *s, size_t most)
{
	size_t left = strlen(s);

	for (; left && most; most--) {
		size_t n = utf8_length(s, left);

		const char *sign = *s == '&'   ? "&amp;"
				   : *s == '<' ? "&lt;"
				   : *s == '>' ? "&gt;" /* "]]>" is not allowed in text */
				   : *s == '"' ? "&quot;"
					       : NULL;

		if (sign)
			fputs(sign, f);
		else if (!n || (uint8_t)*s < ' ' || !memcmp(s, "\xef\xbf", n < 2 ? n : 2))
			fputc('?', f);
		else
			fwrite(s, 1, n, f);
		s += n ? n : 1;
		left -= n ? n : 1;
	}
}

/* True: the numbers are times in which threads wait. */
static bool counts_waiting(const struct flame *p)
{
	return p->nanoseconds &&
	       (!strncmp(p->counts, "off_", 4) || !strncmp(p->counts, "wait", 4) ||
		!strncmp(p->counts, "block", 5));
}

/* Writes an amount, with its unit if it is a time. */
static void put_amount(const struct flame *p, uint64_t n)
{
	double ns = (double)n * (double)p->nanoseconds;

	if (!p->nanoseconds)
		fprintf(p->f, "%" PRIu64, n);
	else if (ns < 1e6)
		fprintf(p->f, "%.3g us", ns / 1e3);
	else if (ns < 1e9)
		fprintf(p->f, "%.4g ms", ns / 1e6);
	else
		fprintf(p->f, "%.2f s", ns / 1e9);
}

/* Writes the name of the quantity: "off-CPU time" for off_cpu_us. */
static void put_counted(const struct flame *p)
{
	if (!p->nanoseconds)
		return;
	fputs(": ", p->f);
	if (!strcmp(p->counts, "off_cpu"))
		fputs("off-CPU", p->f);
	else
		for (const char *s = p->counts; *s; s++)
			put_text(p->f, *s == '_' ? " " : (const char[]){ *s, '\0' }, 1);
	fputs(" time", p->f);
}

/*
 * Returns a colour for the name, always the same, as a position on the warm or the cold
 * scale.
 */
static unsigned hue_of(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash;
}

/* Returns a number's share of a run's total, from 0 to 1. */
static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static bool compares(const struct flame *p)
{
	return p->stacks.frames[0]->before;
}

/* Returns by how much the frame's own share of the total has grown. */
static double own_change(const struct flame *p, const struct frame *f)
{
	const struct frame *root = p->stacks.frames[0];
	double now = share(f->total, root->total), before = share(f->before, root->before);

	for (const struct frame *on = f->first; on; on = on->next) {
		now -= share(on->total, root->total);
		before -= share(on->before, root->before);
	}
	return now - before;
}

/* Red: more of it than before; blue: less; grey: the same. */
static void put_colour(const struct flame *p, const struct frame *f)
{
	unsigned hue = hue_of(f->name);
	double change;

	if (!compares(p)) {
		fprintf(p->f, "hsl(%u,%u%%,%u%%)", (counts_waiting(p) ? 190 : 10) + hue % 45,
			65 + hue / 45 % 30, 55 + hue / 1350 % 15);
		return;
	}
	change = p->most > 0 ? own_change(p, f) / p->most : 0;
	if (change < UNCHANGED && change > -UNCHANGED)
		fputs("hsl(0,0%,92%)", p->f);
	else
		fprintf(p->f, "hsl(%u,90%%,%.0f%%)", change < 0 ? 220 : 10,
			93 - 40 * (change < 0 ? -change : change));
}

static void put_title(const struct flame *p, const struct frame *f)
{
	const struct frame *root = p->stacks.frames[0];
	double now = share(f->total, root->total) * 100;
	double before = share(f->before, root->before) * 100;

	fputs("<title>", p->f);
	put_text(p->f, f->name, SIZE_MAX);
	fputs(": ", p->f);
	put_amount(p, f->total);
	fprintf(p->f, ", %.2f%%", now);
	if (compares(p))
		fprintf(p->f, " (before: %" PRIu64 ", %.2f%%; %+.2f)", f->before, before,
			now - before);
	fputs("</title>", p->f);
}

static void put_frame(struct flame *p, const struct frame *f, double x, unsigned depth)
{
	double part = share(f->total, p->stacks.frames[0]->total);
	unsigned y = ABOVE + (p->deepest - depth) * HEIGHT;
	size_t letters = part * WIDTH > 4 ? (size_t)((part * WIDTH - 4) / LETTER) : 0;

	fprintf(p->f,
		"<g class=\"frame\" data-x=\"%.4f\" data-width=\"%.4f\" data-depth=\"%u\" "
		"data-total=\"%" PRIu64 "\" data-name=\"",
		x, part * WIDTH, depth, f->total);
	put_text(p->f, f->name, SIZE_MAX);
	fputs("\">", p->f);
	put_title(p, f);
	fprintf(p->f, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"", x, y,
		part * WIDTH, HEIGHT - 1);
	put_colour(p, f);
	fprintf(p->f, "\"/><text x=\"%.2f\" y=\"%u\">", x + 3, y + 12);
	if (letters >= strlen(f->name)) {
		put_text(p->f, f->name, letters);
	} else if (letters >= 3) {
		put_text(p->f, f->name, letters - 2);
		fputs("..", p->f);
	}
	fputs("</text></g>\n", p->f);
}

/* Recursion is no deeper than the deepest stack. */
static void put_frames(struct flame *p, const struct frame *f, double x, unsigned depth)
{
	double all = (double)p->stacks.frames[0]->total;

	if ((double)f->total / all * WIDTH < LEAST)
		return;
	put_frame(p, f, x, depth);
	for (const struct frame *on = f->first; on; on = on->next) {
		put_frames(p, on, x, depth + 1);
		x += (double)on->total / all * WIDTH;
	}
}

/* Returns how many frames are above it, without those of the other run. */
static unsigned height_of(const struct frame *f)
{
	unsigned most = 0;

	for (const struct frame *on = f->first; on; on = on->next) {
		unsigned above = on->total ? 1 + height_of(on) : 0;

		most = above > most ? above : most;
	}
	return most;
}

/*
 * Finds the largest change, and warns how much of the earlier run is missing from the
 * picture because its frames do not occur in this run.
 */
static void compare_runs(struct flame *p)
{
	double gone = 0;

	if (!compares(p))
		return;
	for (uint32_t i = 0; i < p->stacks.count; i++) {
		const struct frame *f = p->stacks.frames[i];
		double change = own_change(p, f);

		if (!f->total && p->stacks.frames[f->on]->total)
			gone += share(f->before, p->stacks.frames[0]->before);
		if (f->total && (change > p->most || -change > p->most))
			p->most = change < 0 ? -change : change;
	}
	if (gone > 0)
		message_warning("%s: %.2f%% of the earlier run was in frames that this one "
				"does not have: the reverse comparison shows them",
				p->file, gone * 100);
}

static void put_picture(struct flame *p)
{
	unsigned height;

	p->deepest = height_of(p->stacks.frames[0]);
	height = ABOVE + (p->deepest + 1) * HEIGHT + BELOW;
	fprintf(p->f,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%u\" "
		"viewBox=\"0 0 %.0f %u\" data-width=\"%.0f\" data-letter=\"%.2f\">\n"
		"<style>text { font: 12px monospace } .frame:hover rect { stroke: black }\n"
		".frame, #search, #whole { cursor: pointer }</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fffaf0\"/>\n"
		"<text x=\"%.0f\" y=\"24\" text-anchor=\"middle\" style=\"font-size: 16px\">",
		WIDTH, height, WIDTH, height, WIDTH, LETTER, WIDTH / 2);
	put_text(p->f, p->title ?: p->trace->module, 60);
	fputs(", ", p->f);
	put_text(p->f, p->trace->host, 60);
	put_counted(p);
	fputs(": ", p->f);
	put_amount(p, p->stacks.frames[0]->total);
	fputs(" in all", p->f);
	if (compares(p))
		fputs("; red is more than before, blue is less", p->f);
	fprintf(p->f,
		"</text>\n"
		"<text id=\"whole\" x=\"10\" y=\"24\" style=\"display: none\">Reset zoom</text>\n"
		"<text id=\"search\" x=\"%.0f\" y=\"24\">Search</text>\n"
		"<text id=\"matched\" x=\"%.0f\" y=\"%u\" text-anchor=\"end\"></text>\n"
		"<text id=\"said\" x=\"10\" y=\"%u\"></text>\n",
		WIDTH - 60, WIDTH - 10, height - 10, height - 10);
	if (p->stacks.frames[0]->total)
		put_frames(p, p->stacks.frames[0], 0, 0);
	fprintf(p->f, "<script><![CDATA[\n%s]]></script>\n</svg>\n", code);
}

static void free_flame(struct flame *p)
{
	stacks_deinit(&p->stacks);
	free(p->text);
	free(p->file);
	free(p->counts);
	free(p);
}

static bool flame_close(void *sink)
{
	struct flame *p = sink;
	bool ok = take_lines(p);

	stacks_end(&p->stacks);
	compare_runs(p);
	put_picture(p);
	ok &= newfile_close(p->f, p->file);
	if (!p->stacks.stacks)
		message_warning("%s: the script has printed no stacks; for their form see "
				"stap-merge(1)",
				p->file);
	if (p->stacks.cut)
		message_warning("%s: %" PRIu64 " stacks have more frames than it can show: they "
				"are cut",
				p->file, p->stacks.cut);
	free_flame(p);
	return ok;
}

/* Ends `text` before the word. Returns the text after it; NULL: the word is missing. */
static const char *cut_at(char *text, const char *word)
{
	char *at = strstr(text, word);

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(word);
}

/* Splits FILE[,before=OLD][,title=TEXT], and reads OLD. */
static bool take_names(struct flame *p, const char *where)
{
	const char *before;

	p->file = strdup(where);
	if (!p->file || !p->text)
		return no_memory(p);
	p->title = cut_at(p->file, ",title=");
	before = cut_at(p->file, ",before=");
	return !before || flamebaseline_read(&p->stacks, before);
}

static void *flame_open(const char *where, const struct sink_trace *t)
{
	struct flame *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->trace = t;
	p->weight = 1;
	p->text = malloc(TEXT_MOST);
	if (!stacks_init(&p->stacks))
		no_memory(p);
	else if (take_names(p, where))
		p->f = newfile_stream(p->file);
	if (p->f)
		return p;
	free_flame(p);
	return NULL;
}

SINK_OPS(flame, flame_open, flame_item, flame_close, .text = flame_text);
