/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types by name, types as C text, and the layout of their values. */
#include "types/types.h"

#include <ctype.h>
#include <string.h>

#include "base/diag.h"
#include "kernel/facts.h"
#include "kernel/modules.h"
#include "lib/strbuf.h"
#include "lib/word.h"

#define KIND(k) (1u << BTF_KIND_##k)

static const struct tag {
	const char *word;
	uint32_t kinds;
} tags[] = {
	{ "struct ", KIND(STRUCT) },
	{ "union ", KIND(UNION) },
	{ "enum ", KIND(ENUM) | 1u << BTF_ID_ENUM64 },
};

/* C's spellings of the base types, and those of gcc and clang in BTF. */
static const struct spelling {
	const char *c, *gcc, *clang;
} spellings[] = {
	{ "unsigned", "unsigned int", "unsigned int" },
	{ "signed", "int", "int" },
	{ "signed int", "int", "int" },
	{ "long", "long int", "long" },
	{ "signed long", "long int", "long" },
	{ "long int", "long int", "long" },
	{ "unsigned long", "long unsigned int", "unsigned long" },
	{ "unsigned long int", "long unsigned int", "unsigned long" },
	{ "long unsigned int", "long unsigned int", "unsigned long" },
	{ "long long", "long long int", "long long" },
	{ "long long int", "long long int", "long long" },
	{ "unsigned long long", "long long unsigned int", "unsigned long long" },
	{ "unsigned long long int", "long long unsigned int", "unsigned long long" },
	{ "long long unsigned int", "long long unsigned int", "unsigned long long" },
	{ "short", "short int", "short" },
	{ "short int", "short int", "short" },
	{ "unsigned short", "short unsigned int", "unsigned short" },
	{ "unsigned short int", "short unsigned int", "unsigned short" },
	{ "short unsigned int", "short unsigned int", "unsigned short" },
	{ "bool", "_Bool", "_Bool" },
	{ "unsigned __int128", "__int128 unsigned", "unsigned __int128" },
};

static const struct spelling *spelling_of(const char *name)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (!strcmp(name, spellings[i].c))
			return &spellings[i];
	return NULL;
}

/* Puts one blank between words and removes those around them. */
static char *normalise(struct session *s, const char *name)
{
	struct strbuf b;

	strbuf_init(&b, s->arena);
	for (const char *p = name; *p;) {
		size_t blank = strspn(p, " \t\n"), word = strcspn(p + blank, " \t\n");

		if (word)
			strbuf_addf(&b, "%s%.*s", b.len ? " " : "", (int)word, p + blank);
		p += blank + word;
	}
	return b.s;
}

static uint32_t find_plain(struct btf *b, const char *name)
{
	const uint32_t any = KIND(STRUCT) | KIND(UNION) | KIND(ENUM) | 1u << BTF_ID_ENUM64 |
			     KIND(TYPEDEF) | KIND(INT) | KIND(FLOAT);
	const struct spelling *base = spelling_of(name);

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t n = strlen(tags[i].word);

		if (!strncmp(name, tags[i].word, n))
			return btf_find_type(b, name + n, tags[i].kinds);
	}
	if (base) {
		uint32_t id = btf_find_type(b, base->gcc, KIND(INT));

		return id ? id : btf_find_type(b, base->clang, KIND(INT));
	}

	/*
	 * "struct x" is more likely than a typedef x of something else, and both rarely
	 * exist.
	 */
	uint32_t id = btf_find_type(b, name, KIND(STRUCT) | KIND(UNION));

	return id ? id : btf_find_type(b, name, any);
}

static const char *near_types(struct session *s, struct btf *b, const char *name)
{
	VEC(const char *) names = { 0 };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (!strncmp(name, tags[i].word, strlen(tags[i].word)))
			name += strlen(tags[i].word);
	for (; b; b = btf_base(b)) {
		for (uint32_t id = btf_first(b); id < btf_end(b); id++) {
			uint32_t kind = 1u << btf_kind(b, id);

			if ((kind & (KIND(STRUCT) | KIND(UNION) | KIND(TYPEDEF) | KIND(ENUM))) &&
			    *btf_name(b, id))
				vec_push(s->arena, &names, btf_name(b, id));
		}
	}
	return diag_near(s, name, names.data, names.count);
}

/* The table may have "const X *" but not "X *". */
static uint32_t find_pointer(struct btf *b, uint32_t id)
{
	uint32_t pointer = btf_find_pointer(b, id);

	for (struct btf *t = b; t && !pointer; t = btf_base(t)) {
		for (uint32_t i = btf_first(t); i < btf_end(t) && !pointer; i++)
			if (btf_kind(t, i) == BTF_KIND_CONST && btf_type(t, i)->type == id)
				pointer = btf_find_pointer(b, i);
	}
	return pointer;
}

