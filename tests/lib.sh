# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of tests/run for one test. Sourced; `results`, `accept`, `verbose` and B come from there.

# The benchmarks have none of these, and run where the tree begins.
: "${top:=${TOP:-$PWD}}" "${B:=build}"
. "$top/tests/examples.inc"
. "$top/tests/wait.inc"
. "$top/vm/kernels.inc"
export WATCH=${WATCH:-$top/$B/watch}
# Programs of PostgreSQL and MariaDB, installed or unpacked by tools/deps.sh.
for server_bin in {,"$top/$B"/unpacked}/usr/lib/postgresql/*/bin; do [ ! -d "$server_bin" ] || PATH+=:$server_bin; done
PATH+=:/usr/sbin:$top/$B/unpacked/usr/bin:$top/$B/unpacked/usr/sbin

# The target kernel of translation and guest tests: the newest with headers and an image among the kernels that
# tools/fetch-kernel unpacked, or that STAP_KERNELS names; without any, among the installed ones.
# TEST_KERNEL=WORD: the newest with WORD in its name, such as "rt"; "debug", "clang": what tools/debug-kernel built.
# TEST_ROOT=DIR: the kernel of another root tree, which has a compiler for it and sees this tree at the same path.
TEST_ROOT=${TEST_ROOT-} TEST_ROOT=${TEST_ROOT%/}
export TEST_ROOT
# TEST_ARCH=ARCH: guest tests run on that processor, emulated, with the kernel and the programs of the tree that
# tools/foreign-tree made, FOREIGN_TREE or build/arm64. foreign_cc compiles for it; B_FOREIGN has our own programs.
foreign() {
	export TEST_ARCH=$1
	foreign_tree=${FOREIGN_TREE:-$top/build/arm64} foreign_cc=$1-linux-gnu-gcc B_FOREIGN=build/$1
	export STAP_KERNELS=$foreign_tree TEST_DEBUGINFO=/nonexistent
	other_programs=$(grep -lE '^(//|#) arch: ' tests/guest/programs/*/*)
}
[ -z "${TEST_ARCH-}" ] || foreign "$TEST_ARCH"
case ${TEST_KERNEL-} in
debug | clang) export STAP_KERNELS=${STAP_KERNELS:-$top/build/$TEST_KERNEL-kernel} ;;
esac
[ -n "${STAP_KERNELS-}" ] || [ ! -d "$top/build/kernels/lib/modules" ] || export STAP_KERNELS=$top/build/kernels
[ -z "$TEST_ROOT" ] || unset STAP_KERNELS
# target RELEASE|TREE: prints the target's release, or the tree that holds it
target() {
	local TREE RELEASE trees
	IFS=: read -ra trees <<< "${STAP_KERNELS-}"
	for TREE in "${trees[@]}" "$TEST_ROOT"; do
		for RELEASE in $(ls "$TREE/lib/modules" 2>/dev/null | sort -rV); do
			[ -L "$TREE/lib/modules/$RELEASE/build" ] || [ -d "$TREE/lib/modules/$RELEASE/build" ] ||
				continue
			[[ $RELEASE == *"${TEST_KERNEL-}"* ]] || continue
			kernel_image "$TREE" "$RELEASE" > /dev/null || continue
			echo "${!1}"
			return
		done
	done
}
test_kernel() { target RELEASE; }
# Print the target's image, the directory of its modules, and of its headers as in_root sees it.
test_image() { kernel_image "$(target TREE)" "$(test_kernel)"; }
test_modules() { echo "$(target TREE)/lib/modules/$(test_kernel)"; }
test_build_dir() { local tree; tree=$(target TREE); echo "${tree#"$TEST_ROOT"}/lib/modules/$(test_kernel)/build"; }
# Debuginfo that was fetched is used unless another place is named.
if [ "${TEST_DEBUGINFO-}" = /usr/lib/debug ] && [ -e "$(target TREE)/usr/lib/debug/boot/vmlinux-$(test_kernel)" ]; then
	TEST_DEBUGINFO=$(target TREE)/usr/lib/debug
fi

# headers_alone MODULES TREE: makes TREE a tree of the target kernel's headers, whose modules lie in MODULES, and of
# nothing else: some distributions' headers come with a vmlinux, of types alone. Headers name others beside them.
headers_alone() {
	local release=${1##*/} build source file dir
	build=$(realpath "$1/build") dir=$2/usr/src/$(basename "$build")
	mkdir -p "$2/lib/modules/$release" "$dir"
	for file in "$build"/{*,.[!.]*}; do
		[ ! -e "$file" ] || [ "${file##*/}" = vmlinux ] || ln -s "$file" "$dir/"
	done
	for file in "$(dirname "$build")"/*; do
		[ -e "$2/usr/src/${file##*/}" ] || ln -s "$file" "$2/usr/src/"
	done
	ln -s "../../../usr/src/${dir##*/}" "$2/lib/modules/$release/build"
	source=$(realpath -e "$1/source" 2> /dev/null) && ln -s "$source" "$2/lib/modules/$release/source"
}

# image_alone TREE: makes TREE a tree of the target kernel's image and headers, whose types are the image's.
image_alone() {
	headers_alone "$(test_modules)" "$1"
	mkdir "$1/boot"
	ln -s "$(test_image)" "$1/boot/vmlinuz-$(test_kernel)"
}

# in_root DIR COMMAND…: runs the command in DIR, inside the root tree.
in_root() {
	if [ -n "$TEST_ROOT" ]; then chroot "$TEST_ROOT" env -C "$@"; else env -C "$@"; fi
}
export -f in_root

