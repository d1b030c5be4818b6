/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and patterns of the translator: wildcards, ends of paths, "FUNCTION@FILE:LINES"
 * taken apart, and the parts of C++ names compared.
 */
#include "unit.h"

#include "lib/arena.c"
#include "lib/error.c"
#include "lib/glob.c"
#include "lib/strbuf.c"
#include "dwarf/pattern.c"
#include "program/cplus.c"
#include "program/cplusparams.c"

static struct arena *arena;

/* ---- wildcards ---- */

static void globs(void)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} all[] = {
		{ "vfs_read", "vfs_read", true },
		{ "vfs_read", "vfs_readv", false },
		{ "", "", true },
		{ "", "x", false },
		{ "*", "", true },
		{ "vfs_*", "vfs_", true },
		{ "vfs_*", "vfs", false },
		{ "*_read", "vfs_read", true },
		{ "*_read", "vfs_readv", false },
		{ "v?s", "vfs", true },
		{ "v?s", "vs", false },
		{ "[vw]fs", "wfs", true },
		{ "[!vw]fs", "wfs", false },
		{ "[a-c]*[0-9]", "bx7", true },
		{ "a\\*b", "a*b", true },
		{ "a\\*b", "axb", false },
		{ "**x**", "x", true },
		{ "*a*a*", "ba", false },
		{ "fs/*", "fs/ext4/inode.c", true },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct glob g = glob_make(all[i].pattern);

		if (glob_match(&g, all[i].name) != all[i].matches)
			printf("'%s' and '%s'\n", all[i].pattern, all[i].name);
		CHECK(glob_match(&g, all[i].name) == all[i].matches);
	}
	CHECK(glob_is("a[b]") && glob_is("?") && !glob_is("a]b") && !glob_is(""));
}

static void ends_of_paths(void)
{
	CHECK(glob_path_ends("read_write.c", "fs/read_write.c"));
	CHECK(glob_path_ends("fs/read_write.c", "fs/read_write.c"));
	CHECK(!glob_path_ends("write.c", "fs/read_write.c"));
	CHECK(!glob_path_ends("a/fs/read_write.c", "fs/read_write.c"));
	CHECK(glob_path_ends("read*.c", "/usr/src/fs/read_write.c"));
	CHECK(glob_path_ends("fs/*", "/usr/src/fs/ext4/inode.c"));
	CHECK(!glob_path_ends("ext?", "/usr/src/fs/ext4/inode.c"));
	CHECK(!glob_path_ends("x", ""));
	CHECK(glob_path_ends("", ""));
}

/* ---- places ---- */

/* Returns "scope|function|parameters|file|lines", or what is wrong. */
static const char *place_text(const char *text)
{
	struct session s = { .arena = arena };
	struct dwarf_pattern p;
	struct error *err = dwarf_pattern_parse(&s, text, &p);
	struct strbuf out;

	if (err)
		return strstr(err->text, ": ") + 2;
	strbuf_init(&out, arena);
	strbuf_addf(&out, "%s|%s|%s|%s|%s", p.scope ? p.scope : "", p.function,
		    p.parameters ? p.parameters : "", p.file ? p.file : "", p.relative ? "+" : "");
	vec_each(&p.lines, i)
		strbuf_addf(&out, "%s%u-%u", i ? "," : "", p.lines.data[i].first,
			    p.lines.data[i].last);
	return out.s;
}

