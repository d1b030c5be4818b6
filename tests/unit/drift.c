/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Old names: the forms of a row's right side, and that each row of the tables is read. */
#include "unit.h"

#include "lib/arena.c"
#include "drift/drift.c"
#include "drift/successor.c"

static struct arena *arena;

static const struct successor *only(enum successor_form form, const char *text)
{
	successors *list = arena_new(arena, successors);
	const char *wrong = successor_parse(arena, form, text, list);

	CHECK_TEXT(wrong ? wrong : "", "");
	CHECK_LONG(list->count, 1);
	return &list->data[0];
}

static const char *wrong_with(enum successor_form form, const char *text)
{
	successors list = { 0 };
	const char *wrong = successor_parse(arena, form, text, &list);

	return wrong ? wrong : "";
}

static void check_step(const struct successor *x, size_t i, int kind, const char *name,
		       const char *type)
{
	CHECK(i < x->steps.count);
	if (i >= x->steps.count)
		return;
	CHECK_LONG(x->steps.data[i].kind, kind);
	CHECK_TEXT(x->steps.data[i].name ? x->steps.data[i].name : "", name);
	CHECK_TEXT(x->steps.data[i].type ? x->steps.data[i].type : "", type);
}

static void names(void)
{
	const struct successor *x = only(SUCCESSOR_NAME, "do_execveat_common.isra.0");

	CHECK_LONG(x->kind, SUCCESSOR_SAME);
	CHECK_TEXT(x->name, "do_execveat_common.isra.0");
	CHECK(!x->is_beside);
	x = only(SUCCESSOR_NAME, "trace:sched_switch");
	CHECK_LONG(x->kind, SUCCESSOR_TRACEPOINT);
	CHECK_TEXT(x->name, "sched_switch");
	CHECK_TEXT(x->text, "trace:sched_switch");
	x = only(SUCCESSOR_NAME, "=entry:security_socket_sendmsg");
	CHECK_LONG(x->kind, SUCCESSOR_ENTRY);
	CHECK_TEXT(x->text, "security_socket_sendmsg");
	CHECK(x->is_beside);
	CHECK_TEXT(only(SUCCESSOR_NAME, "block/bio.c")->name, "block/bio.c");
	CHECK(*wrong_with(SUCCESSOR_NAME, "a|"));
	CHECK(*wrong_with(SUCCESSOR_NAME, "a||b"));
	CHECK(*wrong_with(SUCCESSOR_NAME, "entry:"));
	CHECK(*wrong_with(SUCCESSOR_NAME, "ktime_get^"));
}

static void lists(void)
{
	successors list = { 0 };

	CHECK(!successor_parse(arena, SUCCESSOR_NAME, NULL, &list));
	CHECK_LONG(list.count, 0);
	CHECK(!successor_parse(arena, SUCCESSOR_NAME, "=a|trace:b|c", &list));
	CHECK_LONG(list.count, 3);
	CHECK(list.data[0].is_beside && !list.data[1].is_beside);
	CHECK_LONG(list.data[1].kind, SUCCESSOR_TRACEPOINT);
	CHECK_TEXT(list.data[2].text, "c");
}

static void paths(void)
{
	const struct successor *x = only(SUCCESSOR_PATH, "f_path.dentry");

	CHECK_LONG(x->kind, SUCCESSOR_VALUE);
	CHECK_LONG(x->steps.count, 2);
	check_step(x, 0, DRIFT_MEMBER, "f_path", "");
	check_step(x, 1, DRIFT_MEMBER, "dentry", "");
	x = only(SUCCESSOR_PATH, "");
	CHECK_LONG(x->steps.count, 0);
	CHECK_TEXT(x->text, "");
	x = only(SUCCESSOR_PATH, "^mount:mnt.^request.mnt_id");
	CHECK_LONG(x->steps.count, 3);
	check_step(x, 0, DRIFT_AROUND, "mnt", "mount");
	check_step(x, 1, DRIFT_BEHIND, "", "request");
	check_step(x, 2, DRIFT_MEMBER, "mnt_id", "");
	x = only(SUCCESSOR_PATH, "head+network_header:iphdr");
	check_step(x, 0, DRIFT_INTO, "head", "iphdr");
	CHECK_TEXT(x->steps.data[0].offset, "network_header");
	check_step(only(SUCCESSOR_PATH, "head+mac_header"), 0, DRIFT_INTO, "head", "");
	check_step(only(SUCCESSOR_PATH, "first_area()"), 0, DRIFT_FIRST_AREA, "", "");
	check_step(only(SUCCESSOR_PATH, "next_area()"), 0, DRIFT_NEXT_AREA, "", "");
}

