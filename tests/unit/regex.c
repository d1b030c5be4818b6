/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions: matches and their places, case by case; on random patterns against
 * the C library, which has the same rule for the whole match; and for groups against a
 * matcher that tries everything in the order of preference.
 */
#include <regex.h>

#include "core/regex.c"
#include "unit.h"

#include "lib/arena.c"
#include "lib/hashmap.c"
#include "lib/strbuf.c"
#include "base/writer.c"
#include "regex/automaton.c"
#include "regex/elements.c"
#include "regex/syntax.c"
#include "regex/regex.c"
#include "regex/write.c"

static struct arena *arena;

/*
 * Returns "no", or the groups as "[whole][1]…"; "error N" for a pattern that is wrong at
 * byte N.
 */
static const char *match_len(const char *pattern, const char *s, uint32_t len)
{
	static char text[4096];
	struct regex_error error;
	const struct stp_regex *r = regex_compile(arena, pattern, strlen(pattern), true, &error);
	const struct stp_regex *plain =
		regex_compile(arena, pattern, strlen(pattern), false, &error);
	uint32_t bounds[2 * STP_REGEX_GROUPS_MAX];
	uint16_t *states = malloc((len + 1) * sizeof(*states));
	uint64_t tries;
	size_t used = 0;
	bool found;

	if (!r || !plain) {
		snprintf(text, sizeof(text), "error %zu", error.at);
		free(states);
		return text;
	}
	found = stp_regex_find(r, s, len, states, bounds, &tries);
	free(states);
	if (found != stp_regex_test(plain, s, len))
		return "the two disagree";
	if (!found)
		return "no";
	for (unsigned n = 0; n < r->ngroups; n++) {
		if (bounds[2 * n] == STP_REGEX_UNSET)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "[-]");
		else
			used += (size_t)snprintf(text + used, sizeof(text) - used, "[%.*s]",
						 (int)(bounds[2 * n + 1] - bounds[2 * n]),
						 s + bounds[2 * n]);
	}
	return text;
}

static const char *match(const char *pattern, const char *s)
{
	return match_len(pattern, s, (uint32_t)strlen(s));
}

static void leftmost_longest(void)
{
	CHECK_TEXT(match("a|ob|bar", "foobarbaz"), "[ob]");
	CHECK_TEXT(match("a|ab", "ab"), "[ab]");
	CHECK_TEXT(match("abcd|bc", "xabcy"), "[bc]");
	CHECK_TEXT(match("a*", "baaac"), "[]");
	CHECK_TEXT(match("a+", "baaac"), "[aaa]");
	CHECK_TEXT(match("b.*d", "abcdedf"), "[bcded]");
	CHECK_TEXT(match("", "abc"), "[]");
	CHECK_TEXT(match("x", ""), "no");
	CHECK_TEXT(match("(a|ab)(c|bcd)?", "abcd"), "[abcd][a][bcd]");
}

static void borders(void)
{
	CHECK_TEXT(match("^$", ""), "[]");
	CHECK_TEXT(match("^$", "a"), "no");
	CHECK_TEXT(match("^b", "a\nb"), "no");
	CHECK_TEXT(match("a$", "a\n"), "no");
	CHECK_TEXT(match("a$", "aba"), "[a]");
	CHECK_TEXT(match("(^|a)b", "xb"), "no");
	CHECK_TEXT(match("(^|a)b", "xab"), "[ab][a]");
	CHECK_TEXT(match("(^|a)b", "b"), "[b][]");
	CHECK_TEXT(match("a(b|$)", "ac"), "no");
	CHECK_TEXT(match("a(b|$)", "a"), "[a][]");
	CHECK_TEXT(match("b^a|$a|ab", "ab"), "[ab]");
	CHECK_TEXT(match("$^", ""), "[]");
	CHECK_TEXT(match("x$|xy", "xyx"), "[xy]");
	CHECK_TEXT(match("$", "abc"), "[]");
	CHECK_TEXT(match("(^a)|(a$)", "ba"), "[a][-][a]");
}

