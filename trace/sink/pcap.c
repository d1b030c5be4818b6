/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to pcap:FILE: the packets that a script prints, as tcpdump and Wireshark read them,
 * in the format pcapng. A field "packet" has the bytes of an IP packet, "frame" those of
 * an Ethernet frame; "dev_name" (or "dev") is the device, "length" (or "len") is the
 * length of the whole packet, if the script prints only its beginning. Other output is
 * left out. Lost hits are counted as packets that the first interface has dropped.
 *
 * Each device is an interface of its own, two when it has packets of both kinds. A script
 * may print anything as a name: packets of further interfaces after INTERFACES_MOST, or
 * of an interface whose name is longer than NAME_MOST, are not stored; a message at the
 * end says so.
 *
 *   block:  type 4 | length 4 | ... | length 4     option:  code 2 | length 2 | ... to 4
 */
#include "trace/sink/sink.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "trace/books.h"
#include "trace/messages.h"
#include "trace/sink/stored.h"
#include "lib/utf8.h"
#include "trace/sink/wholefile.h"

enum { BLOCK_INTERFACE = 1, BLOCK_STATISTICS = 5, BLOCK_PACKET = 6, BLOCK_SECTION = 0x0A0D0D0A };
enum { LINK_ETHERNET = 1, LINK_RAW_IP = 101 };
enum { OPTION_PROGRAM = 4, OPTION_NAME = 2, OPTION_RESOLUTION = 9, OPTION_DROPPED = 5 };
#define BYTE_ORDER_MAGIC 0x1A2B3C4D
#define INTERFACES_MOST	 65536
#define NAME_MOST	 255

struct interface {
	unsigned link;
	uint32_t number, len;
	const char *name; /* after the struct itself, for an entry of the tree */
};

/* Numbers of a site's fields; -1: none. */
struct roles {
	int packet, frame, device, length;
};

struct pcap {
	struct wholefile file;
	const struct sink_trace *trace;
	struct roles *roles; /* one for each site */
	void *interfaces;    /* of tsearch(3) */
	uint32_t count;
	uint64_t packets, left_out, last;
	uint8_t block[128 + 4 * NAME_MOST + UINT16_MAX];
	size_t len;
};

/* ---- blocks ---- */

static void put(struct pcap *p, const void *s, size_t len)
{
	memcpy(p->block + p->len, s, len);
	p->len += len;
	for (; p->len % 4; p->len++)
		p->block[p->len] = 0;
}

static void put_number(struct pcap *p, uint32_t number)
{
	put(p, &number, sizeof(number));
}

static void put_two(struct pcap *p, uint16_t a, uint16_t b)
{
	const uint16_t both[] = { a, b };

	put(p, both, sizeof(both));
}

static void put_option(struct pcap *p, uint16_t code, const void *s, size_t len)
{
	put_two(p, code, (uint16_t)len);
	put(p, s, len);
}

static void put_time(struct pcap *p, uint64_t time)
{
	put_number(p, (uint32_t)(time >> 32));
	put_number(p, (uint32_t)time);
}

static void begin_block(struct pcap *p, uint32_t type)
{
	p->len = 0;
	put_number(p, type);
	put_number(p, 0);
}

static bool end_block(struct pcap *p)
{
	uint32_t len = (uint32_t)p->len + 4;

	memcpy(p->block + 4, &len, sizeof(len));
	put_number(p, len);
	return wholefile_put(&p->file, p->block, p->len);
}

static bool put_section(struct pcap *p)
{
	const int64_t unknown = -1; /* unknown length of the section */

	begin_block(p, BLOCK_SECTION);
	put_number(p, BYTE_ORDER_MAGIC);
	put_two(p, 1, 0);
	put(p, &unknown, sizeof(unknown));
	put_option(p, OPTION_PROGRAM, "stap", 4);
	put_number(p, 0);
	return end_block(p);
}

static bool put_interface(struct pcap *p, const struct interface *i)
{
	const uint8_t nanoseconds = 9;
	char name[4 * NAME_MOST];

	begin_block(p, BLOCK_INTERFACE);
	put_two(p, (uint16_t)i->link, 0);
	put_number(p, 0); /* no limit of the packets' length */
	if (i->len)
		put_option(p, OPTION_NAME, name, utf8_mend(name, i->name, i->len));
	put_option(p, OPTION_RESOLUTION, &nanoseconds, 1);
	put_number(p, 0);
	return end_block(p);
}

/* ---- packets ---- */

static int find_field(const struct site *s, const char *name, bool is_text)
{
	for (uint32_t k = 0; k < s->nfields; k++)
		if (!strcmp(s->fields[k].name, name) &&
		    (s->fields[k].type >= FIELD_STRING) == is_text)
			return (int)k;
	return -1;
}

static struct roles roles_of(const struct site *s)
{
	struct roles ret = { .packet = find_field(s, "packet", true),
			     .frame = find_field(s, "frame", true),
			     .device = find_field(s, "dev_name", true),
			     .length = find_field(s, "length", false) };