/* Looks through one table and its base, without suggestions. */
static uint32_t find_type(struct session *s, struct btf *b, const char *name, char **plain)
{
	char *p = normalise(s, name);
	size_t len, stars = 0;

	if (!strncmp(p, "const ", 6))
		p += 6;
	for (len = strlen(p); len && (p[len - 1] == '*' || p[len - 1] == ' '); len--)
		stars += p[len - 1] == '*';
	p[len] = 0;
	*plain = p;
	if (!strcmp(p, "void"))
		return stars ? btf_find_pointer(b, 0) : 0;

	uint32_t id = find_plain(b, p);

	for (; id && stars; stars--)
		id = find_pointer(b, id);
	return id;
}

uint32_t types_known(struct session *s, const char *name)
{
	struct btf *b;
	char *plain;

	return kernel_btf(s, &b) ? 0 : find_type(s, b, name, &plain);
}

struct error *types_by_name(struct session *s, struct btf *b, const char *where, const char *name,
			    uint32_t *ret)
{
	const char *near;
	char *plain;

	*ret = find_type(s, b, name, &plain);
	if (*ret)
		return NULL;
	near = near_types(s, b, plain);
	return error_create(s->arena, ERROR_ABSENT, "no type '%s' in %s%s%s", name, where,
			    near ? "; did you mean " : "", near ? near : "");
}

struct error *types_find(struct session *s, const char *module, const char *name, struct btf **btf,
			 uint32_t *ret)
{
	struct error *err = kernel_module_btf(s, module, btf);

	if (err)
		return err;
	return types_by_name(
		s, *btf, arena_printf(s->arena, "the BTF of %s", module ? module : "the kernel"),
		name, ret);
}

/*
 * Returns the first module of a glob that has the type; modules without BTF are skipped.
 */
static const char *holder_among(struct session *s, const char *glob, const char *name,
				struct btf **btf, uint32_t *ret)
{
	const char *const *modules;
	size_t count;
	char *plain;

	if (kernel_modules_matching(s, glob, &modules, &count))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!kernel_module_btf(s, modules[i], btf) &&
		    (*ret = find_type(s, *btf, name, &plain)) != 0)
			return modules[i];
	return NULL;
}

