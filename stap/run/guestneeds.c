/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See guestneeds.h. */
#include "stap/run/guestneeds.h"

#include <stdio.h>
#include <string.h>

#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"

enum need { DISK = 1, NETWORK = 2 };

/* Beginnings of points, as the script writes them or as aliases resolve to them. */
static const struct about {
	const char *point;
	enum need need;
} about[] = {
	{ "ioblock", DISK },
	{ "ioscheduler", DISK },
	{ "scsi.", DISK },
	{ "kernel.trace(\"block", DISK },
	{ "kernel.trace(\"scsi", DISK },
	{ "kernel.trace(\"writeback", DISK },
	{ "kernel.function(\"blk_", DISK },
	{ "tcp.", NETWORK },
	{ "tcpmib.", NETWORK },
	{ "ipmib.", NETWORK },
	{ "linuxmib.", NETWORK },
	{ "udp.", NETWORK },
	{ "netdev.", NETWORK },
	{ "netfilter.", NETWORK },
	{ "kernel.trace(\"net:", NETWORK },
	{ "kernel.trace(\"skb:", NETWORK },
	{ "kernel.trace(\"netif_", NETWORK },
	{ "kernel.trace(\"net_dev", NETWORK },
	{ "kernel.trace(\"tcp", NETWORK },
	{ "kernel.trace(\"sock:inet", NETWORK },
	{ "kernel.trace(\"inet_", NETWORK },
	{ "kernel.function(\"tcp_", NETWORK },
	{ "kernel.function(\"udp_", NETWORK },
	{ "kernel.function(\"inet_", NETWORK },
};

static unsigned needs_of(const char *point)
{
	for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++)
		if (!strncmp(point, about[i].point, strlen(about[i].point)))
			return about[i].need;
	return 0;
}

/* The derivation is a text such as "mine = ioblock.request  <- mine", or NULL. */
static unsigned needs_of_probe(const struct derived *d)
{
	static const char arrow[] = "<- ";
	unsigned needs = needs_of(d->pp);
	const char *at = d->derivation;

	while (at) {
		needs |= needs_of(at);
		at = strstr(at, arrow);
		if (at)
			at += strlen(arrow);
	}
	return needs;
}

void guestneeds_note(const struct session *s)
{
	static const struct {
		const char *lacked, *remedy;
	} notes[] = {
		[DISK] = { "disk", "--disk gives it one, at /mnt/disk" },
		[NETWORK] = { "network but its own loopback", "--network gives it one" },
		[DISK | NETWORK] = { "disk, and no network but its own loopback",
				     "--disk --network gives it both" },
	};
	const struct options *o = s->options;
	unsigned needs = 0;

	if (o->no_warnings)
		return;
	vec_each(&s->program->probes, i)
		needs |= needs_of_probe(s->program->probes.data[i]);
	needs &= ~((o->disk_mb ? DISK : 0u) | (o->network ? NETWORK : 0u));
	if (needs)
		fprintf(stderr, "stap: note: the guest has no %s; %s\n", notes[needs].lacked,
			notes[needs].remedy);
}
