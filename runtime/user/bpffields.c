/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The translator has named places in types (translator/types/relocation.c). A name leads
 * to several types where the kernel has different ones of that name: they must agree.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "api/field.h"
#include "core/port.h"
#include "trace/messages.h"
#include "user/bpffields.h"
#include "user/kerneltypes.h"

#define KIND(k) (1u << BTF_KIND_##k)
#define TRACED	"__traceiter_" /* the function that has a tracepoint's parameters */

#define TEXT 256 /* bytes of a type's name, or of a reason */

static const struct utsname *kernel(void)
{
	static struct utsname ret;

	if (!*ret.release)
		uname(&ret);
	return &ret;
}

static void set_reason(char *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set_reason(char *reason, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reason, TEXT, format, args);
	va_end(args);
}

/* ---- types: as translator/types/relocation.c names them ---- */

static void type_text(const struct kerneltypes *t, uint32_t id, unsigned depth, char *ret)
{
	const struct btf_type *type;
	const char *name;
	size_t len;

	id = kerneltypes_skip(t, id);
	type = kerneltypes_type(t, id);
	name = type ? kerneltypes_string(t, type->name_off) : "";
	switch (depth < 8 ? kerneltypes_kind(t, id) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case KERNELTYPES_ENUM64:
		if (depth)
			snprintf(ret, TEXT, "%s number of %u bytes",
				 kerneltypes_is_signed(t, id) ? "signed" : "unsigned", type->size);
		else
			snprintf(ret, TEXT, "number");
		break;
	case BTF_KIND_PTR:
	case BTF_KIND_ARRAY:
		type_text(t,
			  kerneltypes_kind(t, id) == BTF_KIND_PTR
				  ? type->type
				  : ((const struct btf_array *)(const void *)(type + 1))->type,
			  depth + 1, ret);
		len = strlen(ret);
		snprintf(ret + len, TEXT - len, "%s",
			 kerneltypes_kind(t, id) == BTF_KIND_PTR ? " *" : " []");
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FWD:
		snprintf(ret, TEXT, "%s %s",
			 kerneltypes_kind(t, id) == BTF_KIND_UNION ||
					 (kerneltypes_kind(t, id) == BTF_KIND_FWD &&
					  BTF_INFO_KFLAG(type->info))
				 ? "union"
				 : "struct",
			 name);
		break;
	case BTF_KIND_FLOAT:
		snprintf(ret, TEXT, "floating-point number");
		break;
	case BTF_KIND_FUNC_PROTO:
		snprintf(ret, TEXT, "function");
		break;
	default:
		snprintf(ret, TEXT, "void");
	}
}

static bool is_type(const struct kerneltypes *t, uint32_t id, const char *wanted, char *now)
{
	type_text(t, id, 0, now);
	return !wanted || !strcmp(now, wanted);
}

/* ---- members ---- */

struct walk {
	const struct kerneltypes *t;
	struct kerneltypes_member at;
	bool is_whole; /* an element is a value of the type itself: after a pointer */
};

static bool walk_member(struct walk *w, const char *name, size_t len, char *reason)
{
	struct kerneltypes_member m;
	char type[TEXT];

	if (!kerneltypes_member(w->t, w->at.type, name, len, &m)) {
		type_text(w->t, w->at.type, 0, type);
		set_reason(reason, "'%s' has no member '%.*s'", type, (int)len, name);
		return false;
	}
	m.bit_offset += w->at.bit_offset;
	w->at = m;
	w->is_whole = false;
	return true;
}

static bool walk_element(struct walk *w, int64_t n, char *reason)
{
	uint32_t id = kerneltypes_skip(w->t, w->at.type);
	const struct btf_type *type = kerneltypes_type(w->t, id);
	char now[TEXT];

	if (!w->is_whole && kerneltypes_kind(w->t, id) != BTF_KIND_ARRAY) {
		type_text(w->t, id, 0, now);
		set_reason(reason, "there is no array but '%s'", now);
		return false;
	}
	if (!w->is_whole)
		w->at.type = ((const struct btf_array *)(const void *)(type + 1))->type;
	w->at.bit_offset += (uint64_t)n * kerneltypes_size(w->t, w->at.type) * 8;
	w->is_whole = false;
	return true;
}

static bool walk_pointer(struct walk *w, char *reason)
{
	uint32_t id = kerneltypes_skip(w->t, w->at.type);

	if (kerneltypes_kind(w->t, id) != BTF_KIND_PTR) {
		set_reason(reason, "there is no pointer");
		return false;
	}
	w->at = (struct kerneltypes_member){ .type = kerneltypes_type(w->t, id)->type };
	w->is_whole = true;
	return true;
}