static void bytes(void)
{
	CHECK_TEXT(match("a.b", "a\nb"), "[a\nb]");
	CHECK_TEXT(match("a[^x]b", "a\nb"), "[a\nb]");
	CHECK_TEXT(match("caf..$", "caf\303\251"), "[caf\303\251]");
	CHECK_TEXT(match("\303", "\303\251"), "[\303]");
	CHECK_TEXT(match("[\300-\377]+", "a\303\351z"), "[\303\351]");
	CHECK_TEXT(match("[[:alpha:]]", "\303\251"), "no");
	CHECK_TEXT(match("[^]a]", "]ab"), "[b]");
	CHECK_TEXT(match("[]a]+", "]a"), "[]a]");
	CHECK_TEXT(match("[a\\]]+", "a]"), "[a]]");
	CHECK_TEXT(match("[--/]+", "-./0"), "[-./]");
	CHECK_TEXT(match("[a-]+[-z]", "a-z"), "[a-z]");
	CHECK_TEXT(match("[[:digit:]-z]+", "1-z"), "[1-z]");
	CHECK_TEXT(match("[[.a]+", "[.a"), "[[.a]");
	CHECK_TEXT(match("\\.\\[\\(\\^\\$\\\\", ".[(^$\\"), "[.[(^$\\]");
	CHECK_TEXT(match("a}b]", "a}b]"), "[a}b]]");
	CHECK_TEXT(match_len("c$", "c\0", 1), "[c]");
}

static void repetition(void)
{
	CHECK_TEXT(match("a{2}", "aaaa"), "[aa]");
	CHECK_TEXT(match("a{2,}", "aaaa"), "[aaaa]");
	CHECK_TEXT(match("a{2,3}", "aaaa"), "[aaa]");
	CHECK_TEXT(match("a{0}b", "ab"), "[b]");
	CHECK_TEXT(match("x{0,0}", "x"), "[]");
	CHECK_TEXT(match("^a{2}{3}$", "aaaaaa"), "[aaaaaa]");
	CHECK_TEXT(match("a+?b**", "aab"), "[aab]");
	CHECK_TEXT(match("(a.){2,3}", "abacad"), "[abacad][ad]");
	CHECK_TEXT(match("(a{1,2}){2}$", "aaa"), "[aaa][a]");
	CHECK_TEXT(match("[ab]{1000}", "ab"), "no");
	CHECK_TEXT(match("a?b?c?", "abc"), "[abc]");
}

static void groups(void)
{
	CHECK_TEXT(match("(a*)(a*)", "aaa"), "[aaa][aaa][]");
	CHECK_TEXT(match("(a?)(ab)?", "ab"), "[ab][][ab]");
	CHECK_TEXT(match("(a)?(ab)?", "ab"), "[ab][-][ab]");
	CHECK_TEXT(match("(.*)=(.*)", "k=v=x"), "[k=v=x][k=v][x]");
	CHECK_TEXT(match("(a*)*", "aaa"), "[aaa][aaa]");
	CHECK_TEXT(match("(a*)+b", "aab"), "[aab][aa]");
	CHECK_TEXT(match("(a*|b)*", "ab"), "[ab][b]");
	CHECK_TEXT(match("(|a)*", "ab"), "[a][a]");
	CHECK_TEXT(match("(|a)+", "ab"), "[a][a]");
	CHECK_TEXT(match("((a)|b)*", "abab"), "[abab][b][a]");
	CHECK_TEXT(match("((a|b)X*)*", "aXbXX"), "[aXbXX][bXX][b]");
	CHECK_TEXT(match("a(?:b)(c)", "abc"), "[abc][c]");
	CHECK_TEXT(match("()", "abc"), "[][]");
	CHECK_TEXT(match("a(|b)c", "ac"), "[ac][]");
	CHECK_TEXT(match("(foo|foobar)(bar)?", "foobar"), "[foobar][foo][bar]");
	CHECK_TEXT(match("(foobar|foo)(bar)?", "foobar"), "[foobar][foobar][-]");
	CHECK_TEXT(match("^([a-z]+)://([^:/]+)(:([0-9]+))?(/.*)?$", "tcp://h:80/x"),
		   "[tcp://h:80/x][tcp][h][:80][80][/x]");
	CHECK_TEXT(match("(x)y|(ab)", "xxab"), "[ab][-][ab]");
}

