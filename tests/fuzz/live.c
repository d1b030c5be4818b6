/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into stapio: a module's files as they are read while a script runs.
 * The input begins with the lengths of the files formats, probes and books (two bytes
 * each), the numbers of formats and probes, and a byte that chooses JSON (first bit) and
 * the second of two rings; the records of the rings are the rest.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/merge.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/records.h"
#include "trace/source/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	uint16_t lengths[3];
	uint8_t nformats, nprobes, how;
} __attribute__((packed));

struct live {
	struct module module;
	struct records records;
	struct json json;
};

/* Begins a form that the records are written as. */
typedef void (*form_start)(struct live *l);

static int file_of(const uint8_t **data, size_t *left, size_t want)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	size_t size = want < *left ? want : *left;

	if (write(fd, *data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();
	*data += size;
	*left -= size;
	return fd;
}

static ssize_t ring_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	return module_ring_read(&((struct live *)ctx)->module, ring, buf, size);
}

static const char *emit(void *ctx, unsigned ring, const struct stp_record *head,
			const uint8_t *body)
{
	return records_emit(&((struct live *)ctx)->records, ring, head, body);
}

static void to_text(struct live *l)
{
}

static void to_json(struct live *l)
{
	json_start(&l->json, &l->records, l->module.nrings, "m", "h", NULL);
}

static void read_records(struct live *l, struct tables *t, struct output *out, form_start form)
{
	static const struct merge_ops ops = { .read = ring_read, .empties = true, .emit = emit };
	struct merge m;

	// No commands are run.
	if (records_init(&l->records, t, out)) {
		form(l);
		if (!merge_init(&m, l->module.nrings, 1, &ops, l)) {
			while (merge_round(&m, MERGE_FINAL) > 0)
				;
			merge_deinit(&m);
		}
	}
	records_deinit(&l->records);
}

static void read_books(struct live *l, struct output *out)
{
	struct books books;

	if (!module_parse_books(&l->module, &books)) {
		books_print(&books);
		books_warn(&books, message_warning);
		if (l->records.form)
			records_books(&l->records, &books, 1, true);
	}
	books_deinit(&books);
}

static void read_all(struct live *l, form_start form)
{
	static const struct rotation none;
	struct filename null = { .pattern = "/dev/null", .module = "m", .host = "h", .cpu = -1 };
	struct tables tables = { 0 };
	struct output out;

	if (series_output(&out, &null, &none))
		abort();
	if (!module_read_tables(&l->module, &tables))
		read_records(l, &tables, &out, form);
	read_books(l, &out);
	json_deinit(&l->json);
	dictionary_deinit(&tables);
	output_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct live l = { .module = { .ctl = -1, .nrings = 2 } };
	size_t left = size - sizeof(struct input);
	struct input in;

	if (size < sizeof(in))
		return 0;
	memcpy(&in, data, sizeof(in));
	data += sizeof(in);
	l.module.formats = file_of(&data, &left, in.lengths[0]);
	l.module.probes = file_of(&data, &left, in.lengths[1]);
	l.module.books = file_of(&data, &left, in.lengths[2]);
	l.module.hello.nformats = in.nformats;
	l.module.hello.nprobes = in.nprobes;
	l.module.rings[0] = file_of(&data, &left, in.how & 2 ? left / 2 : left);
	l.module.rings[1] = file_of(&data, &left, left);
	message_setup(0, true);
	read_all(&l, in.how & 1 ? to_json : to_text);
	close(l.module.formats);
	close(l.module.probes);
	close(l.module.books);
	close(l.module.rings[0]);
	close(l.module.rings[1]);
	return 0;
}
