#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""everycall.py OURS STRACE LEAST: compares argstr and retstr with strace's lines, call by call; so many have to be the same. Differences that are meant stand in MEANT."""
import difflib
import re
import sys

# Calls whose lines may differ, and why.
MEANT = {
    "capget": "ours is cut at MAXSTRINGLEN",
    "fcntl": "strace shows results of F_GETFD and F_GETFL in hexadecimal; F_NOTIFY's names are not ours",
    "kexec_load": "strace has a name for no architecture",
    "membarrier": "strace shows the result in hexadecimal",
    "recvmsg": "strace shows msg_namelen of a failed call, ours the address",
    "pselect6": "ours shows the time that was left, as of select",
    "select": "ours shows the time that was left, for the call has written it; strace the one given",
    "sysfs": "ours shows the arguments that the option has, strace three numbers",
    "splice": "ours shows the offset after the call, strace the one before",
}
# Names that the documented aliases have.
NAMES = {"pread": "pread64", "pwrite": "pwrite64", "mmap2": "mmap"}


def read(path, ours):
    lines, on = [], False
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        on |= line.startswith("close(1000)")
        call = re.match(r"(\w+)\((.*)\)\s+= (.*)$", line)
        if not on or not call:
            continue
        name, args, result = call.groups()
        if ours:
            result = re.sub(r"^-\d+ \((\w+)\)$", r"-1 \1", result)
        else:
            # What strace says besides: that a number has no name, what a time is in a calendar, what a result means.
            args = re.sub(r" /\* ((\w+_\?\?\?)|(\d{4}-\d\d-\d\dT[^ ]*)) \*/", "", args)
            args = re.sub(r"\[\d+\] => |(?<=\[)\d+ => ", "", args)
            result = re.sub(r" \(.*\)$", "", result)
            # What newer versions write otherwise.
            args = re.sub(r"(?<=data=)0x([0-9a-f]+)", lambda m: "{{u32={0}, u64={1}}}".format(int(m[1], 16) & 0xffffffff, int(m[1], 16)), args)
            args = re.sub(r"\{sched_priority=(\d+)\}", r"[\1]", args).replace("PKEY_UNRESTRICTED", "0")
        lines.append((NAMES.get(name, name), args, result))
        if (name, args) == ("close", "1001"):
            break
    return lines


def main():
    ours, theirs = read(sys.argv[1], True), read(sys.argv[2], False)
    order = difflib.SequenceMatcher(None, [c[0] for c in ours], [c[0] for c in theirs], autojunk=False)
    same, meant, bad = set(), 0, 0
    for kind, a, b, c, d in order.get_opcodes():
        if kind != "equal":
            bad += 1
            print("only ours:", ours[a:b], "only strace's:", theirs[c:d])
            continue
        for x, y in zip(ours[a:b], theirs[c:d]):
            if x == y:
                same.add(x)
            elif x[0] in MEANT:
                meant += 1
            else:
                bad += 1
                print("strace: %s(%s) = %s\nours:   %s(%s) = %s" % (y + x))
    print("%d of %d names and %d different calls the same, %d differ as meant, %d others" %
          (len({x[0] for x in same}), len({x[0] for x in theirs}), len(same), meant, bad))
    sys.exit(bad > 0 or len(same) < int(sys.argv[3]))


main()