static void mistakes(void)
{
	static const struct {
		const char *pattern;
		unsigned at;
	} cases[] = {
		{ "ab[", 2 },
		{ "[]", 0 },
		{ "[^]", 0 },
		{ "x[[:foo:]]", 2 },
		{ "[[:alpha]]", 1 },
		{ "[z-a]", 1 },
		{ "[0a-[:alpha:]]", 2 },
		{ "ab(c", 2 },
		{ "ab)", 2 },
		{ "(?=a)", 1 },
		{ "(?", 1 },
		{ "a|*", 2 },
		{ "(+)", 1 },
		{ "{1}", 0 },
		{ "a^*", 2 },
		{ "ab{", 2 },
		{ "a{x}", 1 },
		{ "a{,3}", 1 },
		{ "a{2,1}", 1 },
		{ "a{1,x}", 1 },
		{ "a{1001}", 1 },
		{ "(a)\\1", 3 },
		{ "ab\\", 2 },
		{ "[\\", 0 },
		{ "(a{1000}){1000}", 2 },
		{ "(a|b)*a(a|b){20}", 0 },
		{ "[a", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "error %u", cases[i].at);
		CHECK_TEXT(match(cases[i].pattern, ""), wanted);
	}
}

static void many_groups(void)
{
	char pattern[512] = "";

	for (int i = 0; i < 99; i++)
		strcat(pattern, "(a)");
	CHECK(strncmp(match(pattern, "aa"), "no", 2) == 0);
	strcat(pattern, "(b)");
	CHECK_TEXT(match(pattern, ""), "error 297");
}

/* ---- random patterns ---- */

static char *random_pattern(char *p, unsigned depth)
{
	static const char *const atoms[] = { "a", "b", "c", ".", "[ab]", "[^a]", "()" };
	static const char *const repeats[] = { "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}" };
	unsigned pieces = 1 + unit_random() % 3;

	while (pieces--) {
		if (depth && unit_random() % 3 == 0) {
			*p++ = '(';
			p = random_pattern(p, depth - 1);
			*p++ = ')';
		} else {
			p = stpcpy(p, atoms[unit_random() % 7]);
		}
		if (unit_random() % 3 == 0)
			p = stpcpy(p, repeats[unit_random() % 7]);
		if (pieces && unit_random() % 4 == 0)
			*p++ = '|';
	}
	*p = 0;
	return p;
}

static char *random_string(char *s)
{
	unsigned len = unit_random() % 9;

	for (unsigned i = 0; i < len; i++)
		s[i] = "abcd"[unit_random() % 4];
	s[len] = 0;
	return s;
}

static void against_library(void)
{
	for (int round = 0; round < 4000; round++) {
		char pattern[600] = "", s[16], wanted[64];
		regmatch_t at[1];
		regex_t library;

		if (unit_random() % 6 == 0)
			strcpy(pattern, "^");
		random_pattern(pattern + strlen(pattern), 2);
		if (unit_random() % 6 == 0)
			strcat(pattern, "$");
		if (regcomp(&library, pattern, REG_EXTENDED))
			continue;
		for (int i = 0; i < 8; i++) {
			const char *got = match(pattern, random_string(s));

			if (regexec(&library, s, 1, at, 0))
				strcpy(wanted, "no");
			else
				snprintf(wanted, sizeof(wanted), "[%.*s]",
					 (int)(at[0].rm_eo - at[0].rm_so), s + at[0].rm_so);
			if (strncmp(got, wanted, strlen(wanted))) {
				printf("pattern %s, string %s: ", pattern, s);
				CHECK_TEXT(got, wanted);
			}
		}
		regfree(&library);
		if (round % 100 == 0) {
			arena_destroy(arena);
			arena = arena_create();
		}
	}
}