	if (ret.device < 0)
		ret.device = find_field(s, "dev", true);
	if (ret.length < 0)
		ret.length = find_field(s, "len", false);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct interface *x = a, *y = b;

	if (x->link != y->link)
		return x->link < y->link ? -1 : 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->len ? memcmp(x->name, y->name, x->len) : 0;
}

/* Adds an interface to the tree. NULL: there are too many, or there is no memory. */
static const struct interface *add_interface(struct pcap *p, const struct interface *key)
{
	struct interface *made = p->count < INTERFACES_MOST && key->len <= NAME_MOST
					 ? malloc(sizeof(*made) + key->len)
					 : NULL;
	char *name = made ? (char *)(made + 1) : NULL;

	if (!made)
		return NULL;
	*made = *key;
	made->name = name;
	made->number = p->count;
	if (key->len)
		memcpy(name, key->name, key->len);
	if (tsearch(made, &p->interfaces, compare)) {
		p->count++;
		return made;
	}
	free(made);
	return NULL;
}

/*
 * Sets *ret to the number of the interface, and writes the interface if it is new. Sets
 * *found to false if it cannot have a number. False: the file cannot be written.
 */
static bool use_interface(struct pcap *p, unsigned link, const struct value *name, uint32_t *ret,
			  bool *found)
{
	const struct interface key = { .link = link,
				       .name = name ? name->s : NULL,
				       .len = name ? name->len : 0 };
	const struct interface *const *is = tfind(&key, &p->interfaces, compare);
	const struct interface *i = is ? *is : add_interface(p, &key);

	*found = i;
	*ret = i ? i->number : 0;
	return is || !i || put_interface(p, i);
}

/* Counts a packet that is not stored. */
static bool leave_out(struct pcap *p)
{
	if (p->trace->stored)
		stored_skip(p->trace->stored);
	p->left_out++;
	return true;
}

static bool pcap_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct pcap *p = sink;
	const struct roles *r = &p->roles[i->index];
	int at = r->packet < 0 ? r->frame : r->packet;
	uint32_t interface, length;
	bool found;

	if (at < 0)
		return true;
	length = i->values[at].len;
	if (r->length >= 0 && i->values[r->length].number > length &&
	    i->values[r->length].number <= UINT32_MAX)
		length = (uint32_t)i->values[r->length].number;
	if (!use_interface(p, r->packet < 0 ? LINK_ETHERNET : LINK_RAW_IP,
			   r->device < 0 ? NULL : &i->values[r->device], &interface, &found))
		return false;
	if (!found)
		return leave_out(p);
	p->last = sink_realtime(p->trace, h->time);
	p->packets++;
	begin_block(p, BLOCK_PACKET);
	put_number(p, interface);
	put_time(p, p->last);
	put_number(p, i->values[at].len);
	put_number(p, length);
	put(p, i->values[at].s, i->values[at].len);
	return end_block(p);
}

static bool pcap_whole(void *sink, const struct sink_hit *h)
{
	struct pcap *p = sink;

	return wholefile_record(&p->file);
}

/* ---- the beginning and the end ---- */

static bool pcap_books(void *sink, const struct books *b)
{
	struct pcap *p = sink;
	const uint64_t lost = b->total.dropped + b->total.skipped;

	if (!p->count)
		return true;
	begin_block(p, BLOCK_STATISTICS);
	put_number(p, 0);
	put_time(p, p->last);
	put_option(p, OPTION_DROPPED, &lost, sizeof(lost));
	put_number(p, 0);
	return end_block(p);
}

static bool pcap_close(void *sink)
{
	struct pcap *p = sink;
	bool opened = p->file.fd >= 0, ok = wholefile_close(&p->file);

	if (opened && !p->packets && !p->left_out && !p->file.failed)
		message_warning("%s: the script has printed no field \"packet\" or \"frame\"",
				p->file.name);
	if (ok)
		stored_all(p->trace->stored);
	if (p->left_out)
		message_error("%s: %" PRIu64 " packets are not in it: of more than %d devices, or "
			      "of names longer than %d bytes",
			      p->file.name, p->left_out, INTERFACES_MOST, NAME_MOST);
	ok &= !p->left_out;
	tdestroy(p->interfaces, free);
	free(p->roles);
	free(p);
	return ok;
}

static void *pcap_open(const char *where, const struct sink_trace *t)
{
	struct pcap *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->file.fd = -1;
	p->trace = t;
	p->roles = calloc(t->fields->nsites + 1u, sizeof(*p->roles));
	for (uint32_t i = 0; p->roles && i < t->fields->nsites; i++)
		p->roles[i] = roles_of(&t->fields->sites[i]);
	if (p->roles && wholefile_open(&p->file, where, t->stored) && put_section(p) &&
	    wholefile_begun(&p->file))
		return p;
	pcap_close(p);
	return NULL;
}

SINK_OPS(pcap, pcap_open, pcap_item, pcap_close, .whole = pcap_whole, .books = pcap_books);