# For `// skip:`: gives the reason when the target kernel's debuginfo is missing.
no_debuginfo() {
	local dir r
	r=$(test_kernel)
	for dir in ${TEST_DEBUGINFO//:/ }; do
		[ ! -e "$dir/boot/vmlinux-$r" ] && [ ! -e "$dir/lib/modules/$r/vmlinux" ] || return 1
	done
	echo "no debuginfo of kernel $r: tools/fetch-kernel --debuginfo gets it, or SYSTEMTAP_DEBUGINFO_PATH names its directory"
}

# Gives the reason when modules and guests of the other processor cannot be made.
no_foreign() {
	local program
	for program in "$foreign_cc" "qemu-system-$TEST_ARCH"; do
		type -P "$program" > /dev/null || { echo "no $program: tools/deps.sh arm64 gets it"; return; }
	done
	[ -d "$foreign_tree/lib/modules" ] || { echo "no kernel of $TEST_ARCH: tools/deps.sh arm64 gets it"; return; }
	[ "$(id -u)" != 0 ] && echo "only root may run guests"
}

# make_foreign [TEST…]: makes what guests run of ours, what the tests name besides, and the watch of tests, for the
# other processor: in B_FOREIGN, with its libraries.
make_foreign() {
	local program programs=("$B_FOREIGN"/bin/stap{run,io,-merge,-container})
	for program in stap lket-b2a stap-exporter; do
		[ $# = 0 ] || ! grep -qE "(^|[^-/[:alnum:]_])$program |bin/$program([\" ]|\$)" "$@" ||
			programs+=("$B_FOREIGN/bin/$program")
	done
	MAKEFLAGS='' "$top/tools/foreign-build" "$TEST_ARCH" "$foreign_tree" make -s -C "$top" -j2 B="$B_FOREIGN" \
		"${programs[@]}" "$B_FOREIGN/unit/sandbox" &&
		$foreign_cc -O1 -static -o "$top/$B_FOREIGN/watch" "$top/tests/watch.c"
}

# For `// skip:`: gives the reason when there is no kernel to translate for.
no_kernel() { [ -z "$(test_kernel)" ] && echo "no kernel with headers is installed"; }

# For `// skip:`: gives the reason when no clang makes checks of calls (kCFI).
no_kcfi() {
	local newest
	newest=$(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -Vu | tail -n 1)
	[ "${newest#clang-}" -ge 16 ] 2> /dev/null && return 1
	echo "no clang-16 or later: tools/deps.sh clang_kernel gets one"
}

# of_clang: the tests that follow are those of the kernel that clang compiled
of_clang() { export TEST_KERNEL=clang STAP_KERNELS=${CLANG_KERNEL:-$top/build/clang-kernel}; }

# Gives the reason when handlers of --runtime=bpf cannot run here.
no_bpf() {
	local newest
	newest=$(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -Vu | tail -n 1)
	if ! [ "${newest#clang-}" -ge 19 ] 2> /dev/null; then
		echo "no clang-19 or later: tools/deps.sh ci gets one"
		return
	fi
	[ "$(id -u)" = 0 ] || { echo "not here: BPF programs need root"; return; }
	"$top/$B/bin/stap" --runtime=bpf -e 'probe begin { exit() }' 2>&1 | grep -qE 'an arena|not permitted' &&
		echo "not here: the kernel has no arenas for BPF programs"
}

# Gives the reason when there is no such kernel, or nothing that compiles modules for it.
no_clang() {
	[ -z "$(test_kernel)" ] && echo "no kernel that clang compiled: tools/debug-kernel --clang builds one"
}

# For `// skip:`: gives the reason when the target kernel lacks one of these modules, loadable or built in.
no_module() {
	local module dir
	dir=$(test_modules)
	for module; do
		grep -qsE "(^|/)${module//[-_]/[-_]}\.ko(\.[a-z0-9]+)?(:|$)" "$dir"/modules.{dep,builtin} ||
			{ echo "kernel $(test_kernel) has no module $module"; return; }
	done
	return 1
}

# For `// skip:`: gives the reason when the target kernel lacks an option of its configuration.
no_config() {
	! grep -qs "^CONFIG_$1=y" "$(target TREE)/boot/config-$(test_kernel)" "$(test_modules)/config" &&
		echo "${2:-the kernel has no} $1"
}

# For `// skip:`: gives the reason when the target kernel has an option. has_config NAME
# The entry of a system call can wait for a page only where it is known that nobody forbids it (runtime/kernel/pages.c).
no_wait_at_entry() {
	no_config PREEMPT_COUNT > /dev/null &&
		no_config DYNAMIC_FTRACE_WITH_CALL_OPS "not here: a kernel with PREEMPT_COUNT or"
}
has_config() { no_config "$1" > /dev/null && return 1; echo "the kernel has $1"; }

# For `// skip:`: gives the reason unless SLOW=1.
is_slow() { [ -z "${SLOW-}" ] && echo "SLOW=1 runs it: $1"; }

# For `// skip:`: gives the reason when a program has no marker of that name.
no_marker() {
	local file
	file=${foreign_tree-}$1
	[ -n "${TEST_ARCH-}" ] || file=${TEST_ROOT-}$(chroot "${TEST_ROOT:-/}" readlink -f "$1")
	! readelf -n "$file" 2> /dev/null | grep "Name: $2$" > /dev/null || return 1
	echo "$file has no marker $2"
}

# For `// skip:`: gives the reason when programs for 32 bits cannot be built.
no_32_bits() {
	! echo 'int main(void) { return 0; }' | ${CC:-gcc} -m32 -x c - -o /dev/null 2> /dev/null &&
		echo "programs for 32 bits cannot be built: gcc-multilib"
}

# For `// skip:`: give the reason when a library, or a header in the target's root tree, is not installed, there are no
# terminals, or private mounts are not allowed.
no_library() { [ -z "$(ls /usr/lib/*/"$1" /usr/lib64/"$1" 2> /dev/null)" ] && echo "$1 is not installed"; }
no_terminal() {
	! script -qec true /dev/null < /dev/null > /dev/null 2>&1 &&
		echo "there are no pseudo-terminals, or no program script"
}
no_header() {
	! in_root / test -e "/usr/include/$1" && echo "the C library's $1 is not installed${TEST_ROOT:+ in $TEST_ROOT}"
}
no_namespace() { ! unshare -m true 2> /dev/null && echo "no namespace of mounts is allowed here"; }

# For `// skip:`: gives the reason when there is no podman, installed or unpacked, or nothing that reads its manifests.
no_podman() {
	command -v podman > /dev/null || [ -e "$top/$B/unpacked/usr/bin/podman" ] ||
		{ echo "podman is not installed"; return; }
	! python3 -c 'import yaml' 2> /dev/null && echo "python3-yaml is not installed"
}

# For `// skip:`: gives the reason when the distribution's Python has no stacks that are known, or is no single file.
no_python_stack() {
	local minor
	[ -z "${TEST_ARCH-}" ] || { echo "not here: the other processor's Python"; return; }
	minor=$(/usr/bin/python3 -c 'import sys; print(sys.version_info[1])' 2> /dev/null)
	[ "${minor:-0}" -ge 11 ] && [ "$minor" -le 14 ] || { echo "not here: Python 3.11 to 3.14"; return; }
	! grep -q _PyRuntime /usr/bin/python3 && echo "not here: a python3 without a library"
}

# For `// skip:`: gives the reason when the target's root tree lacks one of these programs.
no_program() {
	local program
	for program; do
		! has_program "$program" || continue
		echo "$program is not installed${TEST_ROOT:+ in $TEST_ROOT}"
		return
	done
	return 1
}
has_program() {
	local dir dirs=(/bin /sbin /usr/bin /usr/sbin)
	if [ -z "${TEST_ARCH-}" ]; then
		in_root / sh -c 'PATH=$PATH:/usr/sbin; command -v "$1"' sh "$1" > /dev/null
		return
	fi
	[[ $1 != /* ]] || dirs=('')
	for dir in "${dirs[@]}"; do [ ! -x "$foreign_tree$dir/$1" ] || return 0; done
	return 1
}

# For `// skip:`: gives the reason where the guest cannot translate: its tree has no compiler of its own.
no_translator() { [ -n "${TEST_ARCH-}" ] && echo "not here: a guest with a compiler (cli/aarch64_native.sh)"; }

# `// debuginfo: yes`: the commands of this test see it.
use_debuginfo() { [ -z "$(values debuginfo "$1")" ] || echo "SYSTEMTAP_DEBUGINFO_PATH='$TEST_DEBUGINFO'"; }

own_arch=$(uname -m)
# values KEY FILE: prints the values of a header directive, one per line; those of `KEY ARCH:` on that processor alone
values() { sed -nE "1,/^[^/#*]/s@^ *[/#]*[/#] $1( ${TEST_ARCH:-$own_arch})?: *@@p" "$2"; }

stap_of() { [ "$1" = san ] && echo "$B/san/bin/stap" || echo "$B/bin/stap"; }

# kernel_missing FILE: succeeds, and prints the reason, when a script names the kernel to translate for, and there is
# none.
kernel_missing() { [[ $1 = *.sh ]] && grep -q '\$KERNEL\>\|\${KERNEL\>[^-]' "$1" && no_kernel; }

# names_program PROGRAM FILE…: succeeds when one names it by a path.
names_program() { grep -qE "/$1([^[:alnum:]_]|\$)" "${@:2}"; }

# unchanged FILE: succeeds, and prints the reason, when the test says what it guards, and neither that nor the test
# itself has changed (tests/changed). A test that is named on the command line runs all the same.
unchanged() {
	local guards
	guards=$(values guards "$1")
	# shellcheck disable=SC2086 # paths without spaces
	[ -n "$guards" ] && [ -z "${NAMED-}" ] && ! tests/changed "$1" $guards &&
		echo "CI=true runs it: what it guards has not changed"
}

# skip_reason FILE: succeeds, and prints the reason, when one of its lines of `// skip:` does. Each is judged by itself.
# One with `// arch:` is of that processor alone, and so are tests that name such a program.
skip_reason() {
	local line said source name
	! other_arch "$1" || return 0
	! unchanged "$1" || return 0
	! kernel_missing "$1" || return 0
	case $1 in
	tests/guest/programs/*) ;;
	tests/guest/*) for source in ${other_programs-}; do
		name=$(basename "${source%.*}")
		! names_program "$name" "$1" || ! other_arch "$source" || return 0
	done ;;
	esac
	while IFS= read -r line; do
		said=$(eval "$line" 2>&1) && echo "$said" && return
	done < <(values skip "$1")
	return 1
}

# other_arch FILE: succeeds, and prints the reason, when the file is of another processor than tests run on.
other_arch() {
	local arch
	arch=$(values arch "$1")
	[ -n "$arch" ] && [ "$arch" != "${TEST_ARCH:-$own_arch}" ] && echo "not here: $(basename "$1") is of $arch"
}

# cpu_note [STAGE TEST]: notes how much processor time this shell, and what it has waited for, used since the last
# call: "TICKS STAGE TEST" in $results/cpu, a hundredth of a second each. Without arguments it only takes the time.
cpu_before=0
cpu_note() {
	local stat now
	read -r stat < "/proc/$BASHPID/stat"
	read -ra stat <<< "${stat##*) }"
	now=$((stat[11] + stat[12] + stat[13] + stat[14])) # the fields utime, stime, cutime and cstime of proc(5)
	[ $# = 0 ] || echo "$((now - cpu_before)) $*" >> "$results/cpu"
	cpu_before=$now
}

# cpu_table: prints the processor seconds of each stage, the dearest first. $B/cpu keeps those of each test, and
# $B/cpu.guests those of each test in a guest, in whole seconds.
cpu_table() {
	[ -s "$results/cpu" ] || return 0
	sort -rn "$results/cpu" > "$B/cpu"
	sort -rn "$results"/cpu.guests > "$B/cpu.guests" 2> /dev/null
	awk '{ t[$2] += $1; t["in all"] += $1 } END { for (s in t) printf "%d %s\n", t[s] / 100, s }' "$B/cpu" | sort -rn |
		awk '{ printf "%s%s", (NR > 1 ? ", " : "CPU seconds: "), $0 } END { print "" }'
}

# Succeeds for a skip that is allowed even with CI=true; the beginning of its reason tells.
may_skip() { case $1 in 'SLOW=1 runs it: '* | 'not here: '*) return 0 ;; *) return 1 ;; esac; }

# result STATUS NAME [DETAIL-FILE | REASON]: notes a result. LOST: the test did not run, which is reported elsewhere.
result() {
	set -- "$1" "$2${TEST_ARCH:+ ($TEST_ARCH)}" "${@:3}"
	if [ "$1" = SKIP ] && [ "${CI-}" = true ] && ! may_skip "$3"; then
		echo "skipped, and with CI=true nothing is: $3" > "$work/reason"
		set -- FAIL "$2" "$work/reason"
	fi
	echo "$1 $2${3:+: $3}" > "$results/$(tr / _ <<< "$2").result"
	case $1 in
	PASS) [ "$verbose" = 0 ] || echo "PASS  $2" ;;
	SKIP) echo "SKIP  $2: $3" ;;
	FAIL) { echo "FAIL  $2"; sed 's/^/      /' "$3" | head -n 60; } ;;
	esac
}

# judge FILE NAME STATUS OUT ERR: compares one run with what the file expects; detail goes to $work/detail.
# FILE.ARCH.out has the output of one processor.
judge() {
	local file=$1 name=$2 status=$3 out=$4 err=$5 want golden=${1%.*}.out line ok=1
	[ -z "${TEST_ARCH-}" ] || [ ! -e "${1%.*}.$TEST_ARCH.out" ] || golden=${1%.*}.$TEST_ARCH.out
	local detail=$work/detail
	: > "$detail"
	want=$(values status "$file"); want=${want:-0}
	[ "$status" = "$want" ] || { echo "exit status $status, expected $want" >> "$detail"; ok=0; }
	if [ -n "$accept" ] && [ "$accept" = 1 ] && { [ -e "$golden" ] || [ -n "${golden_default-}" ]; }; then
		cp "$out" "$golden"
	fi
	if [ -e "$golden" ]; then
		diff -u --label expected --label printed "$golden" "$out" >> "$detail" 2>&1 || ok=0
	fi
	while IFS= read -r line; do
		[ -z "$line" ] || grep -qE -- "$line" "$out" || {
			echo "no line of stdout matches: $line" >> "$detail"
			ok=0
		}
	done <<< "$(values stdout "$file")"
	while IFS= read -r line; do
		[ -z "$line" ] || grep -qE -- "$line" "$err" || {
			echo "no line of stderr matches: $line" >> "$detail"
			ok=0
		}
	done <<< "$(values stderr "$file")"
	while IFS= read -r line; do
		[ -z "$line" ] || ! grep -qE -- "$line" "$err" || {
			echo "a line of stderr matches: $line" >> "$detail"
			ok=0
		}
	done <<< "$(values no-stderr "$file")"
	if grep -qE 'AddressSanitizer|runtime error:|LeakSanitizer' "$err"; then
		echo "a sanitizer complained" >> "$detail"; ok=0
	fi
	[ $ok = 1 ] || { echo "-- stdout:"; head -n 15 "$out"; echo "-- stderr:"; head -n 20 "$err"; } >> "$detail"
	if [ $ok = 1 ]; then result PASS "$name"; else result FAIL "$name" "$detail"; fi
}

# run_one KIND VARIANT FILE
run_one() {
	local kind=$1 variant=$2 file=$3 name=$3 reason
	[ "$variant" = plain ] || name="$file ($variant)"
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	if reason=$(skip_reason "$file"); then
		result SKIP "$name" "$reason"
		return
	fi
	case $file in *.sh) kind=script ;; esac
	stap=$(stap_of "$variant")
	[ "$variant" = san ] && export STAP_USER_CFLAGS="-fsanitize=address,undefined" ASAN_OPTIONS=detect_leaks=0
	[ -z "$(values debuginfo "$file")" ] || export SYSTEMTAP_DEBUGINFO_PATH=$TEST_DEBUGINFO
	"run_$kind" "$variant" "$file" "$name"
}

run_unit() {
	local program=$B/unit/$(basename "$2" .c)
	watched "$program" > "$work/out" 2>&1
	local status=$?
	if [ $status = 0 ]; then
		result PASS "$3"
	else
		echo "exit status $status" >> "$work/out"
		result FAIL "$3" "$work/out"
	fi
}

# A script prints what differs and exits non-zero when something is wrong; STAP and KERNEL are in its environment.
run_script() {
	STAP=$top/$B/bin/stap KERNEL=$(test_kernel) WORK=$work TOP=$top watched --cpu "$((PATIENCE * 1200))" bash "$2" \
		> "$work/.said" 2>&1
	judge_script "$3" $? "$work/.said"
}

# judge_script NAME STATUS OUTPUT: judges a script's run; 77 is a skip, for the reason in the last line.
judge_script() {
	case $2 in
	0) result PASS "$1" ;;
	77) result SKIP "$1" "$(tail -n 1 "$3")" ;;
	*) echo "exit status $2" >> "$3"; result FAIL "$1" "$3" ;;
	esac
}

# Checks that a script is the same when it is printed and parsed again.
run_parse() {
	local status args
	args=$(values args "$2")
	watched "$stap" -p1 $args "$2" > "$work/1.stp" 2> "$work/err" &&
		watched "$stap" -p1 $args "$work/1.stp" > "$work/2.stp" 2>> "$work/err"
	status=$?
	sed -i '1,2{/^# file /d}' "$work/1.stp" "$work/2.stp" 2>/dev/null
	diff "$work/1.stp" "$work/2.stp" > "$work/diff" 2>&1 || { cat "$work/diff" >> "$work/err"; status=1; }
	judge "$2" "$3" $status "$work/1.stp" "$work/err"
}

# `//  ^ error: text` (or warning:) under a line: expects that message, at that column of the line before. KERNEL stands
# for the release. Notes matter only in a file that has `^ note: text`. The linker's cache has libraries in /lib or in
# /usr/lib, which are one directory.
run_errors() {
	local args expected actual kinds='error|warning'
	! grep -qE '^ *(//|#) *\^ note: ' "$2" || kinds+='|note'
	args=$(values args "$2"); args=${args//KERNEL/$(test_kernel)}
	[ -n "$args" ] || args="--runtime=user -p3"
	eval "watched '$stap' $args '$2' $(values script "$2")" > "$work/out" 2> "$work/err"
	local status=$?
	expected=$(awk '
		/^ *(\/\/|#) *\^ (error|warning|note): / {
			at = index($0, "^"); text = $0; sub(/^[^^]*\^ /, "", text); print line ":" at ": " text; next
		}
		{ line = NR }' "$2" | sort)
	actual=$(grep -E "^[^ ]*:[0-9]+:[0-9]+: ($kinds): " "$work/err" |
		sed "s/^[^:]*://; s/$(test_kernel | grep . || echo KERNEL)/KERNEL/g" |
		sed "s|${TEST_DEBUGINFO%%:*}/|DEBUGINFO/|g; s|'/usr/lib/|'/lib/|g" | sort)
	if [ "$expected" = "$actual" ] && [ -n "$expected" ] &&
		! grep -qE 'AddressSanitizer|runtime error:' "$work/err"; then
		if [[ $expected = *error:* && $status != 1 ]]; then
			echo "exit status $status" > "$work/err"
			result FAIL "$3" "$work/err"
			return
		fi
		result PASS "$3"
	else
		{
			diff <(echo "$expected") <(echo "$actual")
			echo "-- exit status $status, stderr:"
			cat "$work/err"
		} > "$work/detail"
		result FAIL "$3" "$work/detail"
	fi
}

# Compares random programs with an evaluator of their own: a slice of the seeds, the same each time.
run_differential() {
	if ! command -v python3 > /dev/null; then result SKIP "$3" "no python3"; return; fi
	if watched --cpu 1200 python3 "$2" --stap "$stap" --seeds "${SEEDS:-0:150}" > "$work/out" 2>&1; then
		result PASS "$3"
	else
		result FAIL "$3" "$work/out"
	fi
}

# refused_by_bpf FILE: prints the message with which --runtime=bpf refuses a script, by tests/bpf
refused_by_bpf() { awk -v file="$1" '$1 == file { sub(/^[^ ]+ /, ""); print }' tests/bpf; }

# Runs a script as a program, or, as the variant bpf, with handlers in the kernel; those that tests/bpf lists must be
# refused for the reason there.
run_lang() {
	local runtime=user refused
	golden_default=1
	[ "$1" != bpf ] || runtime=bpf
	if [ $runtime = bpf ] && refused=$(no_bpf); then
		result SKIP "$3" "$refused"
		return
	fi
	if [ $runtime = bpf ] && refused=$(refused_by_bpf "$2") && [ -n "$refused" ]; then
		eval "watched '$stap' --runtime=bpf $(values args "$2") '$2' $(values script "$2")" \
			> "$work/out" 2>&1 < /dev/null
		if grep -qE -- "$refused" "$work/out"; then
			result PASS "$3"
		else
			{ echo "not refused with: $refused"; head -n 20 "$work/out"; } > "$work/detail"
			result FAIL "$3" "$work/detail"
		fi
		return
	fi
	eval "watched '$stap' --runtime=$runtime $(values args "$2") '$2' $(values script "$2")" > "$work/out" \
		2> "$work/err" < /dev/null
	judge "$2" "$3" $? "$work/out" "$work/err"
	# A program that the script names is left in this directory.
	[ $runtime != bpf ] || rm -f "$(values args "$2" | sed -n 's/.*-m \([a-z_]*\).*/\1/p').bpf"
}

run_man() {
	if man --warnings -E UTF-8 -l -Tutf8 -Z "$2" > /dev/null 2> "$work/err" && [ ! -s "$work/err" ]; then
		result PASS "$3"
	else
		result FAIL "$3" "$work/err"
	fi
}

# translate_guest FILE KERNEL DIR: makes DIR/t_NAME.ko; NAME.p4 has the errors. On a busy host a guest's processor
# stands still for longer than probes wait for a lock, and its clock goes on during a hit: a test's counts must not
# depend on that, nor its end on the guard against overload, which gets the limit that stap --vm has.
translate_guest() {
	local name
	name=$(basename "$1" .stp)
	eval "$(use_debuginfo "$1") watched --cpu 600 bash -c 'in_root \"\$@\"' in_root '$3' \
		'PATH=$3:$top/$B/bin:$PATH' '$top/$B/bin/stap' -r '$2' -p4 -m 't_$name' -DMAXTRYLOCK=10000 \
		-DTRYLOCKDELAY=50 -DSTP_OVERLOAD_THRESHOLD=900000000 \
		$(values args "$1") '$top/$1' $(values script "$1")" > "$3/$name.p4" 2>&1 ||
		echo "translation failed" >> "$3/$name.p4"
}

# before_guests FILE DIR: does what the test is to find done
before_guests() {
	local command
	command=$(values before "$1")
	[ -z "$command" ] || PATH=$top/$B/bin:$PATH watched --cpu 600 bash -c "$command" > "$2/before" 2>&1 ||
		cat "$2/before"
}

# boot_guests KERNEL DIR FILE…: boots two guests, if there are processors for them, or GUESTS. Each takes the next file
# that is not taken; scripts for the shell, which take longest, come first, those that end their guest last.
boot_guests() {
	local kernel=$1 dir=$2 i last
	shift 2
	last=$(grep -lE '^(//|#) guest: ends$' "$@")
	printf '%s\n' "$@" | awk -v last="$last" '
		BEGIN { n = split(last, names, "\n"); while (n) is_last[names[n--]] }
		{ print $0 in is_last ? 3 : /\.sh$/ ? 1 : 2, $0 }' | sort -sk 1,1 | cut -d ' ' -f 2 > "$dir/list"
	mkdir "$dir/taken"
	for i in $(seq "${GUESTS:-$(($(nproc) > 1 && $# > 1 ? 2 : 1))}"); do boot_again "$kernel" "$dir" "$i" & done
	wait
	cat "$dir"/dmesg.* > "$dir/dmesg"
}

# boot_again KERNEL DIR I: boots guests until no test is left for them. A guest that dies, or is ended because its test
# hangs, loses only that test; one that a test changes for good does no other.
boot_again() {
	local kernel=$1 dir=$2 n guest
	for n in 1 2 3 4; do
		guest=$3.$n
		[ "$(ls "$dir/taken" | wc -l)" -lt "$(wc -l < "$dir/list")" ] || return
		! boot_guest "$kernel" "$dir" "$guest" || continue
		{
			echo "the guest ended with status $(cat "$dir/ended.$guest"):"
			tail -n 20 "$dir/vm.log.$guest"
			[ ! -e "$dir/dmesg.$guest" ] ||
				{ echo "its kernel's last words:"; tail -n 20 "$dir/dmesg.$guest"; }
		} > "$dir/died.$guest"
		[ -e "$dir/any.$guest" ] || return # it does not even boot
	done
}

# Puts the command that runs a guest into the caller's array vm. There the other processor's tree has this one at its
# own path.
test_vm() {
	vm=("$B/bin/stap-vm" --root "${TEST_ROOT:-/}")
	# shellcheck disable=SC2016 # the inner shell expands
	[ -z "${TEST_ARCH-}" ] || vm=(unshare -m sh -c
		'mkdir -p "$1$2" && mount --bind "$2" "$1$2" && shift 2 && exec "$@"' sh "$foreign_tree" "$top"
		"$B/bin/stap-vm" --arch "$TEST_ARCH" --root "$foreign_tree")
}

checked_objects='FZP,kmalloc-*,task_struct,mm_struct,cred_jar,pid'
# boot_guest KERNEL DIR GUEST: runs the tests that are not taken. Below DIR, begun.GUEST/ has the test that it is
# running, and clock.GUEST/ its processor time. The kernel checks the objects that modules allocate, and those that they
# hold references to: its log reports writes to freed ones, and after one. Were all objects checked, a process would
# take twice the time. SLUB_DEBUG=FZPU makes the kernel also say who allocated them, and checks all. init_on_alloc=0 is
# not for guests that are emulated: QEMU sees a page written by the guest, not by virtiofsd, and goes on with the code
# that the page had before.
boot_guest() {
	local kernel=$1 dir=$2 guest=$3 checks="slub_debug=${SLUB_DEBUG:-$checked_objects}"
	[ "${TEST_KERNEL-}" != debug ] || checks= # KASAN sees the same and more
	mkdir "$dir/begun.$guest" "$dir/clock.$guest"
	local vm
	test_vm
	STAP_VM_APPEND="$checks ${STAP_VM_APPEND-}" watched --cpu $((PATIENCE * 1800)) --idle 900 --progress \
		"$dir/begun.$guest" --publish "$dir/clock.$guest" \
		"${vm[@]}" --release "$kernel" --share "$dir" --dmesg "$dir/dmesg.$guest" -- \
		env "TEST_B=${B_FOREIGN:-build}" "WATCH=$top/${B_FOREIGN:-$B}/watch" \
		"SYSTEMTAP_DIR=${SYSTEMTAP_DIR:-$HOME/.systemtap}" "$top/tests/guest/inside" "$top" "$dir" \
		"$guest" > "$dir/vm.log.$guest" 2>&1
	echo $? > "$dir/ended.$guest"
	[ "$(cat "$dir/ended.$guest")" = 0 ]
}

# judge_guest DIR FILE: judges the test's run. LOST: no guest came to it.
judge_guest() {
	local dir=$1 file=$2 name
	name=$(basename "${file%.*}")
	case $file in *.sh) ;; *) [ -e "$dir/t_$name.ko" ] || { result FAIL "$file" "$dir/$name.p4"; return; } ;; esac
	if [ ! -e "$dir/taken/$name" ]; then
		result LOST "$file"
	elif [ ! -e "$dir/$name.status" ]; then
		{
			echo "its guest ended meanwhile"
			cat "$(dirname "$dir"/begun.*/"$name" | sed 's|/begun\.\([^/]*\)$|/died.\1|')"
			cat "$dir/$name".{stdout,err}
		} > "$dir/detail" 2> /dev/null
		result FAIL "$file" "$dir/detail"
	elif [ "${file%.sh}" != "$file" ]; then
		[ "$(cat "$dir/$name.status")" = 0 ] || cat "$dir/$name.err" >> "$dir/$name.stdout"
		judge_script "$file" "$(cat "$dir/$name.status")" "$dir/$name.stdout"
	else
		judge "$file" "$file" "$(cat "$dir/$name.status")" "$dir/$name.stdout" "$dir/$name.err"
	fi
}

complaints='BUG:|BUG [^ ]+ \(|WARNING:|Oops|general protection|lockdep|KASAN|UBSAN|ODEBUG|Call [Tt]race|scheduling while atomic|soft lockup|rcu:.*stall'
complaints+='|CFI failure|unannotated|suspected memory leaks|unreferenced object|INFO: (task .* blocked|trying to register)'

# without_wanted LOG: prints it without stacks that are no complaint as a test wants them: the kernel's when a control
# group's memory is used up, and, in failslab.sh, when an allocation of its own fails
without_wanted() {
	awk '/invoked oom-killer/ { printf "%s", held; held = ""; holding = 1 }
		/\] test: / { fails = /: failslab$/ }
		fails && /allocation fail(ed|ure)/ { failing = 1 }
		holding { held = held $0 "\n" } !holding && !failing
		/Memory cgroup out of memory/ { held = ""; holding = 0 }
		failing && /<\/TASK>/ { failing = 0 }
		END { printf "%s", held }' "$1"
}

# complaints_in LOG: prints each complaint of the kernel's log between the ten lines before it and the twenty behind it,
# below the line that names the test. The first lines of a checking kernel are not complaints.
complaints_in() {
	without_wanted "$1" | grep -v 'RCU lockdep checking is enabled' | awk -v complaint="$complaints" '
		/\] test: / { test = $0 }
		$0 ~ complaint && NR > until { print test; for (i = NR - 10; i < NR; i++) if (i in last) print last[i] }
		$0 ~ complaint { until = NR + 20 }
		NR <= until { print } { last[NR] = $0; delete last[NR - 10] }' | head -n 200
}