/*
 * Model of the groups: of all ways to match, tried in the order of preference, the first
 * that is as long as the longest. A round of a loop that reads nothing is not another
 * round.
 */
struct rest {
	const struct tree *tree; /* to be matched next; NULL: a group's end, or a loop's round */
	unsigned closes;	 /* group whose end this is, or 0 */
	const struct tree *loop; /* another round may follow */
	int rounds, since;	 /* done; where the last began */
	const struct rest *then;
};

struct trial {
	const char *s;
	int len, best, budget;
	int now[2 * 20], kept[2 * 20];
};

static void try_rest(struct trial *t, const struct rest *rest, int at);

static void try_loop(struct trial *t, const struct tree *loop, int rounds, int since,
		     const struct rest *then, int at)
{
	if (rounds > loop->least && at == since)
		return;
	if (loop->most == REGEX_FOREVER || rounds < loop->most) {
		struct rest again = {
			.loop = loop, .rounds = rounds + 1, .since = at, .then = then
		};
		struct rest body = { .tree = loop->left, .then = &again };

		try_rest(t, &body, at);
	}
	if (rounds >= loop->least)
		try_rest(t, then, at);
}

static void try_tree(struct trial *t, const struct tree *tree, const struct rest *then, int at)
{
	struct rest next = { .tree = tree->right, .then = then },
		    close = { .closes = tree->number, .then = then };
	struct rest first = { .tree = tree->left,
			      .then = tree->kind == TREE_SEQUENCE ? &next : then };
	int saved = t->now[2 * tree->number];

	switch (tree->kind) {
	case TREE_EMPTY:
		try_rest(t, then, at);
		break;
	case TREE_SET:
		if (at < t->len && byteset_has(&tree->set, (unsigned char)t->s[at]))
			try_rest(t, then, at + 1);
		break;
	case TREE_BEGIN:
	case TREE_END:
		if (at == (tree->kind == TREE_BEGIN ? 0 : t->len))
			try_rest(t, then, at);
		break;
	case TREE_SEQUENCE:
		try_rest(t, &first, at);
		break;
	case TREE_ALTERNATIVE:
		try_rest(t, &first, at);
		try_rest(t, &next, at);
		break;
	case TREE_REPEAT:
		try_loop(t, tree, 0, -1, then, at);
		break;
	case TREE_GROUP:
		first.then = &close;
		t->now[2 * tree->number] = at;
		try_rest(t, &first, at);
		t->now[2 * tree->number] = saved;
		break;
	}
}

static void try_rest(struct trial *t, const struct rest *rest, int at)
{
	int saved;

	if (t->budget-- <= 0)
		return;
	if (!rest) {
		if (at > t->best) {
			t->best = at;
			memcpy(t->kept, t->now, sizeof(t->now));
			t->kept[1] = at;
		}
	} else if (rest->tree) {
		try_tree(t, rest->tree, rest->then, at);
	} else if (rest->loop) {
		try_loop(t, rest->loop, rest->rounds, rest->since, rest->then, at);
	} else {
		saved = t->now[2 * rest->closes + 1];
		t->now[2 * rest->closes + 1] = at;
		try_rest(t, rest->then, at);
		t->now[2 * rest->closes + 1] = saved;
	}
}

/*
 * Loops around patterns that can be empty are left out: they have more than one reading
 * of which round comes last.
 */
static bool may_be_empty(const struct tree *t)
{
	switch (t->kind) {
	case TREE_SET:
		return false;
	case TREE_SEQUENCE:
		return may_be_empty(t->left) && may_be_empty(t->right);
	case TREE_ALTERNATIVE:
		return may_be_empty(t->left) || may_be_empty(t->right);
	case TREE_REPEAT:
		return !t->least || may_be_empty(t->left);
	case TREE_GROUP:
		return may_be_empty(t->left);
	default:
		return true;
	}
}

