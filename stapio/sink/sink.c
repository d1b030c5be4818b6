/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See sink.h. */
#include "stapio/sink/sink.h"

#include <stdio.h>
#include <string.h>

#include "stapio/messages.h"

static const struct kind {
	const char *name, *where, *help;
	const struct sink_ops *ops;
} kinds[] = {
#define SINK(kind, where, help) { #kind, where, help, &sink_##kind },
#include "stapio/sink/sink.def"
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *find(const char *to)
{
	for (size_t i = 0; i < KINDS; i++) {
		size_t len = strlen(kinds[i].name);

		if (!strncmp(to, kinds[i].name, len) && to[len] == ':' && to[len + 1])
			return &kinds[i];
	}
	return NULL;
}

const char *sink_check(const char *to)
{
	static char text[256];
	size_t n;

	if (find(to))
		return NULL;
	n = (size_t)snprintf(text, sizeof(text), "--to takes KIND:WHERE, which is one of");
	for (size_t i = 0; i < KINDS && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s %s:%s", i ? "," : "",
				      kinds[i].name, kinds[i].where);
	return text;
}

void sink_list(void)
{
	for (size_t i = 0; i < KINDS; i++)
		printf("              %s:%-8s %s\n", kinds[i].name, kinds[i].where, kinds[i].help);
}

static void take(struct sink *s, bool done)
{
	s->items += done;
	s->failed |= !done;
}

static void begin(struct sink *s, unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	s->hit = (struct sink_hit){ .time = head->time,
				    .hit = s->hit.hit + 1,
				    .ring = ring,
				    .probe = head->probe };
	if (head->kind != RECORD_OUTPUT && !s->failed)
		take(s, s->ops->text(s->own, &s->hit, (enum stp_record_kind)head->kind,
				     (const char *)body, head->len));
}

static const char *record(struct sink *s, struct fields *f, const struct stp_record *head,
			  const char *body)
{
	const uint8_t *p = (const uint8_t *)body, *end = p + head->len;
	struct item i;
	int rc = 1;

	while (!s->failed && (rc = fields_next(f, &p, end, &i)) > 0) {
		if (i.kind == ITEM_TASK) {
			s->hit.pid = (uint32_t)i.values[0].number;
			s->hit.tid = (uint32_t)i.values[1].number;
			s->hit.has_task = true;
		} else if (i.kind == ITEM_TEXT) {
			take(s, s->ops->text(s->own, &s->hit, RECORD_OUTPUT, i.values[0].s,
					     i.values[0].len));
		} else if (i.kind == ITEM_HISTOGRAM) {
			take(s, s->ops->histogram(s->own, &s->hit, i.histogram));
		} else if (i.site->nfields) {
			take(s, s->ops->item(s->own, &s->hit, &i));
		}
	}
	return rc < 0 ? "output that fits no format" : NULL;
}

bool sink_open(struct sink *s, const char *to, const struct sink_trace *t)
{
	const struct kind *k = find(to);

	*s = (struct sink){ .ops = k->ops, .begin = begin, .record = record };
	s->own = k->ops->open(strchr(to, ':') + 1, t);
	return s->own;
}

bool sink_close(struct sink *s, const struct books *b)
{
	bool ok = !s->failed;

	if (ok && b)
		ok = s->ops->books(s->own, b);
	return s->ops->close(s->own) && ok;
}
