/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dtrace/generate.h"

#include <ctype.h>

#include "lib/strbuf.h"

typedef void visit(struct arena *a, struct strbuf *b, const struct provider *provider,
		   const struct probe *probe);

static void each_probe(struct arena *a, struct strbuf *b, const provider_list *providers, visit *f)
{
	vec_each(providers, i)
		vec_each(&providers->data[i].probes, j)
			f(a, b, &providers->data[i], &providers->data[i].probes.data[j]);
}

/* PROVIDER_NAME; a double underscore, which D shows as '-', becomes a single one. */
static const char *macro_name(struct arena *a, const struct provider *provider,
			      const struct probe *probe)
{
	char *name = arena_printf(a, "%s_%s", provider->name, probe->name), *to = name;

	for (const char *from = name; *from; from++) {
		*to++ = (char)toupper((unsigned char)*from);
		if (from[0] == '_' && from[1] == '_')
			from++;
	}
	*to = 0;
	return name;
}

static void declare_semaphore(struct arena *a, struct strbuf *b, const struct provider *provider,
			      const struct probe *probe)
{
	strbuf_addf(b, "extern unsigned short %s_%s_semaphore;\n", provider->name, probe->name);
}

/* Declares the semaphore; volatile, because a tracer changes it. */
static void ask_semaphore(struct arena *a, struct strbuf *b, const struct provider *provider,
			  const struct probe *probe)
{
	strbuf_addf(b,
		    "#define %s_ENABLED() __builtin_expect(*(volatile unsigned short "
		    "*)&%s_%s_semaphore, 0)\n",
		    macro_name(a, provider, probe), provider->name, probe->name);
}

static void ask_nothing(struct arena *a, struct strbuf *b, const struct provider *provider,
			const struct probe *probe)
{
	strbuf_addf(b, "#define %s_ENABLED() 1\n", macro_name(a, provider, probe));
}

static void define_probe(struct arena *a, struct strbuf *b, const struct provider *provider,
			 const struct probe *probe)
{
	struct strbuf args;

	strbuf_init(&args, a);
	for (unsigned i = 1; i <= probe->count; i++)
		strbuf_addf(&args, "%sarg%u", i > 1 ? ", " : "", i);
	strbuf_addf(b, "\n/* %s(%s) */\n#define %s(%s) DTRACE_PROBE", probe->name, probe->arguments,
		    macro_name(a, provider, probe), args.s);
	if (probe->count)
		strbuf_addf(b, "%u(%s, %s, %s)\n", probe->count, provider->name, probe->name,
			    args.s);
	else
		strbuf_addf(b, "(%s, %s)\n", provider->name, probe->name);
}

const char *generate_header(struct arena *a, const char *source, const provider_list *providers)
{
	struct strbuf b;

	strbuf_init(&b, a);
	strbuf_addf(&b, "/* Made by dtrace -h from %s. */\n\n", source);
	strbuf_adds(&b, "/* A file that includes sys/sdt.h before this one gets no semaphores, and "
			"need not link "
			"what dtrace -G makes. */\n"
			"#ifndef _SYS_SDT_H\n#ifndef _SDT_HAS_SEMAPHORES\n#define "
			"_SDT_HAS_SEMAPHORES 1\n#endif\n"
			"#include <sys/sdt.h>\n#endif\n\n"
			"#ifdef _SDT_HAS_SEMAPHORES\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	each_probe(a, &b, providers, declare_semaphore);
	strbuf_adds(&b, "#ifdef __cplusplus\n}\n#endif\n");
	each_probe(a, &b, providers, ask_semaphore);
	strbuf_adds(&b, "#else\n");
	each_probe(a, &b, providers, ask_nothing);
	strbuf_adds(&b, "#endif\n");
	each_probe(a, &b, providers, define_probe);
	return b.s;
}

/*
 * Defines the semaphore; hidden, because a program and its libraries may use one
 * provider, and each counts its own.
 */
static void define_semaphore(struct arena *a, struct strbuf *b, const struct provider *provider,
			     const struct probe *probe)
{
	strbuf_addf(b,
		    "unsigned short %s_%s_semaphore __attribute__((used, section(\".probes\"), "
		    "visibility(\"hidden\")));\n",
		    provider->name, probe->name);
}

const char *generate_semaphores(struct arena *a, const char *source, const provider_list *providers)
{
	struct strbuf b;

	strbuf_init(&b, a);
	strbuf_addf(&b, "/* Made by dtrace -G from %s. */\n", source);
	each_probe(a, &b, providers, define_semaphore);
	return b.s;
}
