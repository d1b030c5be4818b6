# SPDX-License-Identifier: GPL-2.0-or-later
"""
Random programs as trees, and their text in the tracing language.

A tree is a tuple, its kind first. `type` is 'd' (long) or 's' (string).

  expressions   ('num', n) ('str', s) ('var', name, type) ('elem', array, keys) ('bin', op, l, r) ('un', op, x)
                ('log', op, l, r) ('cond', c, a, b) ('cat', [x…]) ('cmps', op, l, r) ('set', place, op, x)
                ('step', place, op, is_prefix) ('in', array, keys) ('call', name, args) ('stat', op, agg)
                ('bucket', hist, agg, i) ('sprintf', fmt, args) ('sprint', args, delimiter, newline)
                ('sprinthist', hist, agg)
  keys          expressions, or None for '*'
  aggregates    ('var', name, 'q') or ('elem', array, keys)
  histograms    ('log',) or ('linear', low, high, width)
  statements    ('expr', x) ('block', [s…]) ('if', c, s, s or None) ('while', c, s) ('for', i, c, x, s)
                ('each', loop, s) ('break',) ('continue',) ('next',) ('return', x) ('delete', place) ('clear', array)
                ('try', s, variable or None, s) ('printf', fmt, args) ('print', args, delimiter, newline)
                ('printhist', hist, agg, newline) ('add', agg, x)
  loop          dict: array, keys, value, sort (None, or ('key', i, '+'), ('value', '+'), ('stat', op, '+')), slice, limit;
                or buckets: hist, agg, keys
"""

LEVEL = {'set': 1, 'cond': 2, 'cat': 11, 'un': 14, 'step': 15, 'in': 8}
BINARY = {'||': 3, '&&': 4, '|': 5, '^': 6, '&': 7, '<': 9, '>': 9, '<=': 9, '>=': 9, '==': 9, '!=': 9,
          '<<': 10, '>>': 10, '>>>': 10, '+': 12, '-': 12, '*': 13, '/': 13, '%': 13}
PRIMARY = 16


def level(x):
    if x[0] in ('bin', 'log', 'cmps'):
        return BINARY[x[1]]
    if x[0] == 'num' and x[1] < 0:
        return 12 if x[1] == -2**63 else 14
    return LEVEL.get(x[0], PRIMARY)


def quote(s):
    escapes = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t'}
    return '"' + ''.join(escapes.get(c, c) for c in s) + '"'


def at_least(x, n):
    t = expr(x)
    return t if level(x) >= n else '(' + t + ')'


def key_list(keys):
    return ', '.join('*' if k is None else expr(k) for k in keys)


def hist_text(hist, agg):
    if hist[0] == 'log':
        return '@hist_log(%s)' % expr(agg)
    return '@hist_linear(%s, %d, %d, %d)' % ((expr(agg),) + hist[1:])


def args_text(args):
    return ', '.join(expr(a) for a in args)


def print_text(name, args, delimiter, newline):
    name += ('d' if delimiter is not None else '') + ('ln' if newline else '')
    head = [quote(delimiter)] if delimiter is not None else [expr(args[0])]
    rest = args if delimiter is not None else args[1:]
    if head[0].startswith('@hist'):  # SystemTap takes this for the picture of a histogram
        head[0] = '(%s)' % head[0]
    return '%s(%s)' % (name, ', '.join(head + [expr(a) for a in rest]))


def number(n):
    if n == -2**63:
        return '-9223372036854775807 - 1'
    return str(n) if n < 0 or n % 3 else (hex(n) if n % 2 else str(n))


def expr(x):
    kind = x[0]
    if kind == 'num':
        return number(x[1])
    if kind == 'str':
        return quote(x[1])
    if kind == 'var':
        return x[1]
    if kind == 'elem':
        return '%s[%s]' % (x[1], key_list(x[2]))
    if kind in ('bin', 'log', 'cmps'):
        n = BINARY[x[1]]
        return '%s %s %s' % (at_least(x[2], n), x[1], at_least(x[3], n + 1))
    if kind == 'un':
        return x[1] + ' ' * (x[1] in '+-') + at_least(x[2], 15)
    if kind == 'cond':
        return '%s ? %s : %s' % (at_least(x[1], 3), at_least(x[2], 3), at_least(x[3], 3))
    if kind == 'cat':
        return ' . '.join(at_least(y, 12) for y in x[1])
    if kind == 'set':
        return '%s %s= %s' % (expr(x[1]), x[2], at_least(x[3], 2))
    if kind == 'step':
        return x[2] + expr(x[1]) if x[3] else expr(x[1]) + x[2]
    if kind == 'in':
        return '[%s] in %s' % (', '.join('*' if k is None else at_least(k, 9) for k in x[2]), x[1])
    if kind == 'call':
        return '%s(%s)' % (x[1], args_text(x[2]))
    if kind == 'stat':
        return '@%s(%s)' % (x[1], expr(x[2]))
    if kind == 'bucket':
        return '%s[%s]' % (hist_text(x[1], x[2]), expr(x[3]))
    if kind == 'sprintf':
        return 'sprintf(%s)' % ', '.join([quote(x[1])] + [expr(a) for a in x[2]])
    if kind == 'sprint':
        return print_text('sprint', *x[1:])
    if kind == 'sprinthist':
        return 'sprint(%s)' % hist_text(x[1], x[2])
    raise ValueError(kind)


