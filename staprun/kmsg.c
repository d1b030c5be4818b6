/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See kmsg.h. A read of /dev/kmsg returns one message:
 * "prefix;text\n" and perhaps lines of properties.
 */
#include "staprun/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "staprun/report.h"

#define MAX_LINES    8	 /* shown */
#define MAX_MESSAGES 512 /* looked at */

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool begins_with(const char *text, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(text, name, len) && text[len] == ':';
}

/* A locked-down kernel names the process that it refuses, not the module. */
static bool show(char *message, const char *name, const char *what)
{
	char *text = strchr(message, ';');

	if (!text)
		return false;
	text++;
	text[strcspn(text, "\n")] = 0;
	if (!begins_with(text, name) && !begins_with(text, "Lockdown"))
		return false;
	if (what && !strstr(text, what))
		return false;
	report_hint("kernel: %s", text);
	return true;
}

int kmsg_show(int log, const char *name, const char *what)
{
	char message[2048];
	int shown = 0;

	for (int i = 0; log >= 0 && i < MAX_MESSAGES && shown < MAX_LINES; i++) {
		ssize_t n = read(log, message, sizeof(message) - 1);
		// EPIPE: messages were overwritten before they could be read.
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n <= 0)
			break;
		message[n] = 0;
		shown += show(message, name, what);
	}
	return shown;
}
