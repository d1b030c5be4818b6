# SPDX-License-Identifier: GPL-2.0-or-later
"""What a lot left behind: its books, checked against what was read, against the script's own count and each other."""
import json
import os
import re

BAD = re.compile(r'BUG|WARNING: |Oops|general protection|Call Trace|KASAN|UBSAN|lockdep|suspicious RCU|rcu.*stall|'
                 r'soft lockup|hard LOCKUP|hung_task|blocked for more than|unable to handle|list_(add|del) corruption')
SKIPPED = re.compile(r'^(.*?): (?:.*: )?([^:]*); skipped( \[man .*\])?$')
RECORDS = ('output', 'warning', 'error', 'log', 'command')
FIELDS = ('hits', 'delivered', 'dropped', 'skipped')


def pattern_of(path):
    """The points that a script of kinds/ is for."""
    return re.search(r'^// points: (.*)$', read(path), re.M).group(1)


def bad_lines(lines):
    return [re.sub(r'^\[[ 0-9.]*\] ?', '', l) for l in lines if BAD.search(l)]


def read(path):
    if not os.path.exists(path):
        return ''
    with open(path, errors='replace') as f:
        return f.read()


def trace(path):
    """The objects of a trace; a last line that was broken off is none."""
    for line in read(path).split('\n'):
        try:
            yield json.loads(line, strict=False)
        except ValueError:
            pass


def is_point(probe):
    return probe not in ('begin', 'end', 'error')


def wrong_books(rows, total, reasons, outputs, ran):
    """What does not agree, in words."""
    wrong = []
    if not total.get('final'):
        return ['no final total']
    for row in rows:
        if row['hits'] != row['delivered'] + row['dropped'] + row['skipped']:
            wrong.append('%s: %s' % (row['probe'], row))
    for field in FIELDS:
        if sum(row[field] for row in rows) != total[field]:
            wrong.append('total of %s is %d, not %d' % (field, total[field], sum(row[field] for row in rows)))
    if outputs != total['records']:
        wrong.append('%d records were read, %d are there' % (total['records'], outputs))
    handled = sum(row['delivered'] + row['dropped'] for row in rows if is_point(row['probe']))
    if sum(n for reason, n in reasons.items() if reason != 'stopping') != total['skipped']:
        wrong.append('reasons of skipped hits are %s, not %d' % (reasons, total['skipped']))
    if ran != handled:
        wrong.append('handlers ran %s times, %d are in the books' % (ran, handled))
    return wrong


def of_lot(out, lot, points, status):
    """The lot's figures and everything that is wrong with it."""
    base = os.path.join(out, lot)
    rows, total, outputs, ran, refused, reasons, errors = [], {}, 0, None, {}, {}, []
    for o in trace(base + '.json'):
        kind = o.get('type')
        # Warnings and errors of stapio itself are no records of the module: they have no CPU.
        outputs += kind in RECORDS and 'cpu' in o
        if kind == 'output':
            found = re.match(r'ran (\d+)$', o.get('text', ''))
            ran = int(found.group(1)) if found else ran
        elif kind == 'books':
            rows.append(o)
        elif kind == 'skipped':
            reasons[o['reason']] = o['hits']
        elif kind == 'total':
            total = o
        elif kind == 'warning' or kind == 'error':
            found = SKIPPED.match(o.get('text', '').strip())
            if found:
                refused[found.group(1)] = found.group(2)
            elif len(errors) < 20:
                errors.append(o.get('text', '').strip())
    times = [float(t) for t in read(base + '.times').split()]
    hit = {row['probe'] for row in rows if row['hits'] and is_point(row['probe'])}
    wrong = wrong_books(rows, total, reasons, outputs, ran)
    return {'lot': lot, 'points': points, 'status': status, 'hit': len(hit), 'hits': total.get('hits', 0),
            'delivered': total.get('delivered', 0), 'dropped': total.get('dropped', 0), 'skips': reasons,
            'records': total.get('records', 0), 'lost': total.get('lost', 0), 'refused': refused, 'messages': errors,
            'attach': round(times[1] - times[0], 2) if len(times) == 4 else None,
            'load': round(times[2] - times[1], 2) if len(times) == 4 else None,
            'detach': round(times[3] - times[2], 2) if len(times) == 4 else None,
            'bad': bad_lines(read(base + '.dmesg').split('\n')), 'wrong': wrong,
            'module_names': read(base + '.modules').split(),
            'modules_refused': read(base + '.refused').split(),
            'loading_bad': bad_lines(read(base + '.loading').split('\n'))}


def line(e):
    return '%s: %d points, %d refused, %d hit; %d hits, %d delivered, %d dropped, skipped %s; %d records; ' \
        'attach %s s, load %s s, detach %s s; status %s%s%s' % (
            e['lot'], e['points'], len(e['refused']), e['hit'], e['hits'], e['delivered'], e['dropped'],
            e['skips'], e['records'], e['attach'], e['load'], e['detach'], e['status'],
            ''.join('; BOOKS ' + w for w in e['wrong'][:3]), ''.join('; DMESG ' + b for b in e['bad'][:3]))
