# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of the sweep, out of the results that lie below a directory."""
import collections
import glob
import json
import os
import re

import books

HERE = os.path.dirname(os.path.realpath(__file__))
NAMES_MOST = 100 # of a reason
HEAD = '''# The sweep

`make sweep` writes this page. Every point of a kind is probed in lots while work is done (`tests/sweep/load`), and
prints its arguments or result for the first of each thousand hits; then all points of the kind are probed at once and
counted. Each time they are attached and detached again. Times are those of the guest's clock, which goes on while an
emulated guest (a machine without KVM) waits for its processor.

- **probed**: points of the list that took a probe, of those that were not left out. **hit**: those that the work passed.
- **skipped**: by reason, as the books say it; what came while the script was ending (stopping) is no hit.
- **books**: right when hits = delivered + dropped + skipped for every point, the sums agree, as many records were read
  as were written, and the script's own count of its handlers is that of the books.
- **dmesg**: lines about bugs, warnings, stalls and locks while the lot ran, and their traces; they stand below.
'''


def number(n):
    return '{:,}'.format(n)


def seconds(values):
    known = [v for v in values if v is not None]
    return '%.1f' % max(known) if known else '-'


def reasons(entries):
    total = collections.Counter()
    for e in entries:
        total.update(e['skips'])
    return ', '.join('%s %s' % (number(n), reason) for reason, n in sorted(total.items())) or '0'


def row(name, entries):
    points = sum(e['points'] for e in entries)
    refused = sum(len(e['refused']) for e in entries)
    wrong = sum(bool(e['wrong']) for e in entries)
    return '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s · %s | %s | %d |' % (
        name, number(len(entries)), number(points), number(points - refused), number(sum(e['hit'] for e in entries)),
        number(sum(e['hits'] for e in entries)), number(sum(e['dropped'] for e in entries)), reasons(entries),
        number(sum(e['records'] for e in entries)), seconds(e['attach'] for e in entries),
        seconds(e['detach'] for e in entries), 'right' if not wrong else '%d lots wrong' % wrong,
        sum(len(e['bad']) for e in entries))


def of_kernel(result):
    yield '## Kernel %s' % result['release']
    yield ''
    runs = [e for e in result['lots'] if 'died' not in e]
    yield '| kind | lots | points | probed | hit | hits | dropped | skipped | records | attach · detach, longest, s ' \
        '| books | dmesg |'
    yield '|---|---|---|---|---|---|---|---|---|---|---|---|'
    for kind, about in sorted(result['kinds'].items()):
        lots = [e for e in runs if e['kind'] == kind and not e['lot'].endswith('_all')]
        whole = [e for e in runs if e['kind'] == kind and e['lot'].endswith('_all')]
        if lots:
            yield row('`%s`' % about['pattern'], lots)
        if whole:
            yield row('the same, at once', whole)
    yield from not_reached(result, runs)
    yield from not_probed(result, runs)


def short(point):
    """kernel.function("f").call: `f.call`"""
    found = re.match(r'kernel\.function\("(.*)"\)(.*)$', point)
    return '`%s`' % (found.group(1) + found.group(2) if found else point)


def not_reached(result, runs):
    for path in sorted(glob.glob(os.path.join(HERE, 'kinds/*.stp'))):
        kind = os.path.basename(path)[:-len('.stp')]
        about = result['kinds'].get(kind)
        if not about:
            yield ''
            yield 'Not run on this kernel: `%s`.' % books.pattern_of(path)
            continue
        entries = [e for e in runs if e['kind'] == kind]
        seen = sum(e['points'] for e in entries if not e['lot'].endswith('_all'))
        seen += sum(1 for e in result['left_out'] if e['kind'] == kind)
        if seen < about['points']:
            yield ''
            yield 'Not reached in this run: %s of the %s points of `%s`.' % (
                number(about['points'] - seen), number(about['points']), about['pattern'])
        if not any(e['lot'].endswith('_all') for e in entries):
            yield ''
            yield 'Not probed at once in this run: `%s`.' % about['pattern']


def first_names(points):
    """As many as a reader looks at; DIR/RELEASE/*.refused has all of them."""
    listed = sorted(short(p) for p in points)
    more = len(listed) - NAMES_MOST
    return ' '.join(listed[:NAMES_MOST]) + (' and %s more' % number(more) if more > 0 else '')


def not_probed(result, runs):
    refused = collections.defaultdict(set)
    for e in runs:
        for point, reason in e['refused'].items():
            refused[reason].add(point)
    if refused:
        yield ''
        yield '| refused by the running kernel | points | which |'
        yield '|---|---|---|'
        for reason, points in sorted(refused.items()):
            yield '| %s | %s | %s |' % (reason, number(len(points)), first_names(points))
    if result['left_out']:
        yield ''
        yield '| left out | reason |'
        yield '|---|---|'
        for e in result['left_out']:
            yield '| `%s` | %s |' % (e['point'], e['reason'])
    died = [e for e in result['lots'] if 'died' in e]
    if died:
        yield ''
        yield '| lots in which the guest died | points | its last words |'
        yield '|---|---|---|'
        for e in died:
            yield '| %s | %s | %s |' % (e['lot'], number(e['points']), e['died'])
    for e in runs:
        for text in e['wrong'] + e['bad']:
            yield ''
            yield '- %s, %s points: %s' % (e['lot'], number(e['points']), text)
    refused = sorted({m for e in runs for m in e['modules_refused']})
    if any(e['module_names'] for e in runs):
        yield ''
        names = {m for e in runs for m in e['module_names']}
        yield 'Modules: %d were loaded, %d could not be, mostly for want of their device; lines about bugs while they ' \
            'were loaded: %d.' % (len(names) - len(refused), len(refused), sum(len(e['loading_bad']) for e in runs))


def write(out, to):
    print(HEAD, file=to)
    for path in sorted(glob.glob(os.path.join(out, '*/result.json'))):
        with open(path) as f:
            result = json.load(f)
            for e in result['lots']:
                if 'died' not in e:
                    e.update(books.of_lot(os.path.dirname(path), e['lot'], e['points'], e['status']))
            for line in of_kernel(result):
                print(line, file=to)
        print(file=to)
