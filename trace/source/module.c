/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See module.h. */
#include "trace/source/module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sdt.h>
#include <unistd.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "uapi/zone.h"

#define READ_ALL_MAX (256u << 20) /* a longer file of the module is taken for damaged */

static int control(struct module *m, unsigned long request, void *arg)
{
	int rc;

	STAP_PROBE3(stapio, send__ctlmsg, _IOC_NR(request), arg, _IOC_SIZE(request));
	do {
		rc = ioctl(m->ctl, request, arg);
	} while (rc < 0 && errno == EINTR);
	return rc < 0 ? -errno : 0;
}

int module_hello(struct module *m)
{
	return control(m, STP_IOC_HELLO, &m->hello);
}

int module_detach(struct module *m)
{
	return control(m, STP_IOC_DETACH, NULL);
}

int module_start(struct module *m, const struct start_options *o, char *error, size_t size)
{
	struct stp_start start = { .target = o->target,
				   .on_full = o->on_full,
				   .keep = o->keep,
				   .as_data = o->as_data,
				   .verbose = o->verbose,
				   .zone = zone_local() };
	int rc = control(m, STP_IOC_START, &start);

	start.error[sizeof(start.error) - 1] = 0;
	snprintf(error, size, "%s", start.error);
	return rc;
}

int module_stop(struct module *m)
{
	return control(m, STP_IOC_STOP, NULL);
}

int module_status(struct module *m, struct stp_status *ret)
{
	return control(m, STP_IOC_STATUS, ret);
}

int module_gather(struct module *m, struct stp_gather *ret)
{
	return control(m, STP_IOC_GATHER, ret);
}

int module_table(struct module *m, const struct stp_table *t)
{
	return control(m, STP_IOC_TABLE, (void *)t);
}

int module_horizon(struct module *m, uint64_t *ret)
{
	return control(m, STP_IOC_HORIZON, ret);
}

static ssize_t read_some(int fd, void *buf, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, buf, size);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? (errno == EAGAIN ? 0 : -errno) : n;
}

ssize_t module_ring_read(struct module *m, unsigned ring, void *buf, size_t size)
{
	return read_some(m->rings[ring], buf, size);
}

static ssize_t read_all(int fd, char **ret)
{
	size_t len = 0, size = 0;
	char *buf = NULL;
	ssize_t n = 0;

	// The file may have been read before: read its present text.
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	do {
		if (size - len < 4096) {
			char *larger = size < READ_ALL_MAX
					       ? realloc(buf, size = size ? 2 * size : 16384)
					       : NULL;
			if (!larger) {
				free(buf);
				return -ENOMEM;
			}
			buf = larger;
		}
		n = read_some(fd, buf + len, size - len - 1);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	if (n < 0) {
		free(buf);
		return n;
	}
	buf[len] = 0;
	*ret = buf;
	return (ssize_t)len;
}

ssize_t module_read_books(struct module *m, char **ret)
{
	return read_all(m->books, ret);
}

ssize_t module_read_values(struct module *m, char **ret)
{
	char *about, *globals;
	ssize_t len, more;

	if (!m->globals || !m->about)
		return -ENODATA;
	len = read_all(m->about, &about);
	if (len < 0)
		return len;
	more = read_all(m->globals, &globals);
	*ret = more < 0 ? NULL : realloc(about, (size_t)(len + more) + 1);
	if (!*ret) {
		free(about);
		if (more >= 0)
			free(globals);
		return more < 0 ? more : -ENOMEM;
	}
	memcpy(*ret + len, globals, (size_t)more + 1);
	free(globals);
	return len + more;
}

const char *module_parse_books(struct module *m, struct books *ret)
{
	char *text;
	ssize_t n = module_read_books(m, &text);

	*ret = (struct books){ 0 };
	return n < 0 ? strerror((int)-n) : books_parse(ret, text, m->hello.nprobes);
}

int module_poll_fd(const struct module *m)
{
	return m->ctl;
}

const char *module_read_tables(struct module *m, struct tables *t)
{
	char *bytes;
	ssize_t size = read_all(m->formats, &bytes);
	const char *wrong;

	*t = (struct tables){ .fields = NULL };
	if (size < 0)
		return strerror((int)-size);
	wrong = dictionary_formats(t, bytes, (size_t)size, m->hello.nformats, true);
	if (wrong)
		return wrong;
	size = read_all(m->probes, &bytes);
	if (size < 0)
		return strerror((int)-size);
	return dictionary_init(&t->probes, bytes, (size_t)size, m->hello.nprobes);
}
