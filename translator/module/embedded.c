/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions in C: the user's text between the macros that it uses. STAP_ARG_x and
 * STAP_RETVALUE are replaced with the names of the generated signature; strings are
 * NUL-terminated char pointers, the returned one has MAXSTRINGLEN bytes.
 */
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "emit/cglobals.h"
#include "emit/limits.h"
#include "lang/uses.h"
#include "lib/word.h"
#include "module/module.h"

/* Macros: they are defined before the text and undefined after it. */
struct macros {
	struct emit_module *m;
	struct strbuf undo;
	struct cglobals globals;
};

static void define(struct macros *mc, const char *name, const char *params, const char *text)
{
	cglobals_macro(&mc->globals, name, params, text);
}

static void define_arguments(struct macros *mc, const struct function *f)
{
	struct arena *a = mc->m->s->arena;

	vec_each(&f->params, i) {
		const struct symbol *sym = f->params.data[i];
		bool is_string = sym->type == TYPE_STRING;

		define(mc, arena_printf(a, "STAP_ARG_%s", sym->name), "",
		       arena_printf(a, is_string ? "((char *)%s.s)" : "%s", sym->c_name));
	}
}

static void define_results(struct macros *mc, const struct function *f)
{
	define(mc, "CONTEXT", "", "c");
	define(mc, "STAP_ERROR", "(...)", "do { stp_error(c, __VA_ARGS__); goto out; } while (0)");
	define(mc, "STAP_NEXT", "", "do { c->next = true; goto out; } while (0)");
	if (f->type == TYPE_LONG) {
		define(mc, "STAP_RETVALUE", "", "r");
		define(mc, "STAP_RETURN", "(...)",
		       "do { r = (int64_t)(__VA_ARGS__ + 0); goto out; } while (0)");
	} else if (f->type == TYPE_STRING) {
		define(mc, "STAP_RETVALUE", "", "((char *)ret)"); /* it is filled, not assigned */
		define(mc, "STAP_RETURN", "(...)",
		       "do { ssize_t n_ = strscpy(ret, __VA_ARGS__, MAXSTRINGLEN); ret_len = n_ < "
		       "0 ? MAXSTRINGLEN - 1 : n_; goto out; } while (0)");
		define(mc, "STAP_RETURN_LENGTH", "(n)",
		       "do { ret_len = (n); goto out; } while (0)");
	} else {
		define(mc, "STAP_RETURN", "(...)", "do { goto out; } while (0)");
	}
	define(mc, "return", "", "goto out");
}

/* ---- names of SystemTap's runtime ---- */

static const struct runtime_name {
	const char *asked, *name, *params, *text;
} runtime_names[] = {
#define ROW(asked, name, params, text) { asked, name, params, text },
#include "module/embedded.def"
#undef ROW
};

static void define_runtime_names(struct macros *mc, const struct function *f)
{
	for (size_t i = 0; i < sizeof(runtime_names) / sizeof(runtime_names[0]); i++)
		if (strstr(f->code, runtime_names[i].asked))
			define(mc, runtime_names[i].name, runtime_names[i].params,
			       runtime_names[i].text);
}

static void define_global(struct symbol *sym, unsigned use, void *ctx)
{
	(void)use;
	cglobals_define(&((struct macros *)ctx)->globals, sym);
}

/* ---- the older way: THIS->x and THIS->__retvalue ---- */

static void open_this(struct emit_module *m, const struct function *f)
{
	writer_open(m->w, "struct");
	vec_each(&f->params, i)
		writer_line(m->w, "%s%s;",
			    f->params.data[i]->type == TYPE_STRING ? "char *" : "int64_t ",
			    f->params.data[i]->name);
	if (f->type != TYPE_VOID)
		writer_line(m->w, "%s__retvalue;",
			    f->type == TYPE_STRING ? "char *const " : "int64_t ");
	else
		writer_line(m->w, "char unused;");
	writer_close(m->w, " this_ = {");
	m->w->depth++;
	vec_each(&f->params, i)
		writer_line(m->w, ".%s = %s%s,", f->params.data[i]->name,
			    f->params.data[i]->type == TYPE_STRING ? "(char *)" : "",
			    arena_printf(m->s->arena, "%s%s", f->params.data[i]->c_name,
					 f->params.data[i]->type == TYPE_STRING ? ".s" : ""));
	if (f->type == TYPE_STRING)
		writer_line(m->w, ".__retvalue = ret,");
	m->w->depth--;
	writer_line(m->w, "}, *THIS STP_UNUSED = &this_;");
}

/* ---- the frame: memory that the text needs ---- */