/* Follows a path such as ".se.avg[2]*.x". */
static bool walk(struct walk *w, const char *path, char *reason)
{
	bool good = true;

	while (*path && good) {
		size_t len = strcspn(path + 1, ".[*");

		if (*path == '.')
			good = walk_member(w, path + 1, len, reason);
		else if (*path == '[')
			good = walk_element(w, strtoll(path + 1, NULL, 10), reason);
		else
			good = walk_pointer(w, reason);
		path += 1 + len;
	}
	return good;
}

/* Fills in what loads need. False: the bits are in more than one word. */
static bool fill(struct stp_field *f, const struct kerneltypes *t,
		 const struct kerneltypes_member *m)
{
	uint64_t bytes = kerneltypes_size(t, m->type), unit = 0;

	f->bytes = (uint32_t)bytes;
	f->size = (uint32_t)bytes;
	f->is_signed = kerneltypes_is_signed(t, m->type);
	f->offset = (int64_t)m->bit_offset / 8;
	f->above = f->around = bytes < 8 ? (uint8_t)(64 - 8 * bytes) : 0;
	if (!m->bit_size)
		return true;
	for (f->size = 1; f->size <= 8; f->size *= 2) {
		unit = m->bit_offset / (f->size * 8) * (f->size * 8);
		if (m->bit_offset + m->bit_size <= unit + f->size * 8)
			break;
	}
	f->offset = (int64_t)unit / 8;
	f->around = (uint8_t)(64 - m->bit_size);
	f->above = (uint8_t)(f->around - (m->bit_offset - unit));
	return f->size <= 8;
}

static bool find_in_type(struct stp_field *f, const struct kerneltypes *t, uint32_t id,
			 char *reason)
{
	struct walk w = { .t = t, .at = { .type = id }, .is_whole = true };
	char now[TEXT];

	if (!walk(&w, f->path, reason))
		return false;
	if (!is_type(t, w.at.type, f->is, now)) {
		set_reason(reason, "'%s%s' is '%s', not '%s'", f->type, f->path, now, f->is);
		return false;
	}
	if (fill(f, t, &w.at))
		return true;
	set_reason(reason, "'%s%s' is a bit field in two words", f->type, f->path);
	return false;
}

/* Splits "struct file" into a name and kinds; "file" alone may be any. */
static const char *kinds_of(const char *type, uint32_t *kinds)
{
	bool is_struct = !strncmp(type, "struct ", 7), is_union = !strncmp(type, "union ", 6);

	*kinds = is_struct  ? KIND(STRUCT)
		 : is_union ? KIND(UNION)
			    : KIND(STRUCT) | KIND(UNION) | KIND(TYPEDEF) | KIND(ENUM);
	return type + (is_struct ? 7 : is_union ? 6 : 0);
}

static bool is_same(const struct stp_field *a, const struct stp_field *b)
{
	return a->offset == b->offset && a->size == b->size && a->bytes == b->bytes &&
	       a->above == b->above && a->around == b->around && a->is_signed == b->is_signed;
}

/* The types of one name: the search goes through all, and scripts use few. */
struct named {
	const struct kerneltypes *t;
	const char *type;
	size_t count;
	uint32_t ids[8];
};

static const struct named *types_called(const struct kerneltypes *t, const char *type)
{
	static struct named known[32];
	static unsigned nknown;
	const size_t most = sizeof(known[0].ids) / sizeof(known[0].ids[0]);
	struct named *n;
	uint32_t kinds;
	const char *name = kinds_of(type, &kinds);

	for (unsigned i = 0; i < nknown && i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].t == t && !strcmp(known[i].type, type))
			return &known[i];
	n = &known[nknown++ % (sizeof(known) / sizeof(known[0]))];
	*n = (struct named){ t, type, 0, { 0 } };
	for (uint32_t id = 0; n->count < most && (id = kerneltypes_next(t, id, name, kinds));)
		n->ids[n->count++] = id;
	return n;
}

static bool find_member(struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	const struct named *named = types_called(t, f->type);
	bool found = false;

	set_reason(reason, "there is no '%s'%s%s%s", f->type,
		   f->module ? ", unless the module '" : "", f->module ? f->module : "",
		   f->module ? "' is loaded" : "");
	for (size_t i = 0; i < named->count; i++) {
		struct stp_field other = *f;

		if (!find_in_type(&other, t, named->ids[i], found ? (char[TEXT]){ 0 } : reason))
			continue;
		if (found && !is_same(f, &other)) {
			set_reason(reason, "several types are called '%s'; they differ in '%s'",
				   f->type, f->path);
			return false;
		}
		*f = other;
		found = true;
	}
	return found;
}

/* ---- functions ---- */

