/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items that generated C does not lay out itself: those with memory dumps, texts printed
 * by functions, and sprintf, which formats the same items at once.
 */
#include "core/record_format.h"
#include "core/state.h"

#define DUMP_MAX   8192
#define FIELD_MOST 65535

/* Units of work (api/ctx.h): a byte that is read, or of a format; a conversion. */
#define DUMP_BYTE_WORK	 12
#define FORMAT_BYTE_WORK 4
#define ARGUMENT_WORK	 384

static size_t item_bytes(const struct stp_format *f, const union stp_key *args)
{
	size_t bytes = sizeof(uint16_t);

	for (const char *a = f->args; *a; a++, args++)
		bytes += *a == 's' ? stp_item_string_bytes(args->s) : sizeof(int64_t);
	return bytes;
}

/* ---- items with memory dumps: laid out in the scratch area ---- */

struct dump {
	struct stp_ctx *c;
	uint8_t *p, *end;
	const union stp_key *args;
};

static bool dump_room(struct dump *d, size_t bytes)
{
	if ((size_t)(d->end - d->p) >= bytes)
		return true;
	stp_error(d->c, "printf with more than %d bytes of memory dumps and strings",
		  STP_SCRATCH_BYTES);
	return false;
}

static bool dump_number(struct dump *d, int64_t *ret)
{
	if (!dump_room(d, sizeof(int64_t)))
		return false;
	*ret = (d->args++)->i;
	d->p = stp_item_long(d->p, *ret);
	return true;
}

static bool dump_memory(struct dump *d, const struct stp_directive *dir, int64_t precision)
{
	enum stp_space space = dir->hash ? STP_USER : STP_KERNEL;
	uint64_t addr = (uint64_t)(d->args++)->i;
	uint32_t len = precision < 0 ? 1 : precision > DUMP_MAX ? DUMP_MAX : (uint32_t)precision;
	uint32_t i = 0;

	if (!dump_room(d, sizeof(uint16_t) + len))
		return false;
	if (!stp_charge(d->c, DUMP_BYTE_WORK * (uint64_t)len))
		return false;
	d->p = stp_item_u16(d->p, len);
	for (; i < len && !stp_failed(d->c); i++) {
		unsigned size = !((addr + i) & 7) && len - i >= 8 ? 8 : 1;
		uint64_t v = stp_load(d->c, space, addr + i, size);

		memcpy(d->p + i, &v, size);
		i += size - 1;
	}
	d->p += len;
	return !stp_failed(d->c);
}

static bool dump_directive(struct dump *d, const struct stp_directive *dir)
{
	int64_t number, width = dir->width, precision = dir->precision;

	if (dir->width_star && !dump_number(d, &width))
		return false;
	if (dir->precision_star && !dump_number(d, &precision))
		return false;
	if (!stp_charge(d->c, ARGUMENT_WORK +
				      (uint64_t)(width > 0 ? width < FIELD_MOST ? width : FIELD_MOST
							   : 0)))
		return false;
	if (dir->kind == STP_DIR_MEMORY || dir->kind == STP_DIR_MEMORY_HEX)
		return dump_memory(d, dir, precision);
	if (stp_directive_arg(dir->kind) == 'd')
		return dump_number(d, &number);
	if (stp_directive_arg(dir->kind) == 's') {
		if (!dump_room(d, sizeof(uint16_t) + stp_item_string_len(d->args->s)))
			return false;
		d->p = stp_item_string(d->p, (d->args++)->s);
	}
	return true;
}

size_t stp_format_dump(struct stp_ctx *c, unsigned format, unsigned index,
		       const union stp_key *args)
{
	const struct stp_format *f = &stp_script.formats[format];
	uint8_t *scratch = stp_cpu_of(c)->stage + STP_RECORD_MAX;
	struct dump d = { .c = c,
			  .p = stp_item_u16(scratch, index),
			  .end = scratch + STP_SCRATCH_BYTES,
			  .args = args };
	struct stp_directive dir;
	const char *error;
	uint32_t pos = 0;

	while (stp_format_next(f->text, f->len, &pos, &dir, &error))
		if (!dump_directive(&d, &dir))
			return 0;
	return (size_t)(d.p - scratch);
}

/* ---- functions for scripts ---- */

void stp_printf(struct stp_ctx *c, unsigned format, const union stp_key *args)
{
	const struct stp_format *f = &stp_script.formats[format];
	uint8_t *p;
	size_t bytes;

	if (unlikely(f->dump)) {
		bytes = f->dump(c, format, format, args);
		p = bytes ? stp_item(c, bytes) : NULL;
		if (p)
			memcpy(p, stp_cpu_of(c)->stage + STP_RECORD_MAX, bytes);
		return;
	}
	p = stp_item(c, item_bytes(f, args));
	if (!p)
		return;
	p = stp_item_u16(p, format);
	for (const char *a = f->args; *a; a++, args++)
		p = *a == 's' ? stp_item_string(p, args->s) : stp_item_long(p, args->i);
}

void stp_print_text(struct stp_ctx *c, const char *s, size_t len)
{
	const size_t most = STP_RECORD_MAX - 2 * sizeof(uint16_t);

	while (len) {
		size_t n = len < most ? len : most;
		uint8_t *p = stp_item(c, 2 * sizeof(uint16_t) + n);

		if (!p)
			return;
		stp_item_string(stp_item_u16(p, STP_FORMAT_TEXT),
				(struct stp_str){ s, (uint32_t)n });
		s += n;
		len -= n;
	}
}

/* Arguments of sprintf, directly from the caller. */
struct key_args {
	struct stp_format_args args; /* first member: the callbacks get its address */
	const union stp_key *next;
};

static bool key_number(struct stp_format_args *a, int64_t *ret)
{
	*ret = (((struct key_args *)a)->next++)->i;
	return true;
}

static bool key_bytes(struct stp_format_args *a, const char **s, uint32_t *len)
{
	const union stp_key *k = ((struct key_args *)a)->next++;

	*s = k->s.s;
	*len = k->s.len;
	return true;
}

struct stp_str stp_sprintf(struct stp_ctx *c, char *dst, unsigned format, const union stp_key *args)
{
	const struct stp_format *f = &stp_script.formats[format];
	struct stp_text r = { { dst, 0 }, false };

	stp_charge(c,
		   FORMAT_BYTE_WORK * (uint64_t)f->len + ARGUMENT_WORK * (uint64_t)strlen(f->args));
	if (unlikely(f->dump)) {
		const struct stp_format_text text = { f->text, f->len };
		size_t bytes = f->dump(c, format, 0, args);

		stp_record_format(&text, 1, stp_cpu_of(c)->stage + STP_RECORD_MAX, bytes,
				  stp_text_put, &r);
	} else {
		struct key_args keys = {
			{ key_number, key_bytes, (int32_t)stp_script.limits.string }, args
		};

		stp_format_run(f->text, f->len, &keys.args, stp_text_put, &r);
	}
	return stp_text_end(c, &r);
}
