#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what protoc --decode=Trace prints of a timeline: a line "TRACK KIND NAME VALUES" for each event, in order of
time, as Perfetto puts it: names by their numbers, tracks by their descriptions, slices with what they took."""

import re
import sys


def parse(tokens):
    ret = []
    for token in tokens:
        if token == "}":
            break
        value = next(tokens)
        ret.append((token, parse(tokens) if value == "{" else value))
    return ret


def first(message, name, otherwise=None):
    return next((v for k, v in message if k == name), otherwise)


def text(value):
    return value.strip('"').encode("latin-1").decode("unicode_escape").encode("latin-1").decode()


def shown(annotation, names):
    name = first(annotation, "name")
    name = text(name) if name else names[first(annotation, "name_iid")]
    kind, value = next((k, v) for k, v in annotation if k.endswith("_value"))
    return f"{name}=" + (hex(int(value)) if kind == "pointer_value" else text(value))


tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s:{}"]+', sys.stdin.read())
packets = [p for _, p in parse(iter(tokens))]
tracks, events, values, lines = {"0": "none"}, {}, {}, []
assert first(packets[0], "sequence_flags") == "1", "the state is not cleared first"
for packet in packets:
    assert first(packet, "trusted_packet_sequence_id") == "1"
    for kind, message in packet:
        if kind == "interned_data":
            for of, name in message:
                (events if of == "event_names" else values)[first(name, "iid")] = text(first(name, "name"))
        elif kind == "track_descriptor":
            thread, name = first(message, "thread"), first(message, "name")
            tracks[first(message, "uuid")] = "process" if first(message, "process") else \
                f"thread({text(first(thread, 'thread_name', ''))})" if thread else text(name)
            assert thread is None or tracks[first(message, "parent_uuid")] == "process"
        elif kind == "track_event":
            name = first(message, "name")
            name = text(name) if name else events.get(first(message, "name_iid"), "")
            count = first(message, "counter_value")
            lines.append((int(first(packet, "timestamp")), tracks[first(message, "track_uuid")],
                          first(message, "type")[5:].lower(), name,
                          [shown(v, values) for k, v in message if k == "debug_annotations"] + ([count] if count else [])))
        elif kind == "ftrace_events":
            event = first(message, "event")
            switch = first(event, "sched_switch")
            lines.append((int(first(event, "timestamp")), "cpu " + first(message, "cpu"), "switch", "",
                          [f"{k}={text(v)}" for k, v in switch]))
lines.sort(key=lambda line: line[0])
open_slices = {}
for time, track, kind, name, shown_values in lines:
    stack = open_slices.setdefault(track, [])
    if kind == "slice_begin":
        stack.append((time, name))
    elif kind == "slice_end":
        begun, name = stack.pop()
        shown_values = [f"{(time - begun) // 1000}us"]
    print(track, kind, *filter(None, [name, *shown_values]))
