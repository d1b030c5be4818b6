# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of the sweep, out of the results that lie below a directory."""
import collections
import glob
import json
import os
import re

import books

HEAD = '''# The sweep

`make sweep` writes this page. Every point of a kind is probed in lots while work is done (`tests/sweep/load`), and
prints its arguments or result for the first of each thousand hits; then all points of the kind are probed at once and
counted. Each time they are attached and detached again. Times are those of the guest's clock; guests are emulated
without KVM.

- **probed**: points of the list that took a probe, of those that were not left out. **hit**: those that the work passed.
- **skipped**: by reason, as the books say it; what came while the script was ending (stopping) is no hit.
- **books**: right when hits = delivered + dropped + skipped for every point, the sums agree, as many records were read
  as were written, and the script's own count of its handlers is that of the books.
- **dmesg**: lines about bugs, warnings, stalls and locks while the lot ran.
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
    for kind, about in sorted(result['kinds'].items()):
        seen = sum(e['points'] for e in runs if e['kind'] == kind and not e['lot'].endswith('_all'))
        left = sum(1 for e in result['left_out'] if e.get('kind') == kind)
        if seen + left < about['points']:
            yield ''
            yield 'Not reached in this run: %s of the %s points of `%s`.' % (
                number(about['points'] - seen - left), number(about['points']), about['pattern'])
    yield from not_probed(result, runs)


def short(point):
    """kernel.function("f").call: `f.call`"""
    found = re.match(r'kernel\.function\("(.*)"\)(.*)$', point)
    return '`%s`' % (found.group(1) + found.group(2) if found else point)


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
            yield '| %s | %s | %s |' % (reason, number(len(points)), ' '.join(sorted(short(p) for p in points)))
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
            yield '- %s: %s' % (e['lot'], text)
    refused = sorted({m for e in runs for m in e['modules_refused']})
    if any(e['modules'] for e in runs):
        yield ''
        yield 'Modules that the guest could not load, mostly for want of their device: %d.' % len(refused)


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