def sorted_name(name, sort, i):
    return name + (sort[-1] if sort and sort[0] == 'key' and sort[1] == i else '')


def loop_text(loop):
    sort = loop.get('sort')
    keys = ', '.join(sorted_name(k, sort, i) for i, k in enumerate(loop['keys']))
    keys = '[%s]' % keys if len(loop['keys']) > 1 else keys
    head = ''
    if loop.get('value'):
        head = loop['value'] + (sort[1] if sort and sort[0] == 'value' else '') + ' = '
    if 'hist' in loop:
        over = hist_text(loop['hist'], loop['agg'])
    else:
        over = loop['array']
        if loop.get('slice'):
            over += '[%s]' % key_list(loop['slice'])
        if sort and sort[0] == 'stat':
            over += ' @%s %s' % sort[1:]
        elif sort and sort[0] == 'value' and not loop.get('value'):
            over += sort[1]
    limit = ' limit (%s)' % expr(loop['limit']) if loop.get('limit') else ''
    return 'foreach (%s%s in %s%s)' % (head, keys, over, limit)


def statement(s, depth=1):
    tab = '\t' * depth
    kind = s[0]
    if kind == 'block':
        return tab + '{\n' + ''.join(statement(x, depth + 1) for x in s[1]) + tab + '}\n'
    if kind == 'if':
        t = tab + 'if (%s)\n' % expr(s[1]) + statement(braced(s[2]), depth)
        return t + (tab + 'else\n' + statement(braced(s[3]), depth) if s[3] else '')
    if kind == 'while':
        return tab + 'while (%s)\n' % expr(s[1]) + statement(s[2], depth + 1)
    if kind == 'for':
        return tab + 'for (%s; %s; %s)\n' % tuple(expr(x) for x in s[1:4]) + statement(s[4], depth + 1)
    if kind == 'each':
        return tab + loop_text(s[1]) + '\n' + statement(s[2], depth + 1)
    if kind == 'try':
        catch = ' (%s)' % s[2] if s[2] else ''
        return tab + 'try\n' + statement(braced(s[1]), depth) + tab + 'catch%s\n' % catch + \
            statement(braced(s[3]), depth)
    simple = {
        'expr': lambda: expr(s[1]), 'break': lambda: 'break', 'continue': lambda: 'continue', 'next': lambda: 'next',
        'return': lambda: 'return ' + expr(s[1]), 'delete': lambda: 'delete ' + expr(s[1]),
        'clear': lambda: 'delete ' + s[1], 'add': lambda: '%s <<< %s' % (expr(s[1]), at_least(s[2], 2)),
        'printf': lambda: 'printf(%s)' % ', '.join([quote(s[1])] + [expr(a) for a in s[2]]),
        'print': lambda: print_text('print', *s[1:]),
        'printhist': lambda: 'print%s(%s)' % ('ln' if s[3] else '', hist_text(s[1], s[2])),
    }
    return tab + simple[kind]() + ';\n'


def braced(s):
    return s if s[0] == 'block' else ('block', [s])


def declaration(g):
    kind, name = g['kind'], g['name']
    if kind == 'array':
        return name + ('%' if g['wrap'] else '') + '[%d]' % g['size']
    if kind == 'stat' or g['init'] is None:
        return name
    init = g['init']
    if isinstance(init, str):
        return name + ' = ' + quote(init)
    return name if init == -2**63 else '%s = %d' % (name, init)


def function(f):
    types = {'d': ':long', 's': ':string'}
    params = ', '.join(n + types[t] for n, t in f['params'])
    return 'function %s%s(%s)%s\n' % (f['name'], types[f['type']], params, f['priority']) + statement(f['body'], 0)


def program(p, order):
    """The text; `order` numbers its probes, so that many programs run one after the other."""
    parts = ['global ' + ', '.join(declaration(g) for g in p['globals']) + '\n']
    parts += [function(f) for f in p['functions']]
    for i, body in enumerate(p['probes']):
        parts.append('probe begin(%d)\n' % (order * len(p['probes']) + i) + statement(body, 0))
    return ''.join(parts)
