/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate FILES MB: writes raw files of a run that never was, gen_0 and so on, of so
 * many megabytes together: hits of a number, a name and a size, one each microsecond, in
 * turn on each CPU. Prints the number of records.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tablebytes.h"
#include "trace/dictionary.h"
#include "trace/messages.h"
#include "trace/source/raw.h"

#define BATCH 4096
#define BODY  28

static size_t put_hit(uint8_t *to, uint64_t n)
{
	const struct stp_record head = { .time = 5000000000u + 1000 * n,
					 .len = BODY,
					 .flags = RECORD_FIRST };
	const uint16_t format = 0, len = 8;
	uint64_t size = n % 65536;

	memset(to, 0, sizeof(head) + STP_RECORD_ALIGN(BODY));
	memcpy(to, &head, sizeof(head));
	to += sizeof(head);
	memcpy(to, &format, 2);
	memcpy(to + 2, &n, 8);
	memcpy(to + 10, &len, 2);
	memcpy(to + 12, "postgres", 8);
	memcpy(to + 20, &size, 8);
	return sizeof(head) + STP_RECORD_ALIGN(BODY);
}

int main(int argc, char **argv)
{
	const char *const formats[] = { "%d %s %d\n", "hit\tnumber\texecname\tsize", NULL };
	const char *const probes[] = { "kernel.function(\"vfs_read\")", NULL };
	unsigned rings = argc > 2 ? (unsigned)atoi(argv[1]) : 0, ring = 0;
	struct filename name = { .pattern = "gen_%c", .module = "m", .host = "h", .cpu = -1 };
	struct rotation none = { 0 };
	struct tables t;
	struct raw raw;
	static uint8_t buf[BATCH];
	uint64_t n = 0, most = argc > 2 ? strtoull(argv[2], NULL, 10) << 20 : 0;
	char books[200], *bytes;
	size_t size;

	message_setup(0, false);
	if (!rings)
		return 2;
	bytes = table_bytes(formats, &size);
	dictionary_formats(&t, bytes, size, 1, true);
	bytes = table_bytes(probes, &size);
	dictionary_init(&t.probes, bytes, size, 1);
	if (raw_init(&raw, &name, &none, &t, rings + 1))
		return 1;
	raw.header.monotonic = 5000000000u;
	while (raw.bytes < most) {
		size_t used = 0;

		while (used + 64 < BATCH)
			used += put_hit(buf + used, n++);
		if (raw_write(&raw, ring++ % rings, buf, used))
			return 1;
	}
	snprintf(books, sizeof(books), "probe\t0\t0\t%" PRIu64 "\t%" PRIu64 "\t0\t0\t%s\n", n, n,
		 probes[0]);
	printf("%" PRIu64 "\n", n);
	return raw_close(&raw, books) ? 0 : 1;
}