const char *types_holder(struct session *s, const char *name, struct btf **btf, uint32_t *ret)
{
	const char *tag = strncmp(name, "struct ", 7) ? name : name + 7, *module;
	size_t word = strcspn(tag, "_ *");
	char *first = arena_printf(s->arena, "%.*s*", (int)word, tag);

	for (char *c = first; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	module = word > 1 ? holder_among(s, first, name, btf, ret) : NULL;
	return module ? module : holder_among(s, "*", name, btf, ret);
}

/* ---- as C text ---- */

struct spell {
	struct session *s;
	const struct btf *btf;
	bool abi; /* without any header: no typedefs, no enums, no qualifiers that do not matter */
	type_lines *before; /* of types_exact(), or NULL */
	unsigned depth;
};

static const char *spell(struct spell *sp, uint32_t id, const char *declarator);

/*
 * Returns the type's name. For use in C it must be an identifier, or several words: a
 * name of another form does not come from a C compiler, and the type counts as unnamed.
 */
static const char *name_of(const struct spell *sp, const struct btf_type *t)
{
	const char *name = btf_string(sp->btf, t->name_off), *end = name;

	while (word_char(*end) || *end == ' ')
		end++;
	return *end && sp->abi ? "" : name;
}

static const char *join(struct spell *sp, const char *base, const char *declarator)
{
	return arena_printf(sp->s->arena, "%s%s%s", base, *declarator ? " " : "", declarator);
}

static const char *spell_function(struct spell *sp, const struct btf_type *t,
				  const char *declarator)
{
	const struct btf_param *p = btf_tail(t);
	unsigned n = btf_vlen_of(t);
	struct strbuf b;

	strbuf_init(&b, sp->s->arena);
	strbuf_addf(&b, "%s(", declarator);
	for (unsigned i = 0; i < n; i++)
		strbuf_addf(&b, "%s%s", i ? ", " : "",
			    p[i].type || p[i].name_off || i < n - 1 ? spell(sp, p[i].type, "")
								    : "...");
	strbuf_adds(&b, n ? ")" : "void)");
	return spell(sp, t->type, b.s);
}

static const char *spell_pointer(struct spell *sp, const struct btf_type *t, const char *declarator)
{
	unsigned target = btf_kind(sp->btf, sp->abi ? btf_skip(sp->btf, t->type) : t->type);
	bool parentheses = target == BTF_KIND_ARRAY || target == BTF_KIND_FUNC_PROTO;

	/* Without headers, the types of a function pointer's parameters are useless. */
	if (sp->abi && parentheses && !sp->before)
		return join(sp, "void", arena_printf(sp->s->arena, "*%s", declarator));
	return spell(sp, t->type,
		     arena_printf(sp->s->arena, parentheses ? "(*%s)" : "*%s", declarator));
}

/* A tag must be known at file scope before a parameter list names it. */
static void declare(struct spell *sp, const char *word, const char *name)
{
	if (sp->before)
		vec_push(sp->s->arena, sp->before,
			 arena_printf(sp->s->arena, "%s %s;", word, name));
}

/* True for "complex double" and Go's "complex128", structures for BTF alone. */
static bool is_complex(const char *name)
{
	return !strncmp(name, "complex ", 8) || !strcmp(name, "complex") ||
	       !strcmp(name, "complex64") || !strcmp(name, "complex128");
}

static const char *spell_tagged(struct spell *sp, const struct btf_type *t, const char *word,
				const char *declarator)
{
	const char *name = name_of(sp, t);

	if (is_complex(name) && !sp->abi)
		return join(sp, name, declarator);

	if (*name)
		declare(sp, word, name);
	if (*name)
		return join(sp, arena_printf(sp->s->arena, "%s %s", word, name), declarator);
	return join(sp, sp->abi ? "void" : arena_printf(sp->s->arena, "%s {...}", word),
		    declarator);
}

/* Returns an enumerator's value that gives an enum the size and sign of this one. */
static const char *like(const struct btf_type *t)
{
	if (types_enum_is_signed(t))
		return t->size == 8 ? "-(1ll << 40)" : "-1";
	return t->size == 8 ? "1ull << 63" : "1";
}

/*
 * A type check treats tags and typedef names alike, while C has two namespaces for them.
 * A header may have defined the type with its enumerators: the definition here uses the
 * same name in the other namespace.
 */
static const char *spell_enum_exactly(struct spell *sp, const struct btf_type *t, const char *name,
				      bool is_tag, const char *declarator)
{
	struct arena *a = sp->s->arena;

	const char *begin = is_tag ? "typedef enum" : arena_printf(a, "enum %s", name);
	const char *end = is_tag ? arena_printf(a, " %s", name) : "";

	vec_push(a, sp->before,
		 arena_printf(a,
			      "#ifndef STP_ENUM_%s\n#define STP_ENUM_%s\n"
			      "%s { STP_VALUE_OF_%s = %s }%s%s;\n#endif",
			      name, name, begin, name, like(t),
			      t->size < 4 ? " __attribute__((__packed__))" : "", end));
	return join(sp, is_tag ? name : arena_printf(a, "enum %s", name), declarator);
}

static bool is_enum(const struct btf_type *t)
{
	return btf_kind_of(t) == BTF_KIND_ENUM || btf_kind_of(t) == BTF_ID_ENUM64;
}

static const char *spell_enum(struct spell *sp, const struct btf_type *t, const char *declarator)
{
	const char *name = name_of(sp, t);

	if (!sp->abi)
		return spell_tagged(sp, t, "enum", declarator);
	if (sp->before && *name)
		return spell_enum_exactly(sp, t, name, true, declarator);
	return join(sp, t->size == 8 ? "unsigned long" : "unsigned int", declarator);
}

/* Types without a tag are known by the name of their typedef. */
static const char *spell_typedef(struct spell *sp, const struct btf_type *t, const char *name,
				 const char *declarator)
{
	const struct btf_type *of = btf_type(sp->btf, t->type);
	bool is_nameless = of && *name && !*name_of(sp, of);

	if (!sp->abi)
		return join(sp, name, declarator);
	if (sp->before && is_nameless && is_enum(of))
		return spell_enum_exactly(sp, of, name, false, declarator);
	if (sp->before && is_nameless &&
	    (btf_kind_of(of) == BTF_KIND_STRUCT || btf_kind_of(of) == BTF_KIND_UNION)) {
		declare(sp, "struct", name);
		return join(sp, arena_printf(sp->s->arena, "struct %s", name), declarator);
	}
	return spell(sp, t->type, declarator);
}

/* Show the same names for kernels of both compilers. */
static const char *spell_base(const struct spell *sp, const char *name)
{
	const struct spelling *base = spelling_of(name);

	if (base)
		name = base->gcc;
	if (!strcmp(name, "__int128 unsigned"))
		return "unsigned __int128";
	if (!*name)
		return "long";
	return !sp->abi && !strcmp(name, "_Bool") ? "bool" : name;
}

static const char *spell_qualified(struct spell *sp, const struct btf_type *t, const char *word,
				   const char *declarator)
{
	/*
	 * The qualifier of a pointer comes after the star, others come before the type.
	 */
	if (btf_kind(sp->btf, t->type) == BTF_KIND_PTR)
		return spell(sp, t->type, join(sp, word, declarator));
	return arena_printf(sp->s->arena, "%s %s", word, spell(sp, t->type, declarator));
}

static const char *spell(struct spell *sp, uint32_t id, const char *declarator)
{
	const struct btf_type *t = btf_type(sp->btf, id);

	if (!t || sp->depth > BTF_MAX_DEPTH)
		return join(sp, "void", declarator);
	sp->depth++;

	const char *text = "void", *name = name_of(sp, t);

	switch (btf_kind_of(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		text = join(sp, spell_base(sp, name), declarator);
		break;
	case BTF_KIND_PTR:
		text = spell_pointer(sp, t, declarator);
		break;
	case BTF_KIND_ARRAY: {
		const struct btf_array *array = btf_tail(t);

		text = spell(sp, array->type,
			     arena_printf(sp->s->arena, "%s[%u]", declarator, array->nelems));
		break;
	}
	case BTF_KIND_STRUCT:
		text = spell_tagged(sp, t, "struct", declarator);
		break;
	case BTF_KIND_UNION:
		text = spell_tagged(sp, t, "union", declarator);
		break;
	case BTF_KIND_FWD:
		text = spell_tagged(sp, t, BTF_INFO_KFLAG(t->info) ? "union" : "struct",
				    declarator);
		break;
	case BTF_KIND_ENUM:
	case BTF_ID_ENUM64:
		text = spell_enum(sp, t, declarator);
		break;
	case BTF_KIND_TYPEDEF:
		text = spell_typedef(sp, t, name, declarator);
		break;
	case BTF_KIND_CONST:
		text = spell_qualified(sp, t, "const", declarator);
		break;
	case BTF_KIND_VOLATILE:
		text = spell_qualified(sp, t, "volatile", declarator);
		break;
	case BTF_KIND_RESTRICT:
		text = spell_qualified(sp, t, "restrict", declarator);
		break;
	case BTF_KIND_TYPE_TAG:
		text = spell(sp, t->type, declarator);
		break;
	case BTF_KIND_FUNC_PROTO:
		text = spell_function(sp, t, declarator);
		break;
	}
	sp->depth--;
	return text;
}

const char *types_str(struct session *s, const struct btf *btf, uint32_t type_id)
{
	struct spell sp = { .s = s, .btf = btf };

	return spell(&sp, type_id, "");
}

const char *types_abi_str(struct session *s, const struct btf *btf, uint32_t type_id)
{
	struct spell sp = { .s = s, .btf = btf, .abi = true };

	return spell(&sp, type_id, "");
}

const char *types_exact(struct session *s, const struct btf *btf, uint32_t type_id,
			const char *name, type_lines *before)
{
	struct spell sp = { .s = s, .btf = btf, .abi = true, .before = before };

	return spell(&sp, type_id, name);
}

/* ---- layout of values ---- */

static bool is_number_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

bool types_enum_is_signed(const struct btf_type *t)
{
	const struct btf_enum *e = btf_tail(t);
	bool negative = BTF_INFO_KFLAG(t->info);

	for (unsigned i = 0; btf_kind_of(t) == BTF_KIND_ENUM && i < btf_vlen_of(t); i++)
		negative |= e[i].val < 0;
	return negative;
}

struct error *types_info(struct session *s, const struct btf *btf, uint32_t type_id,
			 struct type_info *ret)
{
	uint32_t id = btf_skip(btf, type_id);
	const struct btf_type *t = btf_type(btf, id);

	*ret = (struct type_info){ .kind = KTYPE_OTHER, .size = btf_size(btf, id) };
	switch (btf_kind(btf, id)) {
	case BTF_KIND_UNKN:
		ret->kind = KTYPE_VOID;
		return NULL;
	case BTF_KIND_INT:
		if (is_number_size(ret->size))
			ret->kind = KTYPE_INT;
		ret->is_signed = BTF_INT_ENCODING(*(const uint32_t *)btf_tail(t)) & BTF_INT_SIGNED;
		return NULL;
	case BTF_KIND_ENUM:
	case BTF_ID_ENUM64:
		if (is_number_size(ret->size))
			ret->kind = KTYPE_INT;
		ret->is_signed = types_enum_is_signed(t);
		return NULL;
	case BTF_KIND_PTR:
		ret->kind = KTYPE_POINTER;
		return NULL;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		ret->kind = KTYPE_AGGREGATE;
		return NULL;
	case BTF_KIND_ARRAY:
		ret->kind = KTYPE_ARRAY;
		return NULL;
	default:
		return NULL;
	}
}
