/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * URLs of Kafka, "//BROKER[:PORT][,...]/TOPIC[?NAME=VALUE&...]". wait=SECONDS,
 * spool=SIZE, form=json|cbor and config=FILE are handled here. All others are options of
 * librdkafka, such as compression.codec=zstd. FILE has a line NAME=VALUE for each such
 * option that should not appear in arguments.
 */
#ifndef TRACE_SINK_KAFKAURL_H
#define TRACE_SINK_KAFKAURL_H

#include <stdbool.h>

struct rd_kafka_conf_s;
struct sink_trace;
struct spool;

struct kafkaurl {
	char *shown; /* "kafka:" and the whole URL, for messages */
	char *brokers, *topic;
	char *more;	     /* the text after '?', or NULL */
	char *host, *module; /* of the trace, as JSON */
	unsigned wait;	     /* s, at the end */
	bool cbor;	     /* the form of values; else JSON */
};

/* False: the URL is wrong, which was reported. */
bool kafkaurl_parse(struct kafkaurl *u, const char *where, const struct sink_trace *t);
/* Sets the options of librdkafka. */
bool kafkaurl_configure(struct kafkaurl *u, struct rd_kafka_conf_s *conf, struct spool *spool);
void kafkaurl_free(struct kafkaurl *u);

#endif