# named_modules TESTS SCRIPT…: prints those whose names, with t_ before them or not, are words of the shell scripts
# among the tests in the array TESTS, or of the files that these source. Comments name none.
named_modules() {
	local -n tests=$1
	local script sourced words
	shift
	sourced=$(grep -ohE 'tests/[a-z/]+\.inc' "${tests[@]}" | sort -u)
	words=$(printf '%s\n' "${tests[@]}" $sourced | grep -v '\.stp$' | xargs -r sed 's/^[[:blank:]]*#.*//')
	for script in "$@"; do
		! grep -qwE "(t_)?$(basename "$script" .stp)" <<< "$words" || echo "$script"
	done
}

# clang_suffix: prints how the programs of the target kernel's clang end, for make's LLVM=
clang_suffix() {
	local major
	major=$(sed -n 's/^CONFIG_CLANG_VERSION=\([0-9]*\)[0-9]\{4\}$/\1/p' "$(target TREE)/boot/config-$(test_kernel)")
	if type -P "clang-$major" > /dev/null; then echo "-$major"; else echo 1; fi
}

# make_module DIR: makes the target kernel's modules of that source
make_module() {
	local for=(in_root / make -s -C "$(test_build_dir)")
	no_config CC_IS_CLANG > /dev/null || for+=("LLVM=$(clang_suffix)")
	[ -z "${TEST_ARCH-}" ] || for=(make -s ARCH=arm64 "CROSS_COMPILE=$TEST_ARCH-linux-gnu-"
		-C "$(realpath "$foreign_tree/lib/modules/$(test_kernel)/build")")
	"${for[@]}" M="$1" modules
}

