/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to kafka://BROKERS/TOPIC, by librdkafka: a message for each hit, whose key is the
 * host and whose value is the line of --json with further members at its beginning, as
 * JSON or CBOR. The broker takes each message of this process once and in order
 * (enable.idempotence). A stream's records wait in the spool until their messages have
 * arrived.
 */
#include "trace/messages.h"
#include "trace/sink/sink.h"

#ifdef HAVE_KAFKA

#include <inttypes.h>
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/record_format.h"
#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/sink/cbor.h"
#include "trace/sink/kafkaurl.h"
#include "trace/sink/spool.h"
#include "trace/sink/stored.h"
#include "uapi/rawfile.h"

#define ANSWER_MS 10000 /* to wait for a broker's first answer */

/* A hit whose message has not arrived. */
struct waiting {
	struct waiting *next;
	struct sink_hit hit;
};

struct kafka {
	const struct sink_trace *trace;
	struct kafkaurl url;
	rd_kafka_t *producer;
	struct json json;
	struct sink_hit hit; /* the hit that is being assembled; hit.hit 0: none */
	enum stp_record_kind kind;
	struct waiting *first, **last;
	uint64_t arrived;
	time_t lost_at; /* as in dbserver.h */
	time_t over_at; /* input over: when the wait for the last messages began */
	bool failed;
	char error[256];
};

/* ---- reports of librdkafka ---- */

static void on_error(rd_kafka_t *rk, int error, const char *reason, void *ctx)
{
	struct kafka *k = ctx;
	char line[400];

	snprintf(k->error, sizeof(k->error), "%s", reason);
	if (error == RD_KAFKA_RESP_ERR__FATAL) {
		rd_kafka_fatal_error(rk, k->error, sizeof(k->error));
		k->failed = true;
	}
	if (error != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || k->lost_at)
		return;
	k->lost_at = sink_now();
	snprintf(line, sizeof(line), "the brokers are away (%s); %s", k->error,
		 k->trace->spool ? "records wait in the spool" : "waiting for them");
	sink_say(k->url.shown, line);
}

/* Appends messages in their order, so that the oldest one is first. */
static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *m, void *ctx)
{
	struct kafka *k = ctx;
	struct waiting *w = k->first;
	const struct sink_hit *next;
	char line[64];

	if (m->err) {
		snprintf(k->error, sizeof(k->error), "%s", rd_kafka_err2str(m->err));
		k->failed |= m->err != RD_KAFKA_RESP_ERR__PURGE_QUEUE &&
			     m->err != RD_KAFKA_RESP_ERR__PURGE_INFLIGHT;
		return;
	}
	k->over_at = 0;
	if (k->lost_at) {
		snprintf(line, sizeof(line), "the brokers are back after %d s",
			 (int)(sink_now() - k->lost_at));
		sink_say(k->url.shown, line);
		k->lost_at = 0;
	}
	if (!w || k->failed || m->_private != w)
		return;
	k->arrived++;
	if (k->trace->spool)
		spool_release(k->trace->spool, w->hit.at);
	k->first = w->next;
	if (!k->first)
		k->last = &k->first;
	next = k->first ? &k->first->hit : &k->hit;
	if (next->hit != w->hit.hit)
		stored_some(k->trace->stored, w->hit.probe, 1);
	free(w);
}

/* ---- messages ---- */

/* True: the time to wait for the brokers is over. */
static bool is_too_long(struct kafka *k)
{
	if (k->trace->spool && !spool_is_over(k->trace->spool))
		return false;
	if (!k->over_at)
		k->over_at = sink_now();
	return sink_now() - k->over_at >= (time_t)k->url.wait;
}

/* Hands a message over; librdkafka copies it. */
static bool produce(struct kafka *k, const char *value, size_t len, struct waiting *w)
{
	const char *host = k->trace->host;
	rd_kafka_resp_err_t rc;

	while (!k->failed) {
		rc = rd_kafka_producev(k->producer, RD_KAFKA_V_TOPIC(k->url.topic),
				       RD_KAFKA_V_KEY(host, strlen(host)),
				       RD_KAFKA_V_VALUE((void *)(uintptr_t)value, len),
				       RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
				       RD_KAFKA_V_OPAQUE(w), RD_KAFKA_V_END);
		if (!rc)
			return true;
		if (rc != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
			snprintf(k->error, sizeof(k->error), "%s", rd_kafka_err2str(rc));
			k->failed = true;
		} else if (is_too_long(k)) {
			k->failed = true;
		} else {
			rd_kafka_poll(k->producer, 100);
		}
	}
	return false;
}

/*
 * Assembles a value: its origin, then the rest of `line` after the "{". NULL:
 * no memory.
 */
