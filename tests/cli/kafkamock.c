/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster of Kafka for kafka.sh: librdkafka's own mock brokers, and a consumer. Writes
 * the brokers' addresses as the first line, then "PARTITION KEY VALUE" for each message
 * of topic "traces", as it comes; a value that is no JSON in hexadecimal digits. Takes words from standard input: "down", "up", of all
 * brokers; "reset", answers and connections are lost for a while; "slow", each answer takes
 * half a second, and "fast".
 */
#include <fcntl.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BROKERS	   3
#define PARTITIONS 4
#define PRODUCE	   0 /* of the protocol's requests */

static void set(rd_kafka_conf_t *conf, const char *name, const char *value)
{
	char why[256];

	if (rd_kafka_conf_set(conf, name, value, why, sizeof(why)) != RD_KAFKA_CONF_OK) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
}

static rd_kafka_t *client(rd_kafka_type_t type, const char *brokers)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	char why[256];
	rd_kafka_t *ret;

	rd_kafka_conf_set_log_cb(conf, NULL);
	if (brokers) {
		set(conf, "bootstrap.servers", brokers);
		set(conf, "group.id", "reader");
		set(conf, "reconnect.backoff.max.ms", "200");
		set(conf, "allow.auto.create.topics", "true");
	}
	ret = rd_kafka_new(type, conf, why, sizeof(why));
	if (!ret) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	return ret;
}

static void obey(rd_kafka_mock_cluster_t *cluster)
{
	char text[256];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text) - 1);

	if (n <= 0)
		return;
	text[n] = 0;
	for (int32_t b = 1; b <= BROKERS; b++) {
		if (strstr(text, "down"))
			rd_kafka_mock_broker_set_down(cluster, b);
		if (strstr(text, "up"))
			rd_kafka_mock_broker_set_up(cluster, b);
		if (strstr(text, "slow") || strstr(text, "fast"))
			rd_kafka_mock_broker_set_rtt(cluster, b, strstr(text, "slow") ? 500 : 0);
	}
	// What these say is lost: the broker has taken some, and closes the connection.
	if (strstr(text, "reset"))
		rd_kafka_mock_push_request_errors(cluster, PRODUCE, 3, RD_KAFKA_RESP_ERR__TRANSPORT,
						  RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT,
						  RD_KAFKA_RESP_ERR__TRANSPORT);
}

static void show(const rd_kafka_message_t *m)
{
	if (m->err)
		return;
	const unsigned char *value = m->payload;

	printf("%d %.*s ", (int)m->partition, (int)m->key_len, (const char *)m->key);
	if (m->len && *value == '{')
		printf("%.*s", (int)m->len, (const char *)m->payload);
	for (size_t i = 0; m->len && *value != '{' && i < m->len; i++)
		printf("%02x", value[i]);
	printf("\n");
	fflush(stdout);
}

int main(void)
{
	rd_kafka_t *keeper = client(RD_KAFKA_PRODUCER, NULL), *reader;
	rd_kafka_mock_cluster_t *cluster = rd_kafka_mock_cluster_new(keeper, BROKERS);
	rd_kafka_topic_partition_list_t *all = rd_kafka_topic_partition_list_new(PARTITIONS);

	if (!cluster || rd_kafka_mock_topic_create(cluster, "traces", PARTITIONS, BROKERS))
		return 1;
	printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
	fflush(stdout);
	reader = client(RD_KAFKA_CONSUMER, rd_kafka_mock_cluster_bootstraps(cluster));
	for (int32_t p = 0; p < PARTITIONS; p++)
		rd_kafka_topic_partition_list_add(all, "traces", p)->offset =
			RD_KAFKA_OFFSET_BEGINNING;
	if (rd_kafka_assign(reader, all))
		return 1;
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	for (;;) {
		rd_kafka_message_t *m = rd_kafka_consumer_poll(reader, 50);

		obey(cluster);
		if (m) {
			show(m);
			rd_kafka_message_destroy(m);
		}
	}
}
