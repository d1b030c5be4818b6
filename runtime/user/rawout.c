/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rawout.h. */
#include "user/rawout.h"

#include "core/port.h"
#include "core/session.h"
#include "uapi/msg.h"
#include "uapi/rawfile.h"
#include "user/user.h"

static const char rawout_zeros[8];
static uint64_t rawout_whole;

/* Writes a row of a table, or only counts its bytes (out NULL). */
static uint32_t rawout_row(FILE *out, const char *text, uint32_t len)
{
	if (out) {
		fwrite(&len, sizeof(len), 1, out);
		fwrite(text, 1, len, out);
	}
	return (uint32_t)sizeof(len) + len;
}

static uint32_t rawout_formats(FILE *out)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < stp_script.nformats; i++)
		bytes += rawout_row(out, stp_script.formats[i].text, stp_script.formats[i].len);
	for (uint32_t i = 0; i < stp_script.nformats; i++) {
		const char *fields = stp_script.formats[i].fields;

		bytes += rawout_row(out, fields ? fields : "",
				    fields ? (uint32_t)strlen(fields) : 0);
	}
	return bytes;
}

static uint32_t rawout_probes(FILE *out)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < stp_script.nprobes; i++)
		bytes += rawout_row(out, stp_script.probes[i].pp,
				    (uint32_t)strlen(stp_script.probes[i].pp));
	return bytes;
}

void rawout_begin(FILE *out, unsigned nrings)
{
	char host[256] = "";
	struct raw_header h = {
		.magic = RAW_MAGIC,
		.version = RAW_VERSION,
		.abi = STP_ABI,
		.ring = RAW_STREAM,
		.nrings = nrings,
		.module_bytes = 4, /* "user" */
		.nformats = stp_script.nformats,
		.nprobes = stp_script.nprobes,
		.formats_bytes = rawout_formats(NULL),
		.probes_bytes = rawout_probes(NULL),
		.session = port_realtime_ns(),
		.monotonic = port_monotonic_ns(),
	};
	uint32_t used;

	gethostname(host, sizeof(host) - 1);
	h.host_bytes = (uint32_t)strlen(host);
	used = (uint32_t)sizeof(h) + h.module_bytes + h.host_bytes + h.formats_bytes +
	       h.probes_bytes;
	h.bytes = STP_RECORD_ALIGN(used);
	fwrite(&h, sizeof(h), 1, out);
	fwrite("user", 1, h.module_bytes, out);
	fwrite(host, 1, h.host_bytes, out);
	rawout_formats(out);
	rawout_probes(out);
	fwrite(rawout_zeros, 1, h.bytes - used, out);
}

static void rawout_put(FILE *out, const struct stp_record *head, const void *body)
{
	fwrite(head, sizeof(*head), 1, out);
	fwrite(body, 1, head->len, out);
	fwrite(rawout_zeros, 1, STP_RECORD_ALIGN(head->len) - head->len, out);
}

void rawout_record(FILE *out, unsigned ring, const struct stp_record *head, const void *body)
{
	static unsigned last = RAW_STREAM;
	const struct stp_record of_ring = { .probe = ring, .kind = RAW_RING };

	if (ring != last)
		rawout_put(out, &of_ring, "");
	last = ring;
	rawout_put(out, head, body);
	rawout_whole += !(head->flags & RECORD_MORE);
}

uint64_t rawout_records(void)
{
	return rawout_whole;
}

static void rawout_book(void *out, const char *text)
{
	char line[4096];
	int n = snprintf(line, sizeof(line), "%s", text);
	struct stp_record head = { .probe = STP_NO_PROBE, .kind = RAW_BOOKS };

	n = n < (int)sizeof(line) - 2 ? n : (int)sizeof(line) - 2;
	if (!n || line[n - 1] != '\n')
		line[n++] = '\n';
	head.len = (uint16_t)n;
	rawout_put(out, &head, line);
}

void rawout_end(FILE *out)
{
	const struct stp_record head = { .probe = STP_NO_PROBE,
					 .len = sizeof(struct raw_end),
					 .kind = RAW_END };
	const struct raw_end end = { .last = 1 };

	stp_books_write(rawout_book, out);
	rawout_put(out, &head, &end);
}
