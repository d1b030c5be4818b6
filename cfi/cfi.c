/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a section: CIEs, which several functions share, and FDEs, one for each
 * stretch of code. See LSB's description of .eh_frame and DWARF 6.4. rules.c runs the
 * program of each FDE.
 */
#include "cfi/cfi.h"

#include "cfi/registers.h"
#include "lib/error.h"
#include "cfi/bytes.h"
#include "cfi/rules.h"

/* Pointer encodings: the size, and the base that the value is relative to. */
enum {
	ENCODED_ABSOLUTE = 0x00,
	ENCODED_UDATA2 = 0x02,
	ENCODED_UDATA4 = 0x03,
	ENCODED_UDATA8 = 0x04,
	ENCODED_SDATA2 = 0x0a,
	ENCODED_SDATA4 = 0x0b,
	ENCODED_SDATA8 = 0x0c,
	ENCODED_FORM = 0x0f,
	ENCODED_PC_RELATIVE = 0x10,
	ENCODED_RELATION = 0x70,
	ENCODED_OMIT = 0xff,
};

/* Limits that no real function reaches: larger numbers mean a malicious file. */
#define FUNCTION_BYTES_MOST (1ull << 30)
#define ROWS_MOST	    (4u << 20)

struct cie_entry {
	uint64_t at; /* offset in the section */
	struct cie cie;
};

struct section_reader {
	struct cfi *c;
	const struct cfi_section *section;
	VEC(struct cie_entry) cies; /* read so far, in order */
};

static struct error *malformed(const struct section_reader *r, const uint8_t *at, const char *what)
{
	return error_create(
		r->c->arena, ERROR_ENVIRONMENT, "%s: malformed %s at offset %#llx: %s",
		r->section->file, r->section->is_debug ? ".debug_frame" : ".eh_frame",
		(unsigned long long)(r->section->offset + (uint64_t)(at - r->section->data)), what);
}

/* Returns false for encodings that programs do not use. */
static bool read_encoded(const struct section_reader *r, struct cursor *c, uint8_t encoding,
			 uint64_t *ret)
{
	uint64_t here = r->section->address + (uint64_t)(c->at - r->section->data);

	switch (encoding & ENCODED_FORM) {
	case ENCODED_ABSOLUTE:
	case ENCODED_UDATA8:
	case ENCODED_SDATA8:
		*ret = cursor_fixed(c, 8);
		break;
	case ENCODED_UDATA2:
		*ret = cursor_fixed(c, 2);
		break;
	case ENCODED_UDATA4:
		*ret = cursor_fixed(c, 4);
		break;
	case ENCODED_SDATA2:
		*ret = (uint64_t)cursor_signed(c, 2);
		break;
	case ENCODED_SDATA4:
		*ret = (uint64_t)cursor_signed(c, 4);
		break;
	default:
		return false;
	}
	if ((encoding & ENCODED_RELATION) == ENCODED_PC_RELATIVE)
		*ret += here;
	return !(encoding & ~(ENCODED_FORM | ENCODED_PC_RELATIVE)) && !c->bad;
}

/* ---- CIEs ---- */

/* Reads the data for the letters after 'z'. False: a letter is unknown. */
static bool read_augmentation(const struct section_reader *r, struct cursor *c, const char *letters,
			      struct cie *cie)
{
	uint64_t ignored;
	uint8_t encoding;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = (uint8_t)cursor_fixed(c, 1);
			break;
		case 'P':
			encoding = (uint8_t)cursor_fixed(c, 1);
			if (!read_encoded(r, c, encoding & ENCODED_FORM, &ignored))
				return false;
			break;
		case 'L':
			cursor_skip(c, 1);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B':
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool read_cie(const struct section_reader *r, struct cursor c, struct cie *cie)
{
	uint8_t version = (uint8_t)cursor_fixed(&c, 1);
	const char *letters = cursor_string(&c);
	struct cursor augmentation;

	*cie = (struct cie){ .encoding = ENCODED_ABSOLUTE };
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4 && (cursor_fixed(&c, 1) != 8 || cursor_fixed(&c, 1)))
		return false;
	cie->code_factor = cursor_uleb(&c);
	cie->data_factor = cursor_sleb(&c);
	if ((version == 1 ? cursor_fixed(&c, 1) : cursor_uleb(&c)) != r->c->arch->return_column ||
	    (*letters && *letters != 'z'))
		return false;
	if (*letters == 'z') {
		uint64_t size = cursor_uleb(&c);

		augmentation = c;
		cursor_skip(&c, size);
		augmentation.end = c.at;
		if (!read_augmentation(r, &augmentation, letters + 1, cie))
			return false;
		cie->has_augmentation = true;
	}
	cie->program = c.at;
	cie->program_end = c.end;
	return !c.bad;
}

