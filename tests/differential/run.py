#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Random programs, judged by an evaluator of their own.

  run.py [--stap PATH] [--seeds FROM:COUNT] [--batch N] [--runtimes user,bpf]
                                                                    differences end it, the first one shrunk
  run.py --print SEED                                               a program's text, and what it has to print
  run.py --export DIR --seeds FROM:COUNT                            a script of them, and DIR/expected, for SystemTap itself
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import evaluate
import generate
import shrink
import text

NESTING = 20
STRINGS = (40, 64, 512)
SHRINK_SECONDS = 40
MOST_STEPS = 1500  # far below MAXACTION: what a statement costs is no part of the language
sys.setrecursionlimit(10000)


def expected(program, max_string):
    return evaluate.Evaluator(program, max_string, NESTING, MOST_STEPS).run()


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


def options(max_string, unoptimised=True):
    return ['-u'] * unoptimised + ['-DMAXSTRINGLEN=%d' % max_string, '-DMAXNESTING=%d' % NESTING, '-DMAXERRORS=1000000', '-w']


def run_script(stap, runtime, script, max_string, unoptimised, directory):
    path = os.path.join(directory, 'script.stp')
    with open(path, 'w', encoding='latin-1') as f:
        f.write(script + 'probe begin(1000000) { exit() }\n')
    done = subprocess.run([stap, '--runtime=' + runtime] + options(max_string, unoptimised) + [path], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    return done.stdout.decode('latin-1'), done.stderr.decode('latin-1')


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


def differs(stap, runtime, program, max_string, unoptimised, directory):
    """How the program alone differs, or None."""
    try:
        before = evaluate.ScriptError.raised
        want = expected(program, max_string)
        if not unoptimised and evaluate.ScriptError.raised != before:
            return None
    except (evaluate.TooLong, KeyError, TypeError):
        return None
    stdout, stderr = run_script(stap, runtime, text.program(program, 0), max_string, unoptimised, directory)
    if 'Pass 2: analysis failed' in stderr or 'Pass 1: parse failed' in stderr:
        return 'REFUSED ' + stderr
    found = judge([want], stdout, stderr)
    return found[1] + '\n-- stderr:\n' + stderr if found else None


def kind_of(how):
    """What stays the same while a program is made smaller."""
    refusal = re.search(r': error: ([^\n\']*)', how)
    return refusal.group(1) if how.startswith('REFUSED') and refusal else how.split('\n')[0].split(' ')[0]


def report(stap, runtime, program, max_string, unoptimised, directory, seed):
    how = differs(stap, runtime, program, max_string, unoptimised, directory)
    if how is None:
        print('seed %d: a difference that the program alone does not show' % seed)
        return
    print('-- seed %d, --runtime=%s %s: %s' % (seed, runtime, ' '.join(options(max_string, unoptimised)), how))
    kind, end = kind_of(how), time.monotonic() + SHRINK_SECONDS

    def still(p):
        if time.monotonic() > end:
            return False
        d = differs(stap, runtime, p, max_string, unoptimised, directory)
        return d is not None and kind_of(d) == kind
    small = shrink.shrink(program, still)
    print('-- made smaller:')
    print(text.program(small, 0))
    print(differs(stap, runtime, small, max_string, unoptimised, directory))


def run_batch(stap, runtimes, first, count, directory):
    """Batches in turn with -u, and without: the optimiser may leave out what nobody uses, errors of it included, so that
    programs that raise some are left out there."""
    unoptimised = first // count % 2 == 1
    max_string = STRINGS[first // count % len(STRINGS)]
    made = [(seed,) + make(seed, str(seed), max_string) for seed in range(first, first + count)]
    made = [(seed, p, want) for seed, p, want, raises in made if unoptimised or not raises]
    script = ''.join(text.program(p, i) for i, (_, p, _) in enumerate(made))
    return all(run_made(stap, runtime, made, script, max_string, unoptimised, directory) for runtime in runtimes)


def run_made(stap, runtime, made, script, max_string, unoptimised, directory):
    stdout, stderr = run_script(stap, runtime, script, max_string, unoptimised, directory)
    found = judge([w for _, _, w in made], stdout, stderr)
    if found is None:
        return True
    i = found[0]
    if 'analysis failed' in stderr:  # one of them is refused: which?
        alone = [differs(stap, runtime, p, max_string, unoptimised, directory) for _, p, _ in made]
        i = next((k for k, d in enumerate(alone) if d), 0)
    report(stap, runtime, made[i][1], max_string, unoptimised, directory, made[i][0])
    return False


def export(directory, first, count):
    made = [make(seed, str(seed), 512, portable=True)[:2] for seed in range(first, first + count)]
    with open(os.path.join(directory, 'script.stp'), 'w', encoding='latin-1') as f:
        f.write('// args: %s\n' % ' '.join(options(512)))
        f.write(''.join(text.program(p, i) for i, (p, _) in enumerate(made)) + 'probe begin(1000000) { exit() }\n')
    with open(os.path.join(directory, 'expected'), 'w', encoding='latin-1') as f:
        f.write(''.join(out for _, want in made for out, _ in want))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--stap', default='build/bin/stap')
    p.add_argument('--seeds', default='0:150')
    p.add_argument('--batch', type=int, help='programs in one script; default: 50, under bpf what its verifier takes: 10')
    p.add_argument('--runtimes', default='user')
    p.add_argument('--print', type=int, dest='one')
    p.add_argument('--export')
    a = p.parse_args()
    a.batch = a.batch or (10 if 'bpf' in a.runtimes.split(',') else 50)
    first, count = (int(x) for x in a.seeds.split(':'))
    if a.one is not None:
        program, want, _ = make(a.one, str(a.one), STRINGS[a.one // a.batch % len(STRINGS)])
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
        for at in range(first, first + count, a.batch):
            if not run_batch(a.stap, a.runtimes.split(','), at, min(a.batch, first + count - at), directory):
                return 1
            if sys.stdout.isatty() or (at - first) % 1000 == 0:
                print('%d…' % (at + a.batch), file=sys.stderr, flush=True)
    print('%d programs, no difference under --runtime=%s' % (count, a.runtimes))
    return 0


if __name__ == '__main__':
    sys.exit(main())