static void units(void)
{
	const struct successor *x = only(SUCCESSOR_PATH, "bio.bi_size/512");

	CHECK_LONG(x->divisor, 512);
	CHECK(!x->is_rest);
	CHECK_LONG(x->steps.count, 2);
	x = only(SUCCESSOR_START, "flags%2");
	CHECK_LONG(x->divisor, 2);
	CHECK(x->is_rest);
	CHECK_TEXT(x->name, "flags");
	CHECK_TEXT(x->text, "flags%2");
}

static void starts(void)
{
	const struct successor *x = only(SUCCESSOR_START, "&t.^sock:sk_timer");

	CHECK_LONG(x->kind, SUCCESSOR_VALUE);
	CHECK(x->is_part);
	CHECK_TEXT(x->name, "t");
	CHECK_TEXT(x->text, "t.^sock:sk_timer");
	check_step(x, 0, DRIFT_AROUND, "sk_timer", "sock");
	x = only(SUCCESSOR_START, "=name.name");
	CHECK(x->is_beside);
	CHECK_TEXT(x->text, "name.name");
	x = only(SUCCESSOR_START, "1");
	CHECK_LONG(x->kind, SUCCESSOR_NUMBER);
	CHECK_LONG(x->number, 1);
}

static void mistakes(void)
{
	static const char *const paths[] = { ".a",   "a.",     "a..b",		"a b",	 "a->b",
					     "^",    "^a:",    "^:a",		"a+",	 "a+b:",
					     "+b",   "a/",     "a/0",		"a/2.b", "a%x",
					     "/2/2", "area()", "first_area().", "a&",	 "==a" };
	static const char *const starts[] = { "",   "&",       "=",  "&1x", "1x",
					      "a.", "^sock:x", ".a", "a+b" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!*wrong_with(SUCCESSOR_PATH, paths[i]))
			CHECK_TEXT(paths[i], "is refused");
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!*wrong_with(SUCCESSOR_START, starts[i]))
			CHECK_TEXT(starts[i], "is refused");
}

static void rows_of(const struct table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const char *wrong = wrong_with(t->form, t->rows[i].now);

		if (*wrong)
			CHECK_TEXT(arena_printf(arena, "%s: %s", t->rows[i].old, wrong), "");
	}
}

static void rows(void)
{
	static const struct table *const tables[] = { &members,	    &functions, &parameters,
						      &tracepoints, &types,	&variables,
						      &places,	    &markers };
	size_t count = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		rows_of(tables[i]);
		count += tables[i]->count;
	}
	CHECK(count > 2000);
	for (size_t i = 0; i < markers.count; i++) {
		successors list = { 0 };

		CHECK(!parse_arguments(arena, markers.rows[i].of, &list));
		CHECK(list.count);
	}
}

static void lookups(void)
{
	const struct drift *d = drift_function(arena, "ext3_file_write");

	CHECK(d && d->now.count && !strcmp(d->now.data[0].name, "ext4_file_write"));
	d = drift_marker(arena, "kernel_sched_switch");
	CHECK(d && d->arguments.count == 3 && !strcmp(d->arguments.data[1].text, "next.pid"));
	CHECK(!drift_function(arena, "vfs_read"));
	d = drift_member(arena, "file", "f_dentry");
	CHECK(d && d->now.data[0].steps.count == 2);
}

int main(void)
{
	arena = arena_create();
	RUN(names);
	RUN(lists);
	RUN(paths);
	RUN(units);
	RUN(starts);
	RUN(mistakes);
	RUN(rows);
	RUN(lookups);
	arena_destroy(arena);
	return unit_end();
}
