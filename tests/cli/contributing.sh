# SPDX-License-Identifier: GPL-2.0-or-later
# CONTRIBUTING.md is right: the files that it names exist, and where it says that the compiler refuses an incomplete
# row, it does.
. "$TOP/tests/cli/expect.inc"
cd "$WORK" || exit

# Words between backticks that are paths: with a '/', beside words in capitals and options.
grep -oE '`[^` ]+/[^` ]*`' "$TOP/CONTRIBUTING.md" | tr -d '`' | sed 's/#.*//' | sort -u | while read -r path; do
	case $path in *[A-Z][A-Z]* | *=* | build/* | -*) continue ;; esac
	compgen -G "$TOP/$path" > found || compgen -G "$TOP/translator/$path" > found ||
		echo "CONTRIBUTING.md names $path, which is not there"
done > missing
[ ! -s missing ] || say_wrong "$(cat missing)"

compiler() { gcc -std=gnu11 -D_GNU_SOURCE -w -c "$@"; }
# without TABLE ROW FILE MESSAGE: with that row more in the table the file does not compile, and the compiler says so.
without() {
	rm -rf more && mkdir -p "more/$(dirname "$1")"
	for dir in translator runtime; do [ ! -e "$TOP/$dir/$1" ] || cp "$TOP/$dir/$1" "more/$1"; done
	compiles "$3" || say_wrong "$3 does not compile as it is: $(cat err)"
	echo "$2" >> "more/$1"
	! compiles "$3" || say_wrong "$3 compiles and links with '$2' in $1 and nothing else"
	grep -qE "$4" err || say_wrong "$3 with '$2' in $1: $(cat err)"
}
# The table's copy is found before the original, as the includes name it from the top of either tree, and the compiler
# does not look into the file's own folder first.
object() { # FILE OBJECT
	compiler -o "$2" -Imore -I"$TOP/include" -I"$TOP/translator" -I"$TOP/runtime" -I"$TOP" -x c - \
		< "$1" 2> err
}
compiles() {
	object "$TOP/$1" object.o || return
	# A family is declared by its row and defined by its file: the linker misses it.
	! nm -u object.o | grep dummy > err
}
without probe/families.def 'FAMILY(dummy)' translator/probe/probe.c probe_family_dummy
# A family does not compile without the forms of its points: all that list points read them.
# family FORMS…
family() {
	printf '#include "probe/probe.h"\nPROBE_FAMILY(dummy, %s);\n' "$1" > family.c
	compiler -o family.o -I"$TOP/include" -I"$TOP/translator" -I"$TOP/runtime" -I"$TOP" family.c 2> err
}
family '"dummy\ndummy(number)", .waits = true' || say_wrong "a family does not compile: $(cat err)"
for forms in '.waits = true' 'NULL, .waits = true'; do
	! family "$forms" || say_wrong "a family compiles with '$forms' and no forms of its points"
done
without ast/kinds.def 'NODE(DUMMY, "dummy", ONCE)' translator/lang/table.c ROW_DUMMY
# A row that does not say whether the construct is a loop
without ast/kinds.def 'NODE(DUMMY, "dummy")' translator/ast/node.c 'requires 3 arguments'
# With its row in LANG_ROWS, too, the linker misses its ops; they do not compile without one of the four that every
# construct has.
sed 's/^\(#define LANG_ROWS(ROW)\) */\1 ROW(DUMMY, dummy) /' "$TOP/translator/lang/ops.h" > ops.h
construct() {
	rm -rf more && mkdir -p more/ast more/lang more/translator/lang && cp ops.h more/lang/
	sed '/^NODE(NUMBER/i NODE(DUMMY, "dummy", ONCE)' "$TOP/translator/ast/kinds.def" > more/ast/kinds.def
	cat > more/dummy.c <<-END
		#include "lang/ops.h"
		static void uses(struct uses *u, struct node *n, bool wanted) { uses_value(u, n->operand); }
		static enum effect effect(const struct node *n) { return EFFECT_NONE; }
		static void print(struct strbuf *out, const struct node *n, unsigned depth)
		{ unparse_after(out, "dummy ", n->operand); }
		static void infer(struct infer *in, struct node *n, enum type wanted)
		{ lang_infer(in, n->operand, wanted); }
		static enum stp_privilege_reach reach(const struct node *n) { return PRIVILEGE_REACH_NOTHING; }
		LANG_OPS($1);
	END
	compiler -o dummy.o -Imore -I"$TOP/include" -I"$TOP/translator" -I"$TOP/runtime" -I"$TOP" \
		more/dummy.c 2> err
}
construct 'dummy, uses, effect, print, reach, .infer = infer' || say_wrong "a construct does not compile: $(cat err)"
! compiles translator/lang/table.c && grep -q lang_dummy_ops err ||
	say_wrong "lang/table.c with a row for a construct: $(cat err)"
