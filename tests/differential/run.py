#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Random programs, judged by an evaluator of their own.

  run.py [--stap PATH] [--seeds FROM:COUNT] [--batch N] [--runtimes user,bpf,kernel]
                                                                    differences end it, the first one shrunk; kernel: as
                                                                    modules in a guest, which takes root
  run.py --print SEED                                               a program's text, and what it has to print
  run.py --export DIR --seeds FROM:COUNT                            a script of them, and DIR/expected, for SystemTap itself
"""
import argparse
import os
import re
import sys
import tempfile
import time

import backends
import evaluate
import generate
import shrink
import text

SPAN = 50          # seeds that share their settings
STRINGS = (40, 64, 512)
MOST_STEPS = 1500  # far below MAXACTION: what a statement costs is no part of the language
sys.setrecursionlimit(10000)


def expected(program, max_string):
    return evaluate.Evaluator(program, max_string, backends.NESTING, MOST_STEPS).run()


def make(seed, id, max_string, portable=False):
    """The program of that seed, what it prints, and whether an error was raised; the first variant that is short enough."""
    for variant in range(100):
        program = generate.Generator('%d.%d' % (seed, variant), id, portable).make()
        try:
            before = evaluate.ScriptError.raised
            want = expected(program, max_string)
            return program, want, evaluate.ScriptError.raised != before
        except evaluate.TooLong:
            continue
    raise RuntimeError('seed %d gives nothing' % seed)


def settings_of(seed):
    """Spans in turn with -u, and without, and with strings of each length."""
    span = seed // SPAN
    return backends.Settings(STRINGS[span % len(STRINGS)], span % 2 == 1)


def make_span(first, count):
    """The programs of the seeds of one span, as (seed, program, what it prints). The optimiser may leave out what nobody
    uses, errors of it included, so that programs that raise some are left out there."""
    settings = settings_of(first)
    made = [(seed,) + make(seed, str(seed), settings.max_string) for seed in range(first, first + count)]
    return [(seed, p, want) for seed, p, want, raises in made if settings.unoptimised or not raises]


def split_errors(stderr):
    """The message that ended each probe, by its number."""
    return {int(m.group(2)): m.group(1)
            for m in re.finditer(r'^ERROR: ([^\n]*(?:\n(?!ERROR|WARNING)[^\n]*)*?) in probe begin\((\d+)\)$', stderr, re.M)}


def same_error(want, got):
    return (want is None) == (got is None) and (want is None or got.startswith(want[:12]))


def judge(wanted, stdout, stderr):
    """The position of the first program that differs, and how; or None."""
    errors, at = split_errors(stderr), 0
    for i, results in enumerate(wanted):
        for k, (out, error) in enumerate(results):
            if stdout[at:at + len(out)] != out:
                return i, 'prints\n%s\nnot\n%s' % (stdout[at:at + len(out) + 40], out)
            if not same_error(error, errors.get(2 * i + k)):
                return i, 'ends with %r, not %r' % (errors.get(2 * i + k), error)
            at += len(out)
    if at != len(stdout):
        return len(wanted) - 1, 'prints more: %r' % stdout[at:at + 200]
    return None


def differs(backend, program, settings):
    """How the program alone differs, or None."""
    try:
        before = evaluate.ScriptError.raised
        want = expected(program, settings.max_string)
        if not settings.unoptimised and evaluate.ScriptError.raised != before:
            return None
    except (evaluate.TooLong, KeyError, TypeError):
        return None
    backend.start(text.program(program, 0), settings)
    stdout, stderr = backend.finish()[0]
    if 'Pass 2: analysis failed' in stderr or 'Pass 1: parse failed' in stderr:
        return 'REFUSED ' + stderr
    found = judge([want], stdout, stderr)
    return found[1] + '\n-- stderr:\n' + stderr if found else None


def kind_of(how):
    """What stays the same while a program is made smaller."""
    refusal = re.search(r': error: ([^\n\']*)', how)
    return refusal.group(1) if how.startswith('REFUSED') and refusal else how.split('\n')[0].split(' ')[0]


def report(backend, seed, program, settings, of_batch, how=None):
    words = '--runtime=%s %s' % (backend.runtime, ' '.join(backends.options(settings)))
    how = how or differs(backend, program, settings)
    if how is None:
        print('seed %d, %s: a difference that the program alone does not show: %s' % (seed, words, of_batch))
        return
    print('-- seed %d, %s: %s' % (seed, words, how), flush=True)
    kind, end = kind_of(how), time.monotonic() + backend.shrink_seconds

    def still(p):
        if time.monotonic() > end:
            return False
        d = differs(backend, p, settings)
        return d is not None and kind_of(d) == kind
    small = shrink.shrink(program, still)
    print('-- made smaller:')
    print(text.program(small, 0))
    print(differs(backend, small, settings))


class Run:
    """The programs that one back end has begun with, in batches: (programs, settings) each."""
    def __init__(self, backend, batch):
        self.backend, self.batch = backend, min(batch or backend.batch, SPAN)
        self.begun, self.spans, self.ran = [], 0, 0

    def begin(self, made, settings):
        for at in range(0, len(made), self.batch):
            part = made[at:at + self.batch]
            self.backend.start(''.join(text.program(p, i) for i, (_, p, _) in enumerate(part)), settings)
            self.begun.append((part, settings))
        self.spans += 1

    def judge(self, is_last):
        """False: there is a difference, which has been reported."""
        if not is_last and self.spans < self.backend.spans:
            return True
        begun, self.begun, self.spans = self.begun, [], 0
        for (made, settings), (stdout, stderr) in zip(begun, self.backend.finish()):
            if not self.judge_batch(made, settings, stdout, stderr):
                return False
        return True

    def judge_batch(self, made, settings, stdout, stderr):
        found = judge([want for _, _, want in made], stdout, stderr)
        if found is None:
            self.ran += len(made)
            return True
        i, how = found[0], None
        if not stdout:  # one of them is refused: which?
            alone = [differs(self.backend, p, settings) for _, p, _ in made]
            i, how = next(((k, d) for k, d in enumerate(alone) if d), (0, None))
        seed, program, _ = made[i]
        report(self.backend, seed, program, settings, found[1] + '\n-- stderr:\n' + stderr, how)
        return False


def run_all(runs, first, end):
    """False: there is a difference."""
    at = first
    while at < end:
        after = min((at // SPAN + 1) * SPAN, end)
        made = make_span(at, after - at)
        for run in runs:
            run.begin(made, settings_of(at))
            if not run.judge(after == end):
                return False
        if sys.stdout.isatty() or after % 1000 == 0:
            print('%d… %s' % (after, counts(runs)), file=sys.stderr, flush=True)
        at = after
    return True


def counts(runs):
    return ', '.join('%s %d' % (run.backend.runtime, run.ran) for run in runs)


def export(directory, first, count):
    made = [make(seed, str(seed), 512, portable=True)[:2] for seed in range(first, first + count)]
    with open(os.path.join(directory, 'script.stp'), 'w', encoding='latin-1') as f:
        f.write('// args: %s\n' % ' '.join(backends.options(backends.Settings(512, True))))
        f.write(''.join(text.program(p, i) for i, (p, _) in enumerate(made)) + 'probe begin(1000000) { exit() }\n')
    with open(os.path.join(directory, 'expected'), 'w', encoding='latin-1') as f:
        f.write(''.join(out for _, want in made for out, _ in want))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--stap', default='build/bin/stap')
    p.add_argument('--seeds', default='0:150')
    p.add_argument('--batch', type=int, help='programs in one script; default: 50, under bpf 10')
    p.add_argument('--runtimes', default='user')
    p.add_argument('--print', type=int, dest='one')
    p.add_argument('--export')
    a = p.parse_args()
    first, count = (int(x) for x in a.seeds.split(':'))
    if a.one is not None:
        program, want, _ = make(a.one, str(a.one), settings_of(a.one).max_string)
        print(text.program(program, 0))
        for out, error in want:
            print('--- prints\n' + out + ('--- and fails: %s' % error if error else ''))
        return 0
    if a.export:
        export(a.export, first, count)
        return 0
    # The C compiler takes most of the time: it is not what is judged.
    os.environ.setdefault('STAP_USER_CFLAGS', '-O0')
    with tempfile.TemporaryDirectory() as directory:
        os.environ['SYSTEMTAP_DIR'] = directory # the runtime is compiled once
        try:
            runs = [Run(backends.make(runtime, a.stap, directory), a.batch) for runtime in a.runtimes.split(',')]
        except backends.Failed as failed:
            print('run.py: %s' % failed, file=sys.stderr)
            return 2
        if not run_all(runs, first, first + count):
            return 1
    print('%d seeds, no difference; programs that ran: %s' % (count, counts(runs)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
