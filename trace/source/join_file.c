/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See join_file.h, and join.h for join_file_open(). */
#include "trace/source/join_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/raw.h"
#include "trace/source/sources.h"
#include "uapi/msg.h"

#define HEADER_MAX (256u << 20)
#define ZSTD_MAGIC "\x28\xb5\x2f\xfd"

void join_file_damaged(const char *name, uint64_t offset, const char *what)
{
	message_error("%s: offset %" PRIu64 ": %s", name, offset, what);
}

static bool refuse(const struct join_part *p, uint64_t offset, const char *what)
{
	join_file_damaged(p->name, offset, what);
	return false;
}

#define AT(member) offsetof(struct raw_header, member)

static bool check_lengths(const struct join_part *p)
{
	const struct raw_header *h = &p->header;

	if (!raw_header_fits(h, HEADER_MAX))
		return refuse(p, AT(bytes), "the lengths in the header do not fit together");
	if (!h->nrings || h->nrings > RAW_RINGS_MAX ||
	    (h->ring >= h->nrings && h->ring != RAW_STREAM))
		return refuse(p, AT(ring), "no such CPU");
	return true;
}

static bool is_known(const struct raw_header *h)
{
	return ((h->version == RAW_VERSION || h->version == RAW_VERSION_2) && h->abi == STP_ABI) ||
	       (h->version == RAW_VERSION_1 && h->abi == RAW_ABI_1);
}

bool join_file_check(const struct join_part *p)
{
	const struct raw_header *h = &p->header;

	if (!memcmp(h->magic, ZSTD_MAGIC, 4))
		return refuse(p, 0, "it is compressed (unzstd unpacks it)");
	if (memcmp(h->magic, RAW_MAGIC, sizeof(h->magic)))
		return refuse(p, 0, "not a raw file of stap");
	if (!is_known(h))
		return refuse(p, AT(version), "written by another version of stap");
	return check_lengths(p);
}

/*
 * True: the file ends before its first record, as after a run that was killed or whose
 * disk was full.
 */
static bool is_cut(const struct join_part *p, size_t read)
{
	const struct raw_header *h = &p->header;
	size_t known = read < sizeof(h->magic) ? read : sizeof(h->magic);

	if (!memcmp(h->magic, RAW_MAGIC, known) && read < sizeof(*h))
		return true;
	return read == sizeof(*h) && !memcmp(h->magic, RAW_MAGIC, known) && is_known(h) &&
	       h->bytes <= HEADER_MAX && h->bytes > p->size;
}

/*
 * JOIN_CUT: the file holds nothing useful; the others can be joined without it.
 * JOIN_WRONG: nothing can be joined. The reason has been reported in both cases.
 */
enum opened { JOIN_OPENED, JOIN_CUT, JOIN_WRONG };

static enum opened part_check(struct join_part *p, int fd)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st)) {
		message_error("%s: %s", p->name, strerror(errno));
		return JOIN_WRONG;
	}
	p->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	n = S_ISREG(st.st_mode) ? pread(fd, &p->header, sizeof(p->header), 0) : -1;
	if (n >= 0 && is_cut(p, (size_t)n)) {
		refuse(p, p->size,
		       p->size ? "the file ends inside its header" : "the file is empty");
		return JOIN_CUT;
	}
	if (n == (ssize_t)sizeof(p->header) && p->header.ring == RAW_STREAM)
		refuse(p, AT(ring), "it is a stream: read it from standard input, '-'");
	else if (n == (ssize_t)sizeof(p->header) ? join_file_check(p)
						 : refuse(p, 0, "not a raw file of stap"))
		return JOIN_OPENED;
	return JOIN_WRONG;
}

static enum opened part_open(struct join_part *p, const char *name, int *fd)
{
	*p = (struct join_part){ .name = name };
	*fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (*fd >= 0)
		return part_check(p, *fd);
	message_error("%s: %s", name, strerror(errno));
	return JOIN_WRONG;
}

/* ---- properties that all files share ---- */

static char *read_piece(int fd, uint64_t at, size_t len)
{
	char *buf = malloc(len + 1);

	if (buf && pread(fd, buf, len, (off_t)at) == (ssize_t)len) {
		buf[len] = 0;
		return buf;
	}
	free(buf);
	return NULL;
}

static bool read_table(const struct join_part *p, int fd, uint64_t at, uint32_t len,
		       struct table *t, uint32_t count)
{
	char *bytes = read_piece(fd, at, len);
	const char *wrong = bytes ? dictionary_init(t, bytes, len, count) : "it cannot be read";