[ "$(nm --defined-only dummy.o | grep -c ' lang_dummy_ops$')" = 1 ] || say_wrong 'LANG_OPS defines no lang_dummy_ops'
for ops in 'effect, print, reach' 'uses, print, reach' 'uses, effect, reach' 'uses, effect, print' \
	'NULL, effect, print, reach' 'uses, NULL, print, reach' 'uses, effect, NULL, reach' \
	'uses, effect, print, NULL'; do
	! construct "dummy, $ops, .infer = infer" || say_wrong "a construct with '$ops' alone compiles"
	grep -q 'lang_dummy_ops: uses, effect, print and reach\|expected expression' err ||
		say_wrong "a construct with '$ops' alone: $(cat err)"
done
# A kind of function points has each of its operations.
# kind OPERATIONS
kind() {
	cat > kind.c <<-END
		#include "probe/function/function.h"
		static struct error *access(struct session *s, struct function_point *f, const struct node *n,
					    struct access *a)
		{ return NULL; }
		static void vars(struct session *s, struct function_point *f, target_variables *ret) { }
		static uint32_t return_type(struct session *s, struct function_point *f) { return 0; }
		POINT_OPS(dummy, $1, .is_bare = false);
	END
	compiler -o kind.o -I"$TOP/include" -I"$TOP/translator" -I"$TOP/runtime" -I"$TOP" kind.c 2> err
}
kind 'access, vars, return_type, functionpoint_emit_symbol' ||
	say_wrong "a kind of function points does not compile: $(cat err)"
[ "$(nm --defined-only kind.o | grep -c ' point_dummy_ops$')" = 1 ] || say_wrong 'POINT_OPS defines no point_dummy_ops'
for ops in 'vars, return_type, functionpoint_emit_symbol' 'access, return_type, functionpoint_emit_symbol' \
	'access, vars, functionpoint_emit_symbol' 'access, vars, return_type' \
	'NULL, vars, return_type, functionpoint_emit_symbol' 'access, NULL, return_type, functionpoint_emit_symbol' \
	'access, vars, NULL, functionpoint_emit_symbol' 'access, vars, return_type, NULL'; do
	! kind "$ops" || say_wrong "a kind of function points with '$ops' alone compiles"
	grep -q 'point_dummy_ops: access, vars, return_type and emit_place\|expected expression' err ||
		say_wrong "a kind of function points with '$ops' alone: $(cat err)"
done
# A sink opens, takes items and closes.
# sink OPERATIONS
sink() {
	cat > sink.c <<-END
		#include "trace/sink/sink.h"
		static void *open_it(const char *where, const struct sink_trace *t) { return 0; }
		static bool item(void *sink, const struct sink_hit *h, const struct item *i) { return true; }
		static bool close_it(void *sink) { return true; }
		extern const struct sink_ops sink_dummy;
		SINK_OPS(dummy, $1, .spools = true);
	END
	compiler -o sink.o -I"$TOP/runtime" -I"$TOP" sink.c 2> err
}
sink 'open_it, item, close_it' || say_wrong "a sink does not compile: $(cat err)"
[ "$(nm --defined-only sink.o | grep -c ' sink_dummy$')" = 1 ] || say_wrong 'SINK_OPS defines no sink_dummy'
for ops in 'item, close_it' 'open_it, close_it' 'open_it, item' 'NULL, item, close_it' 'open_it, NULL, close_it' \
	'open_it, item, NULL'; do
	! sink "$ops" || say_wrong "a sink with '$ops' alone compiles"
	grep -q 'sink_dummy: open, item and close\|expected expression' err ||
		say_wrong "a sink with '$ops' alone: $(cat err)"
done
# A source of records has all operations.
# source_of OPERATIONS
source_of() {
	cat > source.c <<-END
		#include "trace/source/sources.h"
		static void run(struct join *j) { }
		static void end(struct join *j) { }
		extern const struct source_ops source_dummy;
		SOURCE_OPS(dummy, $1);
	END
	compiler -o source.o -I"$TOP/runtime" -I"$TOP" source.c 2> err
}
source_of 'run, source_no_seek, source_no_check, end' || say_wrong "a source does not compile: $(cat err)"
[ "$(nm --defined-only source.o | grep -c ' source_dummy$')" = 1 ] || say_wrong 'SOURCE_OPS defines no source_dummy'
others='source_no_seek, source_no_check, end'
for ops in "$others" 'run, source_no_check, end' "NULL, $others" 'run, NULL, source_no_check, end' \
	'run, source_no_seek, NULL, end' 'run, source_no_seek, source_no_check, NULL'; do
	! source_of "$ops" || say_wrong "a source with '$ops' alone compiles"
	grep -qE 'source_dummy: run, seek, check and close|requires 5 arguments|undeclared' err ||
		say_wrong "a source with '$ops' alone: $(cat err)"