static char *value_of(const struct kafka *k, const char *line, size_t len, size_t *ret)
{
	char *json, *cbor;
	int n = asprintf(&json,
			 "{\"host\":%s,\"module\":%s,\"run\":%" PRIu64 ",\"hit\":%" PRIu64
			 ",\"at\":%" PRIu64 ",%.*s",
			 k->url.host, k->url.module, k->trace->realtime, k->hit.hit,
			 sink_realtime(k->trace, k->hit.time), (int)len - 1, line + 1);

	if (n < 0)
		return NULL;
	*ret = (size_t)n;
	if (!k->url.cbor)
		return json;
	cbor = cbor_of_json(json, (size_t)n, ret);
	free(json);
	return cbor;
}

static bool send_line(struct kafka *k, const char *line, size_t len)
{
	struct waiting *w = malloc(sizeof(*w));
	size_t size = 0;
	char *value = w ? value_of(k, line, len, &size) : NULL;

	if (!value) {
		message_error("%s: no memory", k->url.shown);
		free(w);
		k->failed = true;
		return false;
	}
	*w = (struct waiting){ .hit = k->hit };
	*k->last = w;
	k->last = &w->next;
	produce(k, value, size, w);
	free(value);
	rd_kafka_poll(k->producer, 0);
	return !k->failed;
}

/* Sends the complete hit. */
static bool flush_hit(struct kafka *k)
{
	struct stp_record head = { .time = k->hit.time, .probe = k->hit.probe, .kind = k->kind };
	const char *line;
	size_t len;
	bool ok;

	if (!k->hit.hit || k->failed)
		return !k->failed;
	k->json.task[0] = k->hit.pid;
	k->json.task[1] = k->hit.tid;
	k->json.has_task = k->hit.has_task;
	line = json_line(&k->json, k->hit.ring, &head, &len);
	if (!line)
		message_error("%s: no memory", k->url.shown);
	ok = line && send_line(k, line, len - 1);
	k->failed |= !ok;
	k->hit.hit = 0;
	return ok;
}

static void on_idle(void *ctx)
{
	struct kafka *k = ctx;

	flush_hit(k);
	rd_kafka_poll(k->producer, 0);
}

/* Continues a hit, or begins the next one. */
static bool take_hit(struct kafka *k, const struct sink_hit *h, enum stp_record_kind kind)
{
	bool ok = (k->hit.hit == h->hit && k->kind == kind) || flush_hit(k);

	k->hit = *h;
	k->kind = kind;
	return ok;
}

/* A print without values becomes a text, as if a variable held it. */
static bool put_constant(struct kafka *k, const struct item *i)
{
	const struct table *f = &k->trace->tables->formats;
	const uint16_t item = (uint16_t)i->index;

	stp_record_format(f->rows, f->count, &item, sizeof(item), json_put, &k->json);
	return !k->json.no_memory;
}

static bool kafka_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct kafka *k = sink;

	if (!take_hit(k, h, RECORD_OUTPUT))
		return false;
	if (i->kind == ITEM_SITE && !i->site->nfields)
		return put_constant(k, i);
	return json_item(&k->json, i);
}

static bool kafka_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	const struct item i = { .kind = ITEM_HISTOGRAM, .histogram = g };

	return kafka_item(sink, h, &i);
}

static bool kafka_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
		       const char *s, size_t len)
{
	struct kafka *k = sink;

	if (!take_hit(k, h, kind))
		return false;
	json_put(&k->json, s, len);
	return !k->json.no_memory;
}

static bool kafka_books(void *sink, const struct books *b)
{
	struct kafka *k = sink;
	const struct book *t = &b->total;
	char line[256];
	int n = snprintf(line, sizeof(line),
			 "{\"type\":\"total\",\"hits\":%" PRIu64 ",\"delivered\":%" PRIu64
			 ",\"dropped\":%" PRIu64 ",\"skipped\":%" PRIu64 "}",
			 (uint64_t)t->hits, (uint64_t)t->delivered, (uint64_t)t->dropped,
			 (uint64_t)t->skipped);
	struct sink_hit last = k->hit;

	if (!flush_hit(k))
		return false;
	k->hit = last;
	if (!send_line(k, line, (size_t)n))
		return false;
	k->hit.hit = 0;
	return true;
}

/* ---- the beginning ---- */

