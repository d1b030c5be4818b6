# SPDX-License-Identifier: GPL-2.0-or-later
# tests/changed: lists the files that differ from the cloned commit; and the paths that tests guard exist.
# skip: no_program git
. "$TOP/tests/cli/expect.inc"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset CI CHECK_BASE NAMED

mkdir -p first/tests first/lib && cp "$TOP/tests/changed" first/tests/ && touch first/lib/one.c first/lib/two.h
git init -q first && git -C first add . && git -C first commit -q -m first
git clone -q first second && changed=second/tests/changed || say_wrong 'no clone'

check 1 -- $changed lib
check 0 -- env CI=true $changed lib
echo x >> second/lib/one.c
check 0 -- $changed lib
check 0 -- $changed none lib/one.c
check 1 -- $changed lib/two.h
check 1 -- $changed '*.h'
git -C second commit -q -a -m second
check 0 -- $changed lib
check 1 -- env CHECK_BASE=HEAD $changed lib
touch second/lib/new.h
check 0 -- env CHECK_BASE=HEAD $changed '*.h'
# Where nothing was cloned, or git is not used, everything may have changed.
check 0 -- first/tests/changed lib
rm -rf second/.git
check 0 -- $changed lib/two.h

cd "$TOP" || exit
for path in $(grep -rhE '^(#|//) guards: ' --include='*.sh' --include='*.stp' tests | sed 's/.*guards: //'); do
	[ -e "$path" ] || { echo "a test guards $path, which is not there"; wrong=$((wrong + 1)); }
done
cd "$WORK" || exit
printf '# guards: tests/changed\n' > one.sh
reason=$(cd "$TOP" && CHECK_BASE=HEAD bash -c '. tests/lib.sh; skip_reason "$1"' of "$WORK/one.sh")
git -C "$TOP" rev-parse -q HEAD > /dev/null 2>&1 && git -C "$TOP" diff --quiet HEAD -- tests/changed &&
	[[ $reason != 'CI=true runs it: '* ]] && say_wrong "it is not left out: $reason"
finish