static bool repeats_nothing(const struct tree *t)
{
	return t && ((t->kind == TREE_REPEAT && may_be_empty(t->left)) ||
		     repeats_nothing(t->left) || repeats_nothing(t->right));
}

static const char *try_match(const char *pattern, const char *s)
{
	static char text[1024];
	struct regex_error error;
	unsigned ngroups;
	struct tree *tree = syntax_parse(arena, pattern, strlen(pattern), &ngroups, &error);
	struct rest all = { .tree = tree };
	size_t used = 0;

	if (!tree || ngroups > 20 || repeats_nothing(tree))
		return NULL;
	for (int from = 0; from <= (int)strlen(s); from++) {
		struct trial t = { .s = s, .len = (int)strlen(s), .best = -1, .budget = 200000 };

		memset(t.now, -1, sizeof(t.now));
		t.now[0] = from;
		try_rest(&t, &all, from);
		if (t.budget <= 0)
			return NULL;
		if (t.best < 0)
			continue;
		for (unsigned n = 0; n < ngroups; n++)
			used += (size_t)(t.kept[2 * n] < 0
						 ? snprintf(text + used, sizeof(text) - used, "[-]")
						 : snprintf(text + used, sizeof(text) - used,
							    "[%.*s]",
							    t.kept[2 * n + 1] - t.kept[2 * n],
							    s + t.kept[2 * n]));
		return text;
	}
	return "no";
}

static void against_trial(void)
{
	unsigned compared = 0;

	for (int round = 0; round < 4000; round++) {
		char pattern[600] = "", s[16];

		random_pattern(pattern, 2);
		for (int i = 0; i < 6; i++) {
			const char *wanted = try_match(pattern, random_string(s)), *got;

			if (!wanted)
				continue;
			compared++;
			got = match(pattern, s);
			if (strcmp(got, wanted)) {
				printf("pattern %s, string %s: ", pattern, s);
				CHECK_TEXT(got, wanted);
			}
		}
		if (round % 100 == 0) {
			arena_destroy(arena);
			arena = arena_create();
		}
	}
	CHECK(compared > 10000);
}

/* Any bytes are a pattern or a mistake. */
static void garbage(void)
{
	for (int round = 0; round < 20000; round++) {
		static const char letters[] = "ab()[]{}|*+?\\^$.-,:12[:alpha:]";
		char pattern[24], s[16];
		unsigned len = unit_random() % 20;

		for (unsigned i = 0; i < len; i++)
			pattern[i] = letters[unit_random() % (sizeof(letters) - 1)];
		pattern[len] = 0;
		CHECK(match(pattern, random_string(s)) != NULL);
		CHECK(strcmp(match(pattern, s), "the two disagree") != 0);
		if (round % 100 == 0) {
			arena_destroy(arena);
			arena = arena_create();
		}
	}
}

/* The time is linear: this takes long when it is not. */
static void long_string(void)
{
	static char s[200001];

	memset(s, 'a', sizeof(s) - 1);
	CHECK_TEXT(match("(a*)*b|(a|aa)+c", s), "no");
}

static void as_c(void)
{
	struct writer w;
	struct regex_error error;

	writer_init(&w, arena);
	regex_write(&w, "regex_0", regex_compile(arena, "(a|b)+c", 7, true, &error));
	CHECK(strstr(w.out.s, "static const struct stp_regex regex_0 = {") != NULL);
	CHECK(strstr(w.out.s, ".arcs = regex_0_arcs") != NULL);
}

int main(void)
{
	arena = arena_create();
	RUN(leftmost_longest);
	RUN(borders);
	RUN(bytes);
	RUN(repetition);
	RUN(groups);
	RUN(mistakes);
	RUN(many_groups);
	RUN(against_library);
	RUN(against_trial);
	RUN(garbage);
	RUN(long_string);
	RUN(as_c);
	arena_destroy(arena);
	return unit_end();
}
