/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See kafkaurl.h. */
#include "trace/sink/kafkaurl.h"

#ifdef HAVE_KAFKA

#include <errno.h>
#include <jansson.h>
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"
#include "trace/series.h"
#include "trace/sink/sink.h"
#include "trace/sink/spool.h"

#define PATIENCE  60 /* s */
#define SPOOL_MIN (1u << 20)

static bool wrong(const struct kafkaurl *u, const char *what)
{
	message_error("%s: %s; a topic is named as in kafka://BROKER:9092/TOPIC", u->shown, what);
	return false;
}

/* Returns a name as JSON; bytes that are not UTF-8 become '?'. */
static char *in_json(const char *name)
{
	char *text = strdup(name), *ret;
	json_t *string = text ? json_string(text) : NULL;

	for (char *p = text; p && !string && *p; p++)
		if ((signed char)*p < 0)
			*p = '?';
	if (text && !string)
		string = json_string(text);
	ret = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
	json_decref(string);
	free(text);
	return ret;
}

bool kafkaurl_parse(struct kafkaurl *u, const char *where, const struct sink_trace *t)
{
	const char *brokers = where + 2,
		   *slash = strncmp(where, "//", 2) ? NULL : strchr(brokers, '/');
	size_t topic = slash ? strcspn(slash + 1, "?") : 0;

	u->wait = PATIENCE;
	u->host = in_json(t->host);
	u->module = in_json(t->module);
	if (asprintf(&u->shown, "kafka:%s", where) < 0)
		u->shown = NULL;
	if (u->shown && (!slash || slash == brokers || !topic))
		return wrong(u, "not a URL");
	if (slash) {
		u->brokers = strndup(brokers, (size_t)(slash - brokers));
		u->topic = strndup(slash + 1, topic);
		u->more = slash[1 + topic] ? strdup(slash + topic + 2) : NULL;
	}
	if (u->brokers && u->topic && u->host && u->module && (u->more || !slash[1 + topic]))
		return true;
	message_error("no memory");
	return false;
}

void kafkaurl_free(struct kafkaurl *u)
{
	free(u->shown);
	free(u->brokers);
	free(u->topic);
	free(u->more);
	free(u->host);
	free(u->module);
}

/* ---- settings of librdkafka ---- */

static bool set(const struct kafkaurl *u, rd_kafka_conf_t *conf, const char *name,
		const char *value)
{
	char why[256];

	return rd_kafka_conf_set(conf, name, value, why, sizeof(why)) == RD_KAFKA_CONF_OK ||
	       wrong(u, why);
}

static bool take_wait(struct kafkaurl *u, const char *value)
{
	if (!*value || strspn(value, "0123456789") != strlen(value) || strlen(value) > 8)
		return wrong(u, "wait is a number of seconds");
	u->wait = (unsigned)strtoul(value, NULL, 10);
	return true;
}

static bool take_form(struct kafkaurl *u, const char *value)
{
	u->cbor = !strcmp(value, "cbor");
	return u->cbor || !strcmp(value, "json") || wrong(u, "form is json or cbor");
}

/* The spool's own size was set when it was created: here it is only checked. */
static bool take_spool(struct kafkaurl *u, const char *value, struct spool *spool)
{
	struct rotation size = { 0 };

	if (series_parse_rotation(value, &size) || size.bytes < SPOOL_MIN)
		return wrong(u, "spool is a size of at least 1M, as 100M or 4G");
	if (spool)
		spool_set_bound(spool, size.bytes);
	return true;
}

/* Splits NAME=VALUE. Returns the value, or NULL. */
static char *split(char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = 0;
	return value;
}

static bool read_config(struct kafkaurl *u, rd_kafka_conf_t *conf, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool ok = f;

	if (!f)
		message_error("%s: config=%s: %s", u->shown, path, strerror(errno));
	while (ok && getline(&line, &room, f) > 0) {
		char *name = line + strspn(line, " \t"), *value;

		name[strcspn(name, "\r\n")] = 0;
		if (!*name || *name == '#')
			continue;
		value = split(name);
		ok = value ? set(u, conf, name, value)
			   : wrong(u, "the file of config= has lines NAME=VALUE");
	}
	free(line);
	if (f)
		fclose(f);
	return ok;
}

/* Handles one parameter. Passwords stay out of arguments, which everybody can read. */
static bool take(struct kafkaurl *u, rd_kafka_conf_t *conf, char *text, struct spool *spool)
{
	char *value = split(text);

	if (!value)
		return wrong(u, "'?' is followed by NAME=VALUE&NAME=VALUE");
	if (!strcmp(text, "wait"))
		return take_wait(u, value);
	if (!strcmp(text, "spool"))
		return take_spool(u, value, spool);
	if (!strcmp(text, "form"))
		return take_form(u, value);
	if (!strcmp(text, "config"))
		return read_config(u, conf, value);
	if (strstr(text, "password"))
		return wrong(u, "passwords belong into the file that config=FILE names");
	return set(u, conf, text, value);
}

bool kafkaurl_configure(struct kafkaurl *u, rd_kafka_conf_t *conf, struct spool *spool)
{
	/*
	 * A message is sent until it arrives; only this program gives it up. The queue of
	 * librdkafka is bounded: further messages wait in the spool.
	 */
	static const char *const ours[][2] = {
		{ "client.id", "stap" },
		{ "enable.idempotence", "true" },
		{ "message.timeout.ms", "0" },
		{ "queue.buffering.max.kbytes", "65536" },
		{ "reconnect.backoff.max.ms", "2000" },
	};
	char *rest = NULL;
	bool ok = set(u, conf, "bootstrap.servers", u->brokers);

	for (size_t i = 0; ok && i < sizeof(ours) / sizeof(ours[0]); i++)
		ok = set(u, conf, ours[i][0], ours[i][1]);
	for (char *p = u->more ? strtok_r(u->more, "&", &rest) : NULL; ok && p;
	     p = strtok_r(NULL, "&", &rest))
		ok = take(u, conf, p, spool);
	return ok;
}

#endif
