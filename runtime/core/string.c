/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: counted, NUL-terminated, cut at MAXSTRINGLEN - 1. */
#include "core/state.h"

#define LENGTH_WORK 3 /* units of work (api/ctx.h) for each byte */

void stp_string_cut(struct stp_ctx *c)
{
	char text[256];
	int32_t no = 0;
	int n;

	if (READ_ONCE(stp_runtime.cut_said) || !try_cmpxchg32(&stp_runtime.cut_said, &no, 1))
		return;
	n = snprintf(text, sizeof(text),
		     "a string was cut to MAXSTRINGLEN - 1 = %u bytes in probe %.100s; "
		     "-DMAXSTRINGLEN=N allows more (said once)",
		     stp_script.limits.string - 1, c->probe ? c->probe->pn : "?");
	stp_warn(c, (struct stp_str){ text, (uint32_t)n });
}

/*
 * Charges for the bytes of a string that is longer than the default MAXSTRINGLEN.
 */
static __attribute__((__noinline__, cold)) uint32_t str_room_long(struct stp_ctx *c, uint32_t used,
								  uint32_t wanted)
{
	uint32_t free = stp_script.limits.string - 1 - used;

	stp_charge_later(c, wanted < free ? wanted : free);
	if (wanted <= free)
		return wanted;
	stp_string_cut(c);
	return free;
}

static uint32_t str_room(struct stp_ctx *c, uint32_t used, uint32_t wanted)
{
	return likely(wanted + used <= stp_script.limits.string_short)
		       ? wanted
		       : str_room_long(c, used, wanted);
}

struct stp_str stp_str_copy(struct stp_ctx *c, char *dst, struct stp_str s)
{
	uint32_t n = str_room(c, 0, s.len);

	stp_bytes_copy(dst, s.s, n); /* s may already be in dst */
	dst[n] = 0;
	return (struct stp_str){ dst, n };
}

struct stp_str stp_str_concat(struct stp_ctx *c, char *dst, struct stp_str a, struct stp_str b)
{
	uint32_t first = str_room(c, 0, a.len), second = str_room(c, first, b.len);

	/*
	 * Moves b first: in `s = x . s`, dst contains b. If dst contains a, the new place
	 * of b does not overwrite a.
	 */
	memmove(dst + first, b.s, second);
	memmove(dst, a.s, first);
	dst[first + second] = 0;
	return (struct stp_str){ dst, first + second };
}

struct stp_str stp_str_from(struct stp_ctx *c, char *dst)
{
	uint32_t n = strnlen(dst, stp_script.limits.string - 1);

	stp_charge_later(c, LENGTH_WORK * (uint64_t)n);
	dst[n] = 0;
	return (struct stp_str){ dst, n };
}

int stp_str_compare(struct stp_str a, struct stp_str b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

/*
 * Searches without strstr(): the kernel's calls memcmp() for each byte, and scripts may
 * probe memcmp(). Until the kernel has turned that kprobe into a jump, each call would
 * cause two exceptions.
 */
bool stp_text_has(const char *text, const char *part)
{
	size_t n = 0;

	for (; *text && part[n]; text++) {
		for (n = 0; part[n] && text[n] == part[n];)
			n++;
	}
	return !part[n];
}

struct stp_str stp_module_name(void)
{
	return (struct stp_str){ stp_script.name, (uint32_t)strlen(stp_script.name) };
}

struct stp_str stp_enum_name(struct stp_ctx *c, char *dst, const struct stp_enumerator *rows,
			     int64_t value)
{
	const struct stp_enumerator *row = rows;
	char digits[24];

	while (row->name && row->value != value)
		row++;
	stp_charge_later(c, 4 * (uint64_t)(row - rows));
	if (row->name)
		return stp_str_copy(c, dst,
				    (struct stp_str){ row->name, (uint32_t)strlen(row->name) });
	snprintf(digits, sizeof(digits), "%lld", (long long)value);
	return stp_str_copy(c, dst, (struct stp_str){ digits, (uint32_t)strlen(digits) });
}

bool stp_load_bytes(struct stp_ctx *c, enum stp_space space, uint64_t addr, void *dst, size_t n)
{
	if (port_memory_read(space, dst, addr, n))
		return true;
	stp_error(c, "read fault [man error::fault] at 0x%llx", (unsigned long long)addr);
	return false;
}

struct stp_str stp_catch(struct stp_ctx *c, char *dst)
{
	const char *text = c->error ? c->error : "";

	if (!stp_pardon(c))
		return stp_str_copy(c, dst, STP_STR(""));
	return stp_str_copy(c, dst, (struct stp_str){ text, (uint32_t)strlen(text) });
}