/* Asks the brokers for the topic: a run does not begin if nobody accepts its output. */
static bool ask_topic(struct kafka *k)
{
	rd_kafka_topic_t *topic = rd_kafka_topic_new(k->producer, k->url.topic, NULL);
	const struct rd_kafka_metadata *m = NULL;
	rd_kafka_resp_err_t rc = RD_KAFKA_RESP_ERR__INVALID_ARG;

	if (topic)
		rc = rd_kafka_metadata(k->producer, 0, topic, &m, ANSWER_MS);
	if (!rc && m->topic_cnt == 1 && m->topics[0].err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
		message_error("%s: there is no such topic: kafka-topics --create --topic %s makes "
			      "it",
			      k->url.shown, k->url.topic);
	else if (rc)
		message_error("%s: %s: do the brokers run there?", k->url.shown,
			      *k->error ? k->error : rd_kafka_err2str(rc));
	if (!rc && m->topic_cnt == 1 && m->topics[0].err)
		rc = m->topics[0].err;
	if (m)
		rd_kafka_metadata_destroy(m);
	if (topic)
		rd_kafka_topic_destroy(topic);
	k->lost_at = 0;
	return !rc || rc == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
}

static bool start(struct kafka *k)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	char why[256];

	rd_kafka_conf_set_opaque(conf, k);
	rd_kafka_conf_set_error_cb(conf, on_error);
	rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
	rd_kafka_conf_set_log_cb(conf, NULL);
	if (!kafkaurl_configure(&k->url, conf, k->trace->spool)) {
		rd_kafka_conf_destroy(conf);
		return false;
	}
	k->producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, why, sizeof(why));
	if (k->producer)
		return ask_topic(k);
	message_error("%s: %s", k->url.shown, why);
	rd_kafka_conf_destroy(conf);
	return false;
}

/* ---- the end ---- */

static void free_all(struct kafka *k)
{
	for (struct waiting *w = k->first, *next; w; w = next) {
		next = w->next;
		free(w);
	}
	json_deinit(&k->json);
	kafkaurl_free(&k->url);
	free(k);
}

/* Saves the messages that have not arrived in a file, or reports their loss. */
static void give_up(struct kafka *k)
{
	const struct sink_hit *from = k->first ? &k->first->hit : &k->hit;
	const struct raw_resume rest = { .hits = from->hit ? from->hit - 1 : 0 };
	const struct stp_record heads[] = {
		{ .probe = STP_NO_PROBE, .len = sizeof(rest), .kind = RAW_RESUME },
		{ .probe = from->ring, .kind = RAW_RING },
	};
	char more[sizeof(heads) + sizeof(rest)];
	const char *file, *why = *k->error ? k->error : "the brokers have not answered";

	message_error("%s: %s", k->url.shown, why);
	if (!k->trace->spool) {
		message_error("%s: %" PRIu64 " messages have arrived, and the rest has not; the "
			      "same command sends all of them again",
			      k->url.shown, k->arrived);
		return;
	}
	memcpy(more, &heads[0], sizeof(heads[0]));
	memcpy(more + sizeof(heads[0]), &rest, sizeof(rest));
	memcpy(more + sizeof(heads[0]) + sizeof(rest), &heads[1], sizeof(heads[1]));
	file = spool_save(k->trace->spool, more, from->at ? sizeof(more) : 0, from->at);
	if (file)
		message_error("%s: the rest is in %s: stap-merge --to '%s' - < '%s' "
			      "sends it",
			      k->url.shown, file, k->url.shown, file);
}

static bool kafka_close(void *sink)
{
	struct kafka *k = sink;
	bool ok = k->producer && flush_hit(k);

	while (ok && rd_kafka_outq_len(k->producer) > 0 && !k->failed && !is_too_long(k))
		rd_kafka_flush(k->producer, 200);
	if (ok && (rd_kafka_outq_len(k->producer) > 0 || k->failed))
		ok = false;
	if (!ok && k->producer)
		give_up(k);
	if (k->producer) {
		rd_kafka_purge(k->producer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
		rd_kafka_destroy(k->producer);
	}
	free_all(k);
	return ok;
}

static void *kafka_open(const char *where, const struct sink_trace *t)
{
	struct kafka *k = calloc(1, sizeof(*k));

	if (!k) {
		message_error("no memory");
		return NULL;
	}
	k->trace = t;
	k->last = &k->first;
	json_init(&k->json, NULL, t->tables, t->nrings);
	if (kafkaurl_parse(&k->url, where, t) && start(k)) {
		if (t->spool)
			spool_on_idle(t->spool, on_idle, k);
		return k;
	}
	if (k->producer)
		rd_kafka_destroy(k->producer);
	free_all(k);
	return NULL;
}

SINK_OPS(kafka, kafka_open, kafka_item, kafka_close, .text = kafka_text,
	 .histogram = kafka_histogram, .books = kafka_books, .spools = true, .constants = true);

#else

static void *kafka_open(const char *where, const struct sink_trace *t)
{
	message_error("kafka: this stap was built without librdkafka; with its headers (Debian: "
		      "librdkafka-dev, Fedora: librdkafka-devel) make builds it in");
	return NULL;
}

static bool kafka_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	return false;
}

static bool kafka_close(void *sink)
{
	return false;
}

SINK_OPS(kafka, kafka_open, kafka_item, kafka_close);

#endif
