# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the records of all hooks of LKET with what lket_calls did, and with what the kernel's own tracing has of the
time between.

lket_judge.py MAJOR:MINOR HOST:CHANNEL:ID:LUN, of the disk. Reads expected (what lket_calls printed), decoded (the
records, by lket.py), text (by lket-b2a) and kernel (the trace); prints the first difference of each kind."""
import collections
import os
import re
import sys

Record = collections.namedtuple("Record", "usec tid cpu hook fields")
wrong = []


def say(*words):
    wrong.append(" ".join(map(str, words)))


def same(what, wanted, got):
    for n, (w, g) in enumerate(zip(wanted + ["nothing"], got + ["nothing"])):
        if w != g:
            return say(f"{what}, record {n + 1}: called: {w} recorded: {g}")
    if not wanted:
        say(f"{what}: there is nothing to compare")


def value(record, name):
    return int(re.search(f"(?:^|,){name}:(-?[0-9]+),", record.fields).group(1))


def read_records():
    with open("decoded", errors="replace") as f:
        for line in f:
            usec, tid, cpu, group, hook, fields = line.rstrip("\n").split(" ", 5)
            yield Record(int(usec), int(tid), int(cpu), f"{group} {hook}", fields)


def texts(some):
    return [f"{r.hook} {r.fields}" for r in some]


records = list(read_records())
with open("expected") as f:
    expected = f.read().splitlines()
me, parent, my_cpu = map(int, expected.pop().split()[1:])
disk = tuple(map(int, sys.argv[1].split(":")))
host, channel, target, lun = map(int, sys.argv[2].split(":"))
scsi_info = int.from_bytes(bytes([host & 255, channel, target, lun][n] for n in (0, 1, 3, 2)), "big", signed=True)
mine = [r for r in records if r.tid == me]
threads = {me} | {int(line.split(":")[1].split(",")[0]) for line in expected if f",pid:{me},ppid:{me}," in line}


def called(*hooks):
    return [line for line in expected if " ".join(line.split(" ", 2)[:2]) in hooks or line.split()[0] in hooks]


def of(some, *hooks):
    return [r for r in some if r.hook in hooks or r.hook.split()[0] in hooks]


def judge_calls():
    """System calls between the marks; a mark's own end, and what stands before the other's begin, are none of them."""
    first, last = (next(n for n, r in enumerate(mine) if r.hook == "9 1" and r.fields.startswith(f"filename:{mark},"))
                   for mark in ("begin", "end"))
    between = mine[first + 1:last]
    contexts = {value(r, "ctx") for r in of(between, "10 5")}
    if len(contexts) != 1 or contexts.pop() >= 0:
        say("io_submit_one: ctx is not the one address of the kernel's")
    calls = [re.sub("^10 5 ctx:-[0-9]+,", "10 5 ctx:KERNEL,", line) for line in texts(of(between, "9", "10"))]
    same("calls", called("9", "10"), calls[1:])
    # Some compilers put sigprocmask() into its callers.
    has_mask = any(r.hook == "11 13" for r in records)
    same("signals", [line for line in called("11") if has_mask or line.split()[1] not in ("13", "14")],
         texts(of(between, "11")))
    names = texts(of(between, "2"))
    names = names[next(n for n, line in enumerate(names) if line.startswith("2 2 ")) + 1:]
    same("system calls", called("2"), names[:-1] if names[-1].startswith("2 1 ") else names)
    if {r.cpu for r in between} != {my_cpu}:
        say(f"the calls were made by processor {my_cpu}")


def judge_faults():
    first, end = next(list(map(int, line.split()[1:])) for line in expected if line.startswith("pages "))
    same("faults", called("7"), texts(r for r in of(records, "7 1") if first <= value(r, "addr") < end))


def judge_packets():
    lo = [r for r in of(records, "8") if r.fields.startswith("dev_name:lo,")]
    sizes = {value(r, "buff_size") for r in lo}
    if len(sizes) != 1 or not 143 < sizes.pop() < 4096:
        say("packets: their memory")
    same("packets", called("8"), [re.sub("buff_size:[0-9]+,", "buff_size:MEMORY,", line) for line in texts(lo)])


def judge_processes():
    """The first of them is that lket_calls itself begins."""
    begin, *rest = texts(of(records, "3 2", "3 3"))
    if not re.fullmatch(f"3 3 pid:{me},pname:.*/lket_calls,", begin):
        say("processes: the first one:", begin)
    same("processes", called("3"), rest)
    same("ends", ["3 7 code:0,"], texts(r for r in of(records, "3 7") if r.tid != me))


def judge_snapshot():
    """A process that there is still, and that was made before lket_calls, was there when the trace began."""
    shot = {value(r, "pid"): r for r in of(records, "3 1")}
    if len(shot) != len(of(records, "3 1")):
        say("snapshot: a process is there twice")
    seen = 0
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) < me):
        try:
            with open(f"/proc/{pid}/stat", errors="replace") as f:
                name, rest = f.read().split(" (", 1)[1].rsplit(") ", 1)
        except OSError:
            continue
        seen += 1
        fields = shot[pid].fields if pid in shot else "nothing"
        # A name has 15 characters at most; /proc has more of kernel threads', and what they do.
        wanted = f"tid:{pid},pid:{pid},ppid:{rest.split()[1]},pname:{name[:15]},"
        if fields != wanted and not (name.startswith("kworker/") and wanted.startswith(fields[:-1])):
            say(f"snapshot: there is: {wanted} recorded: {fields}")
    if seen < 10 or not any(r.fields.endswith("pname:odd, name:1,") for r in shot.values()):
        say(f"snapshot: {seen} processes")


def judge_disk():
    """A page is written, two are read: from the queue to the end a request and a command are the same."""
    asked = of(mine, "4 1")
    wanted, got = [], []
    for n, (op, size) in enumerate([(1, 4096), (0, 8192)]):
        request = value(asked[n], "request") if n < len(asked) else 0
        chain = [r for r in of(records, "4", "6") if value(r, "request") == request and
                 asked[n].usec <= r.usec and (n or len(asked) < 2 or r.usec < asked[1].usec)] if request else []
        command = next((value(r, "cmd_id") for r in chain if r.hook == "6 2"), 0)
        buffer = next((value(r, "req_buff") for r in chain if r.hook == "6 2"), 0)
        flags = value(asked[n], "req_flags") if request else 0
        if request >= 0 or command <= request or buffer >= 0 or flags & 255 != op:
            say(f"disk: request {request}, command {command}, buffer {buffer}, flags {flags}")
        queue = f"elv_name:mq-deadline,major:{disk[0]},minor:{disk[1]},request:{request},req_flags:{flags},"
        whose = f"scsi_info:{scsi_info},data_dir:{2 - op},cmd_id:{command},"
        there = f"scsi_info:{scsi_info},data_dir:{2 - op},req_buff:{buffer},buf_len:{size},cmd_id:{command},"
        wanted += [f"4 1 {queue}", f"6 1 major:{disk[0]},minor:{disk[1]},sdev_state:2,request:{request},",
                   f"4 2 {queue}", f"6 2 sdev_state:2,{there}request:{request},", f"6 3 {whose}request:{request},",
                   f"6 4 {whose}bytes:{size},request:{request},", f"4 3 {queue}"]
        got += texts(chain)
    same("disk", wanted, got)


STATES = {"R": "0", "S": "1", "D": "2", "I": "2", "T": "4", "t": "8", "X": "-128", "Z": "-128"}


def pattern_of(event, text):
    """(hook, a pattern of its fields) of what the kernel's trace has. The parent reads the trace, and is left out."""
    if event == "cpu_idle":
        return "5 2", None if "state=4294967295" in text else "cur_pid:0,"
    if event == "sched_switch":
        before, state, after = re.search(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)", text).groups()
        state = STATES.get(state, "-?[0-9]+")
        is_mine = threads & {int(before), int(after)} and parent not in (int(before), int(after))
        return "5 1", f"prev_pid:{before},next_pid:{after},prev_state:{state}," if is_mine else None
    if event.startswith("block_rq_"):
        major, minor, what = re.search(r"^(\d+),(\d+) ([A-Z])", text).groups()
        hook = {"insert": "4 1", "issue": "4 2", "complete": "4 3"}[event[len("block_rq_"):]]
        return hook, f"elv_name:.*,major:{major},minor:{minor},request:.*"
    if event.startswith("scsi_"):
        where = [int(re.search(rf"\b{name}=(\d+)", text).group(1)) for name in ("host_no", "channel", "lun", "id")]
        info = int.from_bytes(bytes(n & 255 for n in where), "big", signed=True)
        return "6 2" if event.endswith("start") else "6 3", f"(sdev_state:2,)?scsi_info:{info},.*"
    device, length = re.search(r"dev=(\S+) .*len=(\d+)", text).groups()
    return "8 2" if event == "net_dev_queue" else "8 1", f"dev_name:{device},data_len:{length},.*"