done
# So has a form of a run, and one of stap-merge.
# form_of ROUND END
form_of() {
	cat > form.c <<-END
		#include "stapio/runform.h"
		static int start(struct run *r, const struct options *o, struct records *records,
				 const struct raw_header *header) { return 0; }
		static long round(struct run *r, uint64_t horizon) { return 0; }
		static bool end(struct run *r, const struct options *o) { return true; }
		extern const struct runform_ops runform_dummy;
		RUNFORM_OPS(dummy, runform_no_open, start, $1, runform_look_at_clock, runform_next_file,
			    runform_no_child, runform_no_stored, $2, runform_close, .is_data = true);
	END
	compiler -o form.o -I"$TOP/runtime" -I"$TOP" form.c 2> err
}
form_of round end || say_wrong "a form of a run does not compile: $(cat err)"
[ "$(nm --defined-only form.o | grep -c ' runform_dummy$')" = 1 ] || say_wrong 'RUNFORM_OPS defines no runform_dummy'
while read -r ops missing; do
	# shellcheck disable=SC2086 # two words
	! form_of ${ops/,/ } || say_wrong "a form of a run with '$ops' compiles"
	grep -q "runform_ops dummy: $missing is missing" err || say_wrong "a form of a run with '$ops': $(cat err)"
done <<-END
	end,end round
	round,round end
END
# merged_to OPERATIONS
merged_to() {
	cat > merged.c <<-END
		#include "merge/mergeform.h"
		static const char *pattern(const struct options *o) { return 0; }
		static bool spools(const struct options *o) { return false; }
		static bool begin(struct trace *t) { return true; }
		extern const struct mergeform_ops mergeform_dummy;
		MERGEFORM_OPS(dummy, $1, .fills_stdout = true);
	END
	compiler -o merged.o -I"$TOP/runtime" -I"$TOP" merged.c 2> err
}
merged_to 'pattern, spools, begin, begin' || say_wrong "a form of stap-merge does not compile: $(cat err)"
for ops in 'spools, spools, begin, begin' 'pattern, pattern, begin, begin' 'pattern, spools, spools, begin' \
	'pattern, spools, begin, pattern'; do
	! merged_to "$ops" || say_wrong "a form of stap-merge with '$ops' compiles"
	grep -q 'mergeform_ops dummy: [a-z]* is missing' err || say_wrong "a form of stap-merge with '$ops': $(cat err)"
done
without uapi/printf.def "CONVERSION(DUMMY, 'y', 'd', \"number\")" runtime/core/printf.c \
	'static assertion|out_dummy|DUMMY'
for type in 'FLAG(dummy)' 'TEXT(dummy)' 'CALL(dummy)' 'FLAG(release)' 'NUMBER(guru, 1, 2, 1)'; do
	without base/options.def "OPTION(0, \"dummy\", NULL, $type, \"does nothing\")" translator/base/options.c \
		'dummy|not compatible with any association'
done
# A command is a row and a file. Without the file, a column or the form of its function it is not built.
row='COMMAND(DUMMY, 0, "dummy", "[=WORD]", ANY, NO_ROOM, dummy_run, NULL, "says its word")'
without base/commands.def "$row" stap/main.c dummy_run
without base/commands.def "${row/, NO_ROOM/}" stap/main.c 'requires 9 arguments'
without base/commands.def "${row/ANY/NOWHERE}" translator/base/optioncommand.c COMMAND_NOWHERE
# built FUNCTION: stap with the row and a file with this function
built() {
	rm -rf more && mkdir -p more/base && cp "$TOP/translator/base/commands.def" more/base/
	echo "$row" >> more/base/commands.def
	cat > more/dummy.c <<-END
		#include <stdio.h>
		#include "base/optioncommand.h"
		#include "base/options.h"
		#include "base/session.h"
		$1 { printf("the word is %s\n", s->options->wanted_word); *status = 7; return NULL; }
	END
	for file in "$TOP"/{stap/main,translator/base/optioncommand,translator/base/options}.c more/dummy.c; do
		object "$file" "more/$(basename "$file" .c).o" || return
	done
	here=$PWD
	(cd "$TOP" && eval "$(env -u MAKEFLAGS -u MFLAGS make -n V=1 -W stap/main.c "B=$B" "$B/bin/stap" |
		grep " -o $B/bin/stap " | sed -E "s|-o [^ ]*|-o $here/more/stap|
			s#[^ ]*/stap/main.o#$(printf "$here/more/%s.o " main dummy optioncommand options)#")") 2> err
}
! built 'int dummy_run(struct session *s)' && grep -q 'conflicting types' err ||
	say_wrong "the function of a command has another form: $(cat err)"
built 'struct error *dummy_run(struct session *s, int *status)' || say_wrong "a command is not built: $(cat err)"
check 7 '/^the word is 5$' -- more/stap --dummy=5
check 7 '/^the word is 6$' -- more/stap --dumm=6 -c true -x 1
check 0 '/^ +--dummy\[=WORD\] +says its word$' -- more/stap --help
check 2 '/^stap: --dummy and --doctor cannot both be given$' -- more/stap --dummy --doctor
check 2 '/^stap: -i is a dialogue; give other commands there$' -- more/stap --dummy -i
INPUT=set.txt && echo 'set dummy 5' > set.txt
check 2 '/^stap: --dummy=5 is for the command line of stap$' -- more/stap --runtime=user -i
finish
