/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stored.h. */
#include "trace/sink/stored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/messages.h"

static size_t bytes(const struct stored *s)
{
	return (s->nprobes + (size_t)1) * sizeof(*s->told);
}

bool stored_open(struct stored *s, int fd, uint32_t nprobes)
{
	void *told = MAP_FAILED;

	*s = (struct stored){ .nprobes = nprobes };
	s->given = calloc(nprobes + (size_t)1, sizeof(*s->given));
	if (s->given && fd < 0)
		told = mmap(NULL, bytes(s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	else if (s->given && !ftruncate(fd, (off_t)bytes(s)))
		told = mmap(NULL, bytes(s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (told != MAP_FAILED) {
		s->told = told;
		return true;
	}
	message_error("--stored: %s", strerror(errno));
	free(s->given);
	return false;
}

static uint32_t index_of(const struct stored *s, uint32_t probe)
{
	return probe < s->nprobes ? probe : s->nprobes;
}

void stored_give(struct stored *s, uint32_t probe)
{
	if (!s->skips)
		s->given[index_of(s, probe)]++;
	s->skips = false;
}

/* One store each: a process killed in between has reported less, but nothing wrong. */
static void tell(struct stored *s, uint32_t index, uint64_t n)
{
	__atomic_store_n(&s->told[index], s->told[index] + n, __ATOMIC_RELAXED);
	s->given[index] -= n;
}

void stored_all(struct stored *s)
{
	for (uint32_t i = 0; s && i <= s->nprobes; i++)
		if (s->given[i])
			tell(s, i, s->given[i]);
}

void stored_some(struct stored *s, uint32_t probe, uint64_t n)
{
	if (s)
		tell(s, index_of(s, probe), n);
}

uint64_t stored_sum(const struct stored *s)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; s && i <= s->nprobes; i++)
		sum += s->told[i];
	return sum;
}

void stored_close(struct stored *s)
{
	if (s->told)
		munmap(s->told, bytes(s));
	free(s->given);
	*s = (struct stored){ 0 };
}