static const char *function_name(const struct stp_field *f)
{
	return strncmp(f->type, TRACED, strlen(TRACED)) ? f->type : f->type + strlen(TRACED);
}

static bool is_by_value(const struct kerneltypes *t, uint32_t id)
{
	return (KIND(STRUCT) | KIND(UNION)) >> kerneltypes_kind(t, kerneltypes_skip(t, id)) & 1;
}

/* Returns the size in "signed number of 4 bytes"; 0: this is another type. */
static unsigned number_bytes(const char *type)
{
	unsigned ret = 0;

	if (sscanf(type, "signed number of %u", &ret) != 1)
		sscanf(type, "unsigned number of %u", &ret);
	return strchr(type, '*') ? 0 : ret;
}

/* True: both are numbers, and the script's value is cut to the present size. */
static bool is_number(struct stp_field *f, const struct kerneltypes *t, uint32_t id)
{
	const uint32_t numbers = KIND(INT) | KIND(ENUM) | 1u << KERNELTYPES_ENUM64;
	struct kerneltypes_member value = { .type = id };

	return function_name(f) == f->type && number_bytes(f->is) &&
	       numbers >> kerneltypes_kind(t, kerneltypes_skip(t, id)) & 1 && fill(f, t, &value) &&
	       f->size <= 8;
}

static bool check_parameter(struct stp_field *f, const struct kerneltypes *t,
			    const struct btf_type *prototype, char *reason)
{
	const struct btf_param *p = (const void *)(prototype + 1);
	unsigned n = kerneltypes_count(prototype), at = (unsigned)f->number;
	char now[TEXT];

	for (unsigned i = 0; i < n; i++)
		if (i != at && !strcmp(kerneltypes_string(t, p[i].name_off), f->path)) {
			set_reason(reason, "'%s' is another parameter of '%s': number %u, not %u",
				   f->path, function_name(f), i + 1, at + 1);
			return false;
		}
	for (unsigned i = 0; i < at && i < n; i++)
		if (is_by_value(t, p[i].type)) {
			set_reason(reason, "'%s' takes a structure by value before '%s'",
				   function_name(f), f->path);
			return false;
		}
	if (at >= n) {
		set_reason(reason, "'%s' has no parameter '%s'", function_name(f), f->path);
		return false;
	}
	type_text(t, p[at].type, 1, now);
	if (is_number(f, t, p[at].type) || !strcmp(now, f->is))
		return true;
	set_reason(reason, "parameter '%s' of '%s' is '%s', not '%s'", f->path, function_name(f),
		   now, f->is);
	return false;
}

static bool check_result(struct stp_field *f, const struct kerneltypes *t,
			 const struct btf_type *prototype, char *reason)
{
	char now[TEXT];

	type_text(t, prototype->type, 1, now);
	if (is_number(f, t, prototype->type) || !strcmp(now, f->is))
		return true;
	set_reason(reason, "'%s' returns '%s', not '%s'", f->type, now, f->is);
	return false;
}

static const struct btf_type *prototype_of(const struct stp_field *f, const struct kerneltypes *t)
{
	uint32_t id = kerneltypes_next(t, 0, f->type, KIND(FUNC));

	return id ? kerneltypes_type(t, kerneltypes_type(t, id)->type) : NULL;
}

/*
 * A function that is not in the types is either not there, which other code reports, or
 * taken for what it was.
 */
static bool check_function(struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	const struct btf_type *prototype = prototype_of(f, t);

	if (!prototype) {
		f->is_signed = *f->is == 's';
		f->above = f->around = (uint8_t)(64 - 8 * number_bytes(f->is)) % 64;
		return true;
	}
	return f->kind == STP_FIELD_RESULT ? check_result(f, t, prototype, reason)
					   : check_parameter(f, t, prototype, reason);
}

/* ---- all of them ---- */

static bool find_enumerator(struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	unsigned found = kerneltypes_enumerator(t, f->path, &f->offset);

	if (found != 1)
		set_reason(reason, "%s '%s'",
			   found ? "several enumerations, with different values, have"
				 : "no enumeration has",
			   f->path);
	return found == 1;
}

/* Enumerators that this kernel lacks have no value that could get a wrong name. */
static bool check_names(const struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	char name[TEXT];
	int64_t wanted, value;
	int len;

	for (const char *at = f->path;
	     sscanf(at, "%255[^=]=%" SCNd64 " %n", name, &wanted, &len) == 2; at += len) {
		if (!kerneltypes_enumerator(t, name, &value) || value == wanted)
			continue;
		set_reason(reason, "'%s' is %" PRId64 ", not %" PRId64, name, value, wanted);
		return false;
	}
	return true;
}