make_kmod() {
	cp -r tests/guest/kmod "$1/kernel" && make_module "$1/kernel" > "$1/kernel.log" 2>&1 || {
		cat "$1/kernel.log"
		return 1
	}
}

# rust_compiler: prints the path of rustc, which rustup has for a user.
rust_compiler() { type -P rustc ~/.cargo/bin/rustc | head -n 1 | grep .; }
no_rustc() {
	[ -z "${TEST_ARCH-}" ] || { echo "not here: programs in Rust are of the host's processor"; return; }
	! rust_compiler > /dev/null && echo "not here: rustc is not installed"
}

no_libcxx() {
	[ -z "${TEST_ARCH-}" ] || { echo "not here: libc++ is of the host's processor"; return; }
	type -P clang++ > /dev/null || { echo "clang++ is not installed"; return; }
	! echo '#include <string>' | clang++ -stdlib=libc++ -fsyntax-only -x c++ - 2> /dev/null &&
		echo "libc++-dev is not installed"
}

no_go() {
	[ -z "${TEST_ARCH-}" ] || { echo "not here: programs in Go are of the host's processor"; return; }
	! type -P go > /dev/null && echo "not here: go is not installed"
}

# guest_programs FILE… [cpp|rs|go]: prints the sources of programs. For another processor those alone that the tests, or
# programs in Python that they run, name by a path: not all can be compiled there.
guest_programs() {
	local ext=c source
	case ${!#} in cpp | rs | go) ext=${!#}; set -- "${@:1:$#-1}" ;; esac
	# shellcheck disable=SC2046 # names without spaces
	set -- "$@" $(grep -ohE 'tests/guest/programs/[a-z_]+/[a-z_]+\.py' "$@" | sort -u)
	for source in tests/guest/programs/*/*."$ext"; do
		[ -n "${TEST_ARCH-}" ] && ! names_program "$(basename "$source" ".$ext")" "$@" ||
			echo "$source"
	done
}

# guest_program COMMAND…: compiles run_guest's file; one that does not compile is a test that failed, the others go on
guest_program() {
	"$@" -o "$dir/$(basename "${file%.*}")" "$file" 2> "$dir/compiler" && { cat "$dir/compiler"; return; }
	list+=$'\n'"guest plain $file"
	result FAIL "$file" "$dir/compiler"
}

# run_guest FILE…: translates what they need on the host, runs all in guests, judges here
run_guest() {
	local file name modules kernel dir reason files=() lost died program_cc cxx=${CXX:-g++}
	if { [ -n "${TEST_ARCH-}" ] && reason=$(no_foreign); } ||
		{ [ "${TEST_KERNEL-}" = clang ] && reason=$(no_clang); }; then
		for file in "$@"; do result SKIP "$file" "$reason"; done
		return
	fi
	kernel=$(test_kernel)
	[ -n "$kernel" ] || { echo "no kernel with headers and image: tools/fetch-kernel gets one" >&2; return 1; }
	dir=$top/$B/guest
	rm -rf "$dir"
	mkdir -p "$dir"
	work=$dir
	for file in "$@"; do
		if reason=$(skip_reason "$file"); then
			result SKIP "$file" "$reason"
		else
			files+=("$file")
		fi
	done
	set -- "${files[@]}"
	[ $# -gt 0 ] || return 0
	[ -z "${TEST_ARCH-}" ] || make_foreign "$@" > "$dir/make.log" 2>&1 || { cat "$dir/make.log"; return 1; }
	for file in $(guest_programs "$@"); do
		if reason=$(skip_reason "$file"); then
			list+=$'\n'"guest plain $file"
			result SKIP "$file" "$reason"
			continue
		fi
		program_cc=$(values compiler "$file")
		guest_program ${program_cc:-${foreign_cc:-${CC:-gcc}}} -O1 -Wall -pthread $(values cflags "$file")
	done
	[ -n "${TEST_ARCH-}" ] && ! grep -q MODULES/kernel "$@" || make_kmod "$dir" || return
	[ -z "${TEST_ARCH-}" ] || cxx=$TEST_ARCH-linux-gnu-g++
	for file in $(guest_programs "$@" cpp); do
		! skip_reason "$file" > /dev/null || continue
		program_cc=$(values compiler "$file")
		guest_program ${program_cc:-$cxx} -O1 -Wall $(values cflags "$file")
	done
	for file in $(no_rustc > /dev/null || guest_programs "$@" rs); do
		# shellcheck disable=SC2046 # words
		guest_program "$(rust_compiler)" $(values cflags "$file")
	done
	for file in $(no_go > /dev/null || guest_programs "$@" go); do
		# shellcheck disable=SC2046 # words
		guest_program go build $(values cflags "$file")
	done
	for file in tests/guest/modules/*/*.sh; do
		[ ! -e "$file" ] || bash "$file" "$top" "$dir" > "$dir/$(basename "$file" .sh).stp"
	done
	modules=$(named_modules files tests/guest/modules/*/*.stp "${dir#"$top/"}"/*.stp)
	for file in $modules "$@"; do
		case $file in *.stp) ;; *) continue ;; esac
		while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
		translate_guest "$file" "$kernel" "$dir" &
	done
	wait
	for file in $modules; do
		name=$(basename "$file" .stp)
		[ ! -e "$dir/t_$name.ko" ] || continue
		list+=$'\n'"guest plain $file"
		result FAIL "$file" "$dir/$name.p4"
	done
	for file in "$@"; do before_guests "$file" "$dir"; done
	! grep -qx '# examples: yes' "$@" || translate_examples "$kernel" "$dir/examples"
	cpu_note "translation${TEST_ARCH:+-$TEST_ARCH}" all
	boot_guests "$kernel" "$dir" "$@"
	cpu_note "${TEST_ARCH:-guest}" all
	cat "$dir"/cpu.* >> "$results/cpu.guests" 2> /dev/null
	[ ! -e "$dir/examples.status" ] || judge_examples "$dir/examples" >> "$dir/examples.stdout" ||
		[ "$(cat "$dir/examples.status")" != 0 ] || echo 1 > "$dir/examples.status"
	for file in "$@"; do judge_guest "$dir" "$file"; done
	for died in "$dir"/died.*; do
		[ -e "$died" ] && [ -z "$(ls "$dir/begun.${died##*/died.}")" ] || continue
		list+=$'\n'"guest plain ${died##*/}"
		result FAIL "${died##*/}" "$died" # with no test, but died all the same
	done
	lost=$(cat "$results"/*.result | grep -c '^LOST ')
	[ "$lost" = 0 ] || {
		echo "FAIL  $lost tests did not run: the guests ended before"
		cat "$dir"/died.* | sed 's/^/      /'
	}
	# The kernel's own log is judged as one more test.
	list=$list$'\n'"guest plain dmesg"
	if [ ! -s "$dir/dmesg" ]; then
		echo "no kernel log" > "$dir/detail"; result FAIL dmesg "$dir/detail"
	elif complaints_in "$dir/dmesg" > "$dir/detail"; [ -s "$dir/detail" ]; then
		result FAIL dmesg "$dir/detail"
	else
		result PASS dmesg
	fi
}