	return !wrong || refuse(p, at, wrong);
}

static bool read_formats(const struct join_part *p, int fd, uint64_t at, struct tables *t)
{
	const struct raw_header *h = &p->header;
	char *bytes = read_piece(fd, at, h->formats_bytes);
	const char *wrong = bytes ? dictionary_formats(t, bytes, h->formats_bytes, h->nformats,
						       h->version != RAW_VERSION_1)
				  : "it cannot be read";

	return !wrong || refuse(p, at, wrong);
}

static bool read_common(struct join *j, const struct join_part *p, int fd)
{
	const struct raw_header *h = &p->header;
	uint64_t at = sizeof(*h);

	j->module = read_piece(fd, at, h->module_bytes);
	at += h->module_bytes;
	j->host = read_piece(fd, at, h->host_bytes);
	at += h->host_bytes;
	if (!j->module || !j->host)
		return refuse(p, sizeof(*h), "it cannot be read");
	return read_formats(p, fd, at, &j->tables) &&
	       read_table(p, fd, at + h->formats_bytes, h->probes_bytes, &j->tables.probes,
			  h->nprobes);
}

static bool is_same_run(const struct join_part *p, const struct join_part *first)
{
	const struct raw_header *a = &p->header, *b = &first->header;

	if (a->session == b->session && a->nrings == b->nrings && a->bytes == b->bytes &&
	    a->nformats == b->nformats && a->nprobes == b->nprobes &&
	    a->formats_bytes == b->formats_bytes && a->probes_bytes == b->probes_bytes)
		return true;
	message_error("%s: of another run than %s", p->name, first->name);
	return false;
}

/* ---- order ---- */

static int part_compare(const void *a, const void *b)
{
	const struct raw_header *x = &((const struct join_part *)a)->header,
				*y = &((const struct join_part *)b)->header;

	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static bool check_order(struct join *j, const struct join_ring *r)
{
	char cpu[16];

	if (r->nparts && r->parts[0].header.part)
		message_warning("CPU %s: the first %u files are missing",
				dictionary_cpu_name(r->parts[0].header.ring, j->nrings, cpu),
				r->parts[0].header.part);
	for (unsigned i = 1; i < r->nparts; i++) {
		const struct join_part *p = &r->parts[i], *before = p - 1;

		if (p->header.part == before->header.part) {
			message_error("%s: the same part as %s", p->name, before->name);
			return false;
		}
		if (p->header.part != before->header.part + 1) {
			message_warning("files between %s and %s are missing", before->name,
					p->name);
			j->damaged = true;
		}
	}
	return true;
}

static bool sort_parts(struct join *j)
{
	j->nrings = j->parts[0].header.nrings;
	j->rings = calloc(j->nrings, sizeof(*j->rings));
	if (!j->rings) {
		message_error("no memory");
		return false;
	}
	qsort(j->parts, j->nparts, sizeof(*j->parts), part_compare);
	for (unsigned i = 0; i < j->nrings; i++)
		j->rings[i].fd = -1;
	for (unsigned i = 0; i < j->nparts; i++) {
		struct join_ring *r = &j->rings[j->parts[i].header.ring];

		if (!r->nparts++)
			r->parts = &j->parts[i];
	}
	for (unsigned i = 0; i < j->nrings; i++)
		if (!check_order(j, &j->rings[i]))
			return false;
	return true;
}

static bool add_part(struct join *j, const char *name)
{
	struct join_part *p = &j->parts[j->nparts];
	int fd;
	enum opened opened = part_open(p, name, &fd);
	bool ok = opened != JOIN_WRONG;

	if (opened == JOIN_CUT)
		j->damaged = true;
	if (opened == JOIN_OPENED) {
		ok = j->nparts ? is_same_run(p, &j->parts[0]) : read_common(j, p, fd);
		j->nparts++;
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

bool join_file_open(struct join *j, char *const *names, unsigned n, struct output *o)
{
	*j = (struct join){ .to = UINT64_MAX, .output = o, .source = &source_rawfile };
	j->parts = calloc(n + 1u, sizeof(*j->parts));
	if (!j->parts)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!add_part(j, names[i]))
			return false;
	if (!j->nparts) {
		message_error("the files contain nothing to join");
		return false;
	}
	if (!sort_parts(j))
		return false;
	if (records_init(&j->records, &j->tables, o))
		return true;
	message_error("no memory for the formats");
	return false;
}
