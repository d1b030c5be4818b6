/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/livehosts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "exporter/jsontext.h"
#include "exporter/livestate.h"
#include "exporter/text.h"
#include "exporter/values.h"
#include "lib/bytequeue.h"

#define HOSTS_MOST 10000
#define LOOK_MOST  (64u << 20) /* bytes; more is not a script's */
#define LINE_MOST  (64u << 10)
#define WORDS	   4

struct livehost {
	char *name, *kind, *says;
	uint64_t changed; /* the number of its last change */
	struct text look; /* the last one, until a reader asks for it */
	int64_t look_ms;
	struct livestate *state;
};

struct livehosts {
	struct livehost *list;
	size_t count;
	uint64_t last;	     /* change */
	struct bytequeue in; /* bytes that are not handled yet */
	bool is_wrong;	     /* nothing more is taken */
	char *answer;
};

struct livehosts *livehosts_create(void)
{
	return text_memory(sizeof(struct livehosts));
}

/* ---- what has come ---- */

static void set(char **text, const char *to)
{
	free(*text);
	*text = text_copy(to);
}

static void add_host(struct livehosts *l, const char *name)
{
	struct livehost *grown = text_memory((l->count + 1) * sizeof(*grown));

	if (l->count)
		memcpy(grown, l->list, l->count * sizeof(*grown));
	free(l->list);
	l->list = grown;
	l->list[l->count++] = (struct livehost){
		.name = text_copy(name),
		.kind = text_copy("waits"),
		.says = text_copy(""),
		.changed = ++l->last,
		.state = livestate_create(),
	};
}

static void split_words(char *line, char *fields[WORDS])
{
	for (unsigned i = 0; i < WORDS; i++) {
		char *tab = i < WORDS - 1 ? strchr(line, '\t') : NULL;

		fields[i] = line;
		line = tab ? tab + 1 : line + strlen(line);
		if (tab)
			*tab = 0;
	}
}

/* Returns the machine of that number, or NULL. */
static struct livehost *host_of(struct livehosts *l, const char *number)
{
	size_t n = strtoul(number, NULL, 10);

	return n < l->count ? &l->list[n] : NULL;
}

static void take_state(struct livehosts *l, struct livehost *h, char *const *fields)
{
	set(&h->kind, fields[2]);
	set(&h->says, fields[3]);
	h->changed = ++l->last;
}

/*
 * Handles a line; `rest` bytes have come after it. Returns how many of them belong to it,
 * or -1: they have not all come.
 */
static ssize_t take_line(struct livehosts *l, char *line, const char *bytes, size_t rest,
			 int64_t ms)
{
	char *fields[WORDS];
	struct livehost *h;
	size_t len;

	split_words(line, fields);
	h = host_of(l, fields[1]);
	if (!strcmp(fields[0], "host") && l->count < HOSTS_MOST)
		add_host(l, fields[2]);
	else if (!strcmp(fields[0], "state") && h)
		take_state(l, h, fields);
	else if (!strcmp(fields[0], "switched"))
		set(&l->answer, fields[1]);
	if (strcmp(fields[0], "look") != 0 || !h)
		return 0;
	len = strtoul(fields[2], NULL, 10);
	l->is_wrong |= len > LOOK_MOST;
	if (len > rest)
		return -1;
	text_free(&h->look);
	text_add(&h->look, bytes, len);
	h->look_ms = ms;
	h->changed = ++l->last;
	return (ssize_t)len;
}

/* Handles the first line that is queued, and its bytes. False: they have not all come. */
static bool take_one(struct livehosts *l, int64_t ms)
{
	const char *begin = (const char *)bytequeue_at(&l->in);
	size_t queued = bytequeue_len(&l->in);
	const char *end = queued ? memchr(begin, '\n', queued) : NULL;
	size_t len = end ? (size_t)(end - begin) : queued;
	ssize_t used;
	char *line;

	l->is_wrong |= len > LINE_MOST;
	if (!end || l->is_wrong)
		return false;
	line = text_memory(len + 1);
	memcpy(line, begin, len);
	used = take_line(l, line, end + 1, queued - len - 1, ms);
	free(line);
	if (used < 0)
		return false;
	bytequeue_take(&l->in, len + 1 + (size_t)used);
	return true;
}

void livehosts_take(struct livehosts *l, const char *bytes, size_t len, int64_t ms)
{
	if (l->is_wrong)
		return;
	if (!bytequeue_add(&l->in, bytes, len))
		text_no_memory();
	while (take_one(l, ms))
		;
}

size_t livehosts_count(const struct livehosts *l)
{
	return l->count;
}

uint64_t livehosts_last(const struct livehosts *l)
{
	return l->last;
}

bool livehosts_answer(struct livehosts *l, char **ret)
{
	*ret = l->answer;
	l->answer = NULL;
	return *ret;
}

/* ---- what a reader gets ---- */

/* Reads the values that the machine has sent, now that somebody asks for them. */
static void settle(struct livehost *h)
{
	struct values v = { .state = -1, .owner = -1 };

	if (!h->look.len)
		return;
	values_read(&v, h->look.s, h->look.len);
	livestate_look(h->state, &v, h->look_ms, h->changed);
	values_free(&v);
	text_free(&h->look);
}

static void write_host(struct livehosts *l, size_t n, uint64_t seen, struct text *t)
{
	struct livehost *h = &l->list[n];

	settle(h);
	text_addf(t, "{\"n\":%zu,\"name\":", n);
	jsontext_string(t, h->name, strlen(h->name));
	text_adds(t, ",\"kind\":");
	jsontext_string(t, h->kind, strlen(h->kind));
	text_adds(t, ",\"says\":");
	jsontext_string(t, h->says, strlen(h->says));
	if (livestate_last(h->state) > seen) {
		text_adds(t, ",");
		livestate_write(h->state, seen, t);
	}
	text_adds(t, "}");
}

void livehosts_write(struct livehosts *l, uint64_t seen, struct text *t)
{
	const char *comma = "";

	text_addf(t, "\"look\":%" PRIu64 ",\"hosts\":[", l->last);
	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].changed <= seen)
			continue;
		text_adds(t, comma);
		write_host(l, i, seen, t);
		comma = ",";
	}
	text_adds(t, "]");
}

void livehosts_free(struct livehosts *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct livehost *h = &l->list[i];

		free(h->name);
		free(h->kind);
		free(h->says);
		text_free(&h->look);
		livestate_free(h->state);
	}
	free(l->list);
	free(l->answer);
	bytequeue_free(&l->in);
	free(l);
}
