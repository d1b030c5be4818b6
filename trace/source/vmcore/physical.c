/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See physical.h. */
#include "trace/source/vmcore/physical.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/source/join_file.h"

static const struct physical_ops *const forms[] = { &elfcore_ops, &kdump_ops };

bool physical_damaged(const struct physical *p, uint64_t address, const char *what)
{
	if (p->ops->offset)
		join_file_damaged(p->name, p->ops->offset(p, address), what);
	else
		message_error("%s: physical address 0x%" PRIx64 ": %s", p->name, address, what);
	return false;
}

/* Returns the format of the file, or NULL and the error. */
static const struct physical_ops *find_form(int fd, const char **wrong)
{
	uint8_t begin[16] = { 0 };
	struct stat st;

	*wrong = NULL;
	if (fstat(fd, &st) || (S_ISREG(st.st_mode) && pread(fd, begin, sizeof(begin), 0) < 0))
		*wrong = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*wrong = "a dump is read from a file";
	for (size_t i = 0; !*wrong && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i]->is(begin))
			return forms[i];
	if (!*wrong)
		*wrong = "not a dump of a machine's memory, neither of ELF nor of kdump's form";
	return NULL;
}

bool physical_open(struct physical *p, const char *name)
{
	const char *wrong;

	*p = (struct physical){ .name = name };
	p->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (p->fd < 0) {
		message_error("%s: %s", name, strerror(errno));
		return false;
	}
	p->ops = find_form(p->fd, &wrong);
	if (!p->ops)
		message_error("%s: %s", name, wrong);
	if (p->ops && p->ops->open(p))
		return true;
	physical_close(p);
	return false;
}

void physical_close(struct physical *p)
{
	if (p->ops)
		p->ops->close(p);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->ops = NULL;
}
