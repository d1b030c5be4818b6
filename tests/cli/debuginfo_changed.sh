# SPDX-License-Identifier: GPL-2.0-or-later
# Cached data about a program depends on its debuginfo, not only on its build-id: dwz, debugedit and links with a fixed
# build-id change the debuginfo and keep the build-id.
# skip: no_kernel || no_program dwz debugedit
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
export SYSTEMTAP_DIR=$WORK/home SYSTEMTAP_DEBUGINFO_PATH=+:$PWD/debug
id=-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567

# shows REGEX… : what there is to see in walk()
shows() { check 0 "$@" -- $stap -L 'process("./prog").function("walk")'; }
cat > first.c <<'END'
struct pair { long left, right; };
int sum;
__attribute__((noinline)) int walk(int steps, struct pair *both) { int far = steps * 3; return far + sum + both->left; }
int main(int argc, char **argv) { struct pair p = { 1, 2 }; return walk(argc, &p); }
END
sed 's/steps/paces/g; s/both/twin/g; s/sum/all/g' first.c > second.c
gcc -g -O1 $id -o prog first.c || say_wrong "cannot build the program"
cp prog original
shows '/walk@.*/first\.c:3"\) \$steps:int \$both:struct pair\* \$far:int$'
check 0 -- $stap -p2 -e 'probe process("./prog").function("walk") { println(@var("sum")) }'

# Another program, under the same build-id: as long as the first, and as old.
gcc -g -O1 $id -o prog second.c || say_wrong "cannot build the program again"
touch -r original prog
shows '/\$paces:int \$twin:struct pair\*' '!steps'
check 0 -- $stap -p2 -e 'probe process("./prog").function("walk") { println(@var("all"), $twin->right) }'
check 1 "/no variable 'sum'" -- $stap -p2 -e 'probe process("./prog").function("walk") { println(@var("sum")) }'

# Compressed, edited.
cp original prog
shows '/\$steps:int'
check 0 -- dwz prog
shows '/\$steps:int \$both:struct pair\* \$far:int$'
check 0 -- $stap -p2 -e 'probe process("./prog").function("walk") { println(@var("sum"), $both->right) }'
cp original prog
check 0 -- debugedit -b "$PWD" -d "${PWD%????}/els" prog
touch -r original prog
shows '/walk@.*/els/first\.c:3"\)'

# A separate file that changes, beside a program that does not; and one that has a part in common with others.
mkdir debug
gcc -g -O1 $id -o prog first.c
objcopy --only-keep-debug prog debug/prog.debug
objcopy --strip-debug --add-gnu-debuglink=debug/prog.debug prog
shows '/\$steps:int \$both:struct pair\* \$far:int$'
gcc -g -O1 $id -o other second.c
objcopy --only-keep-debug other debug/prog.debug
objcopy --remove-section .gnu_debuglink prog && objcopy --add-gnu-debuglink=debug/prog.debug prog
shows '/\$paces:int \$twin:struct pair\*' '!steps'
finish