/* ---- what the translation has decided ---- */

#define DECIDED "which the kernel of the translation has not: @defined has decided"

static bool lacks_member(const struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	struct stp_field there = *f;

	if (!find_member(&there, t, reason))
		return true;
	set_reason(reason, "'%s' has '%s', " DECIDED, f->type, f->path);
	return false;
}

static bool lacks_parameter(const struct stp_field *f, const struct kerneltypes *t, char *reason)
{
	const struct btf_type *prototype = prototype_of(f, t);
	const struct btf_param *p = (const void *)(prototype + 1);

	for (unsigned i = 0; prototype && i < kerneltypes_count(prototype); i++)
		if (!strcmp(kerneltypes_string(t, p[i].name_off), f->path)) {
			set_reason(reason, "'%s' has a parameter '%s', " DECIDED, function_name(f),
				   f->path);
			return false;
		}
	return true;
}

/* As translator/parse/preproc.c compares. */
static bool is_decided(const char *op, int order)
{
	switch (op[0]) {
	case '=':
		return !order;
	case '!':
		return order;
	case '<':
		return op[1] ? order <= 0 : order < 0;
	default:
		return op[1] ? order >= 0 : order > 0;
	}
}

static bool check_version(const struct stp_field *f, char *reason)
{
	char version[TEXT];
	bool is_pattern = f->path[strcspn(f->path, "*?[")];

	snprintf(version, sizeof(version), "%s", kernel()->release);
	if (!strcmp(f->is, "kernel_v"))
		version[strcspn(version, "-")] = 0;
	set_reason(reason, "%s %s \"%s\" is %s here", f->is, f->type, f->path,
		   f->number ? "false" : "true");
	return is_decided(f->type, is_pattern ? fnmatch(f->path, version, 0)
					      : strverscmp(version, f->path)) == f->number;
}

static bool check_kernel(const struct stp_field *f, char *reason)
{
	set_reason(reason, "%s", f->is);
	return !strcmp(f->type, kernel()->release) &&
	       (!*f->path || !strcmp(f->path, kernel()->version));
}

static bool find(struct stp_field *f, char *reason)
{
	const struct kerneltypes *t;

	if (f->kind == STP_FIELD_KERNEL)
		return check_kernel(f, reason);
	if (f->kind == STP_FIELD_VERSION)
		return check_version(f, reason);
	t = kerneltypes_open(f->module);
	if (!t) /* the module may be part of the kernel */
		t = kerneltypes_open(NULL);
	if (!t) {
		set_reason(reason, "/sys/kernel/btf/vmlinux is not there: the types are unknown");
		return false;
	}
	switch (f->kind) {
	case STP_FIELD_MEMBER:
		return find_member(f, t, reason);
	case STP_FIELD_ENUMERATOR:
		return find_enumerator(f, t, reason);
	case STP_FIELD_NAMES:
		return check_names(f, t, reason);
	case STP_FIELD_NO_MEMBER:
		return lacks_member(f, t, reason);
	case STP_FIELD_NO_PARAMETER:
		return lacks_parameter(f, t, reason);
	default:
		return check_function(f, t, reason);
	}
}

/* Sets the places of printed members. One that the kernel lacks is shown as "?". */
static void place_row(const struct stp_field_row *p)
{
	const struct stp_field *f = &stp_fields[p->field];
	struct stp_shape *row = p->row;

	if (!f->is_found) {
		row->kind = STP_SHAPE_TEXT;
		row->text = p->lacking;
		return;
	}
	row->offset = (uint32_t)(f->offset - stp_fields[p->beginning].offset);
	if (row->kind == STP_SHAPE_BYTES) {
		row->count = f->bytes;
		return;
	}
	row->size = (uint8_t)f->size;
	row->bit_size = f->around == 64 - 8 * f->size ? 0 : 64 - f->around;
	row->bit_offset = f->around - f->above;
	if (row->kind == STP_SHAPE_SIGNED || row->kind == STP_SHAPE_UNSIGNED)
		row->kind = f->is_signed ? STP_SHAPE_SIGNED : STP_SHAPE_UNSIGNED;
}

bool bpffields_find(void)
{
	char reason[TEXT];
	bool good = true;

	for (uint32_t i = 0; i < stp_fields_count; i++) {
		struct stp_field *f = &stp_fields[i];

		f->is_found = find(f, reason);
		if (f->is_found || f->may_lack)
			continue;
		message_error("%s: kernel %s: %s; the script was translated for %s", f->place,
			      kernel()->release, reason, stp_fields_release);
		good = false;
	}
	for (const struct stp_field_row *p = stp_field_rows; p->row; p++)
		place_row(p);
	kerneltypes_close();
	return good;
}