static const struct cie *find_cie(const struct section_reader *r, uint64_t at)
{
	size_t low = 0, high = r->cies.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->cies.data[middle].at == at)
			return &r->cies.data[middle].cie;
		if (r->cies.data[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- FDEs ---- */

static struct error *read_fde(struct section_reader *r, struct cursor c, const struct cie *cie)
{
	const uint8_t *from = c.at;
	uint64_t begin, size;

	if (!read_encoded(r, &c, cie->encoding, &begin) ||
	    !read_encoded(r, &c, cie->encoding & ENCODED_FORM, &size)) {
		r->c->odd++;
		return NULL;
	}
	if (cie->has_augmentation)
		cursor_skip(&c, cursor_uleb(&c));
	if (c.bad)
		return malformed(r, from, "a function's description ends too early");
	if (size > FUNCTION_BYTES_MOST || begin + size < begin)
		return malformed(r, from, "a function without end");
	if (size && begin) /* 0: the linker has removed it */
		rules_run(r->c, cie, &c, begin, begin + size);
	return r->c->rows.count > ROWS_MOST ? malformed(r, from, "too many rows") : NULL;
}

/*
 * Finds the CIE that an FDE's second word points to: in .eh_frame the word is the
 * distance back from its own place.
 */
static bool cie_of(const struct section_reader *r, const uint8_t *word, uint64_t value,
		   uint64_t *ret)
{
	uint64_t here = (uint64_t)(word - r->section->data);

	*ret = r->section->is_debug ? value : here - value;
	return r->section->is_debug || value <= here;
}

static struct error *read_record(struct section_reader *r, struct cursor c, bool is_long)
{
	const uint8_t *word = c.at, *record = word - (is_long ? 12 : 4);
	uint64_t id = cursor_fixed(&c, is_long && r->section->is_debug ? 8 : 4), at;
	const struct cie *cie;

	if (c.bad)
		return malformed(r, word, "a record without contents");
	if (r->section->is_debug ? id == (is_long ? UINT64_MAX : UINT32_MAX) : !id) {
		struct cie_entry entry = { .at = (uint64_t)(record - r->section->data) };

		entry.cie.is_odd = !read_cie(r, c, &entry.cie);
		vec_push(r->c->arena, &r->cies, entry);
		return NULL;
	}
	cie = cie_of(r, word, id, &at) ? find_cie(r, at) : NULL;
	if (!cie)
		return malformed(r, word, "a function's description points to no CIE before it");
	if (cie->is_odd) {
		r->c->odd++;
		return NULL;
	}
	return read_fde(r, c, cie);
}

struct error *cfi_read(struct cfi *c, const struct cfi_section *section)
{
	struct section_reader r = { .c = c, .section = section };
	struct cursor all = { section->data, section->data + section->size, false };
	struct error *err = NULL;

	while (!err && cursor_left(&all) >= 4) {
		const uint8_t *from = all.at;
		uint64_t size = cursor_fixed(&all, 4);
		bool is_long = size == UINT32_MAX;
		struct cursor record;

		if (is_long)
			size = cursor_fixed(&all, 8);
		if (!size && !section->is_debug) /* the end */
			break;
		record = all;
		cursor_skip(&all, size);
		record.end = all.at;
		err = all.bad ? malformed(&r, from, "a record reaches past the end of the section")
			      : read_record(&r, record, is_long);
	}
	return err;
}