static void places(void)
{
	static const struct {
		const char *text, *parts;
	} all[] = {
		{ "vfs_read", "|vfs_read|||" },
		{ "vfs_*@fs/*.c", "|vfs_*||fs/*.c|" },
		{ "f@a.c:12", "|f||a.c|12-12" },
		{ "f@a.c:12-14,20,30-31", "|f||a.c|12-14,20-20,30-31" },
		{ "f@a.c:*", "|f||a.c|0-100000000" },
		{ "f@a.c+3", "|f||a.c|+3-3" },
		{ "f@a+b.c", "|f||a+b.c|" },
		{ "f@a+b.c+0-2", "|f||a+b.c|+0-2" },
		{ "f:12", "|f|||12-12" },
		{ "geo::Box<int>::grow(int)@box.cc:7", "geo::Box<int>|grow|(int)|box.cc|7-7" },
		{ "::f", "::|f|||" },
		{ "n::operator+", "n|operator+|||" },
		{ "n::operator()(int)@x.cc", "n|operator()|(int)|x.cc|" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		CHECK_TEXT(place_text(all[i].text), all[i].parts);
}

static void wrong_places(void)
{
	static const char no_lines[] = "not line numbers";
	static const struct {
		const char *text, *why;
	} all[] = {
		{ "@a.c:1", "there is no function before '@'" },
		{ "f@", "there is no file after '@'" },
		{ "f@:3", "there is no file after '@'" },
		{ "f@a.c:x:3", no_lines },
		{ "f@a.c:1,,2", no_lines },
		{ "f@a.c:1,", no_lines },
		{ "f@a.c:100000001", no_lines },
		{ "f@a.c:18446744073709551617", no_lines },
		{ "f@a.c:1-", "a range of lines needs two numbers" },
		{ "f@a.c:1-2-3", no_lines },
		{ "f@a.c:20-10", "a range of lines begins with the smaller number" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const char *got = place_text(all[i].text);

		if (strncmp(got, all[i].why, strlen(all[i].why)))
			CHECK_TEXT(got, all[i].why);
	}
}

static void lines_of_places(void)
{
	struct session s = { .arena = arena };
	struct dwarf_pattern p;

	CHECK(!dwarf_pattern_parse(&s, "f@a.c:12-14,20", &p));
	CHECK(!dwarf_pattern_has(&p, 11) && dwarf_pattern_has(&p, 12));
	CHECK(dwarf_pattern_has(&p, 14) && !dwarf_pattern_has(&p, 15));
	CHECK(dwarf_pattern_has(&p, 20) && !dwarf_pattern_has(&p, -1));
	CHECK(!dwarf_pattern_parse(&s, "f", &p));
	CHECK(!dwarf_pattern_has(&p, 0));
}

/* Any text is a place or a mistake. */
static void garbage(void)
{
	static const char letters[] = "f:@+-,*1209.c()<>~ ";
	char text[24];

	for (int round = 0; round < 5000; round++) {
		size_t len = unit_random() % sizeof(text);

		for (size_t i = 0; i < len; i++)
			text[i] = letters[unit_random() % (sizeof(letters) - 1)];
		text[len < sizeof(text) ? len : sizeof(text) - 1] = 0;
		CHECK(*place_text(text));
	}
}

/* ---- C++ ---- */

static void scopes(void)
{
	static const struct {
		const char *pattern, *scope;
		bool matches;
	} all[] = {
		{ NULL, "geo::Box<int>", true },
		{ "Box", "geo::Box<int>", true },
		{ "Box<int>", "geo::Box<int>", true },
		{ "Box<long>", "geo::Box<int>", false },
		{ "Bo*", "geo::Box<int>", true },
		{ "geo::Box", "geo::Box<int>", true },
		{ "geo", "geo::Box<int>", false },
		{ "::geo::Box", "geo::Box<int>", true },
		{ "::Box", "geo::Box<int>", false },
		{ "geo::Box", "geo::(anonymous namespace)::Box", true },
		{ "Box", "", false },
		{ "::", "", true },
		{ "::", "geo", false },
		{ "main::{lambda(int)#1}", "main::{lambda}", true },
		{ "main::{lambda(int)#1}", "main::{lambda(int)#2}", false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		bool matches = cplus_scope_matches(arena, all[i].pattern, all[i].scope);

		if (matches != all[i].matches)
			printf("'%s' and '%s'\n", all[i].pattern, all[i].scope);
		CHECK(matches == all[i].matches);
	}
}

static void parameters_match(void)
{
	static const struct {
		const char *pattern, *parameters;
		bool matches;
	} all[] = {
		{ "(std::pair<x,y>,int)", "(std::pair<x, y>, int)", true },
		{ "(std::pair<x,y>)", "(std::pair<x, y>, int)", false },
		{ NULL, "(int)", true },
		{ "()", "()", true },
		{ "()", "(int)", false },
		{ "(int)", NULL, false },
		{ "(int)", "(int) const", true },
		{ "(int) const", "(int) const", true },
		{ "(int) const", "(int)", false },
		{ "(const std::vector<shop::Item>&, State)",
		  "(std::vector<shop::Item, std::allocator<shop::Item> > const&, shop::State)",
		  true },
		{ "(const vector<Item> &, shop::State)",
		  "(std::vector<shop::Item, std::allocator<shop::Item> > const&, shop::State)",
		  true },
		{ "(std::vector<shop::Item>&, State)",
		  "(std::vector<shop::Item, std::allocator<shop::Item> > const&, shop::State)",
		  false },
		{ "(const std::string&)",
		  "(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
		  "> "
		  "const&)",
		  true },
		{ "(std::map<std::string, int>)",
		  "(std::map<std::__cxx11::basic_string<char, std::char_traits<char>, "
		  "std::allocator<char> >, int, std::less<std::__cxx11::basic_string<char, "
		  "std::char_traits<char>, std::allocator<char> > >, "
		  "std::allocator<std::pair<std::__cxx11::basic_string<char, "
		  "std::char_traits<char>, std::allocator<char> > const, int> > >)",
		  true },
		{ "(std::unique_ptr<Order>, unsigned int)",
		  "(std::unique_ptr<shop::Order, std::default_delete<shop::Order> >, unsigned int)",
		  true },
		{ "(int (*)(const char*))", "(int (*)(char const*))", true },
		{ "(const int)", "(int)", true },
		{ "(tate)", "(State)", false },
		{ "(const char*", "(char*)", false },
		{ "((((", "(int)", false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		bool matches = cplusparams_match(arena, all[i].pattern, all[i].parameters);

		if (matches != all[i].matches)
			printf("'%s' and '%s'\n", all[i].pattern, all[i].parameters);
		CHECK(matches == all[i].matches);
	}
	CHECK_TEXT(cplus_without_blanks(arena, "max<a, unsigned int> >"), "max<a,unsigned int>>");
}

static void names_taken_apart(void)
{
	struct cplus_name n = cplus_split(arena, "int geo::max<a::b>(std::pair<x, y>, int)");

	CHECK_TEXT(n.scope, "geo");
	CHECK_TEXT(n.function, "max<a::b>");
	n = cplus_split(arena, "main::{lambda(int)#1}::operator()(int) const");
	CHECK_TEXT(n.scope, "main::{lambda(int)#1}");
	CHECK_TEXT(n.function, "operator()");
	n = cplus_split(arena, "operator<<");
	CHECK(!n.scope && !n.parameters);
	CHECK_TEXT(n.function, "operator<<");
	CHECK_TEXT(cplus_scope_as_asked(arena, "Box", "geo::Box<int>"), "Box<int>");
	CHECK_TEXT(cplus_scope_as_asked(arena, "::geo::Box", "geo::Box<int>"), "::geo::Box<int>");
}

/* Stacks show names without results and parameters. */
static void plain_names(void)
{
	static const struct {
		const char *text, *plain;
	} all[] = {
		{ "shop::Order::total(std::vector<shop::Item> const&, shop::State)",
		  "shop::Order::total" },
		{ "int geo::max<a::b>(std::pair<x, y>, int)", "geo::max<a::b>" },
		{ "std::pair<int, int> f<int>(int)", "f<int>" },
		{ "a::(anonymous namespace)::B::f() const", "a::(anonymous namespace)::B::f" },
		{ "run(int)::{lambda(int)#1}::operator()(int) const",
		  "run(int)::{lambda(int)#1}::operator()" },
		{ "std::_Function_handler<long (int), run(int)::{lambda(int)#1}>::_M_invoke(int&)",
		  "std::_Function_handler<long (int), run(int)::{lambda(int)#1}>::_M_invoke" },
		{ "A::operator()(int)", "A::operator()" },
		{ "A::operator<(A const&) const", "A::operator<" },
		{ "A::operator->()", "A::operator->" },
		{ "std::ostream& std::operator<< <char>(std::ostream&, char)",
		  "std::operator<< <char>" },
		{ "A::operator bool() const", "A::operator bool" },
		{ "operator new(unsigned long)", "operator new" },
		{ "f(int) [clone .cold]", "f [clone .cold]" },
		{ "shop::table[abi:cxx11]", "shop::table[abi:cxx11]" },
		{ "shop::table", "shop::table" },
		{ "f(", "f" },
		{ "(", "(" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		CHECK_TEXT(plainname_of(arena, all[i].text), all[i].plain);
}

/* Rust's names are taken apart in debuginfo's form. */
static void names_of_rust(void)
{
	static const struct {
		const char *text, *scope, *function;
	} all[] = {
		{ "r::generic::<r::Kind>", "r", "generic<r::Kind>" },
		{ "r::generic<u64>", "r", "generic<u64>" },
		{ "<r::A as r::Handler>::handle", "<r::A as r::Handler>", "handle" },
		{ "<r::A>::create", "r::A", "create" },
		{ "<fn(u8) -> u64 as r::T>::m", "<fn(u8) -> u64 as r::T>", "m" },
		{ "r::main::{closure#0}", "r::main", "{closure#0}" },
		{ "core::num::<impl core::T for u32>::fmt", "core::num::<impl core::T for u32>",
		  "fmt" },
		{ "<a::B<u8>>::x::<<c::D as c::E>::F>", "a::B<u8>", "x<<c::D as c::E>::F>" },
		{ "<A>::<B>", "A", "<B>" },
		{ "main()::<lambda(int)>::operator()", NULL, "main" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct cplus_name n = cplus_split(arena, all[i].text);

		CHECK_TEXT(n.function, all[i].function);
		CHECK_TEXT(n.scope ? n.scope : "-", all[i].scope ? all[i].scope : "-");
	}
}

int main(void)
{
	arena = arena_create();
	RUN(globs);
	RUN(ends_of_paths);
	RUN(places);
	RUN(wrong_places);
	RUN(lines_of_places);
	RUN(garbage);
	RUN(scopes);
	RUN(parameters_match);
	RUN(names_taken_apart);
	RUN(plain_names);
	RUN(names_of_rust);
	arena_destroy(arena);
	return unit_end();
}