def read_kernel():
    """{(kind, CPU): [(tid, hook, pattern)]} of the kernel's trace; the scheduler's two hooks are of a kind."""
    seen = collections.defaultdict(list)
    with open("kernel", errors="replace") as f:
        for line in f:
            found = re.match(r" *.*-(\d+) +\[(\d+)\] +\S+ +[\d.]+: (\w+): (.*)", line)
            if not found:
                continue
            tid, cpu, event, text = found.groups()
            hook, pattern = pattern_of(event, text)
            if pattern and (hook != "8 2" or int(tid) in threads):
                seen[hook[0] if hook[0] == "5" else hook, int(cpu)].append((int(tid), hook, pattern))
    return seen


def judge_kernel():
    """Each sequence of the kernel's, of a hook and a processor, is there at a stretch: LKET's trace is longer."""
    seen = read_kernel()
    same("kernel", ["4 1", "4 2", "4 3", "5", "6 2", "6 3", "8 1", "8 2"], sorted({kind for kind, _ in seen}))
    for (kind, cpu), wanted in seen.items():
        got = [r for r in of(records, kind) if r.cpu == cpu]
        runs = [sum(1 for w, g in zip(wanted, got[at:]) if w[:2] == (g.tid, g.hook) and re.fullmatch(w[2], g.fields))
                for at in range(len(got) or 1)]
        if max(runs) != len(wanted):
            at = runs.index(max(runs))
            first = next(n for n, w in enumerate(wanted) if at + n >= len(got) or w[:2] != got[at + n][1:4:2] or
                         not re.fullmatch(w[2], got[at + n].fields))
            say(f"kernel, hook {kind}, processor {cpu}, {first + 1} of {len(wanted)}: seen: {wanted[first]} recorded:",
                got[at + first] if at + first < len(got) else "nothing")


def judge_rest():
    """Whose records are taken, and whose name lket-b2a gives them."""
    for r in of(records, "2", "7", "9", "8 2"):
        if r.tid not in threads:
            return say("of another process:", r)
    with open("text", errors="replace") as f:
        locks = [line for line in f if f" TID:{me}, " in line and "EVT_NAME:iosyscall.flock." in line]
    whose = f" PID:{me}, PPID:{parent}, APPNAME:[^ ]*lket_calls EVT_NAME:iosyscall.flock.(entry|return) HOOK"
    if not locks or not all(re.search(whose, line) for line in locks):
        say("whose it is:", *locks)


for judge in (judge_calls, judge_faults, judge_packets, judge_processes, judge_snapshot, judge_disk, judge_kernel,
              judge_rest):
    try:
        judge()
    except (IndexError, StopIteration, AttributeError) as error:
        say(f"{judge.__name__}: {error!r}, line {error.__traceback__.tb_lineno}")
print("\n".join(wrong) or f"{len(records)} records, of {len({r.hook for r in records})} hooks")
sys.exit(bool(wrong))