/* The most strings read from arrays that one expression can hold at once. */
#define GOT_STRINGS 2

static void note_string_array(struct symbol *sym, unsigned use, void *gets)
{
	*(bool *)gets |= (use & USE_READ) && sym->arity > 0 && sym->type == TYPE_STRING;
}

/* Returns whether the function needs a frame: the text gets strings from arrays. */
static bool declare_frame(struct emit_module *m, struct function *f)
{
	uint64_t string = limit_value(m->s, LIMIT_STRING), bytes = 0;
	bool gets = false;

	uses_visit_function(m->s->program, f, note_string_array, &gets);
	if (gets) {
		writer_open(m->w, "struct frame_%s", f->c_name);
		writer_line(m->w, "char got[%u][MAXSTRINGLEN];\n\tunsigned turn;", GOT_STRINGS);
		writer_close(m->w, ";");
		bytes = GOT_STRINGS * string + sizeof(uint64_t);
	}
	frame_add(m, f, NULL, (uint32_t)bytes);
	return gets;
}

static void emit_opening(struct emit_module *m, const struct function *f, bool framed, bool is_old)
{
	writer_line(m->w, "%s", cnames_signature(m->s, f));
	writer_open(m->w, "%s", "");
	if (framed)
		writer_line(m->w, "struct frame_%s *fr;", f->c_name);
	if (f->type == TYPE_LONG)
		writer_line(m->w, "int64_t r STP_UNUSED = 0;");
	if (f->type == TYPE_STRING)
		writer_line(m->w, "int64_t ret_len = -1; /* of ret; < 0: nobody has said */");
	if (is_old)
		open_this(m, f);
	writer_line(m->w, "%s", "");
	if (f->type == TYPE_STRING)
		writer_line(m->w, "ret[0] = 0;");
	if (framed) {
		writer_line(m->w, "fr = stp_frame_push(c, sizeof(*fr));");
		writer_line(m->w, "if (!fr)");
		writer_line(m->w, f->type == TYPE_LONG	   ? "\treturn 0;"
				  : f->type == TYPE_STRING ? "\treturn stp_str_from(c, ret);"
							   : "\treturn;");
	}
}

static void emit_closing(struct emit_module *m, const struct function *f, bool framed, bool is_old)
{
	writer_line(m->w, "goto out;");
	m->w->depth--;
	writer_line(m->w, "out:");
	m->w->depth++;
	if (framed)
		writer_line(m->w, "stp_frame_pop(c, sizeof(*fr));");
	if (f->type == TYPE_LONG)
		writer_line(m->w, is_old ? "return THIS->__retvalue;" : "return r;");
	else if (f->type == TYPE_STRING)
		writer_line(m->w, "return ret_len < 0 ? stp_str_from(c, ret) : (struct stp_str){ "
				  "ret, (uint32_t)ret_len };");
	else
		writer_line(m->w, "return;");
	writer_close(m->w, "\n");
}

/*
 * True: the code is old and takes its arguments from THIS; THIS_MODULE is a name of the
 * kernel.
 */
static bool names_this(const char *code)
{
	for (const char *at = code; (at = strstr(at, "THIS")) != NULL; at += 4)
		if ((at == code || !word_char(at[-1])) && !word_char(at[4]))
			return true;
	return false;
}

void embedded_write(struct emit_module *m, struct function *f)
{
	struct macros mc = { .m = m };
	bool is_old = names_this(f->code), framed;

	strbuf_init(&mc.undo, m->s->arena);
	mc.globals = (struct cglobals){
		.s = m->s,
		.w = m->w,
		.undo = &mc.undo,
		.string_room = "fr->got[fr->turn++ % (sizeof(fr->got) / sizeof(fr->got[0]))]",
	};
	framed = declare_frame(m, f);
	emit_opening(m, f, framed, is_old);
	define_arguments(&mc, f);
	define_results(&mc, f);
	define_runtime_names(&mc, f);
	uses_visit_function(m->s->program, f, define_global, &mc);
	if (f->pragmas & PRAGMA_MYPROC_UNPRIVILEGED &&
	    m->s->options->privilege == PRIVILEGE_STAPUSR)
		writer_line(m->w,
			    "if (!stp_is_own_process())\n\t\tSTAP_ERROR(\"'%s()' is for your own "
			    "processes\");",
			    f->name);
	writer_line(m->w, "{");
	emit_user_text(m->s, m->w, f->code_loc, "", f->code, f->code_len);
	writer_line(m->w, "}");
	writer_raw(m->w, mc.undo.s, mc.undo.len);
	emit_closing(m, f, framed, is_old);
}
