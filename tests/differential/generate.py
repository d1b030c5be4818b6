# SPDX-License-Identifier: GPL-2.0-or-later
"""
Random well-typed programs, as trees of text.py. The same seed gives the same program.

A program has globals of all kinds, functions (plain, recursive, overloaded), a probe of random statements and a second one that
prints what all globals hold. Loops end by themselves: their counters are nobody else's.
"""
import random

OPS = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>', '<', '>', '<=', '>=', '==', '!=']
COMPARE = ['<', '>', '<=', '>=', '==', '!=']
SPECIAL = [0, 1, -1, 2, 3, 7, 10, 63, 64, 255, 2**31, 2**32 - 1, 2**62, 2**63 - 1, -2**63, -2**31, -7]
STATS = ['count', 'sum', 'min', 'max', 'avg', 'variance']
WORDS = ['', 'a', 'b', 'ab', 'abc', 'B', 'z%', '0', '-5', 'x y', 'q"', '\\', 'a\n', '~t']
HISTS = [('log',), ('linear', 0, 100, 10), ('linear', -50, 45, 7)]


class Generator:
    def __init__(self, seed, id, portable=False):
        self.r = random.Random(seed)
        self.id = id                # distinguishes the names of programs that share a script
        self.portable = portable    # nothing where SystemTap's own answer depends on the processor
        self.serial = 0
        self.scalars = {'d': [], 's': []}
        self.writable = {'d': [], 's': []}
        self.busy = set()           # arrays that a loop runs over
        self.in_loop = self.in_function = False
        self.functions, self.callable = [], []

    def name(self, prefix):
        self.serial += 1
        return '%s%s_%d' % (prefix, self.id, self.serial)

    def chance(self, percent):
        return self.r.randrange(100) < percent

    # ---- expressions ----

    def number(self):
        if self.chance(70):
            return self.r.randrange(-3, 12)
        return self.r.choice(SPECIAL)

    def leaf(self, kind):
        if self.scalars[kind] and self.chance(65):
            return ('var', self.r.choice(self.scalars[kind]), kind)
        return ('num', self.number()) if kind == 'd' else ('str', self.r.choice(WORDS))

    def small(self):
        return ('num', self.r.randrange(0, 5))

    def expr(self, kind, depth):
        if depth <= 0 or self.chance(15):
            return self.leaf(kind)
        return self.long(depth - 1) if kind == 'd' else self.string(depth - 1)

    def shift_count(self, depth):
        if not self.portable:
            count = self.expr('d', depth)
            if count[0] == 'un' and count[2][0] == 'num':
                count = count[2]
            return ('num', abs(count[1])) if count[0] == 'num' else count # a negative literal is refused
        return ('bin', '&', self.expr('d', depth), ('num', 63))

    def binary(self, depth):
        op = self.r.choice(OPS)
        left = self.expr('d', depth)
        right = self.shift_count(depth) if op in ('<<', '>>', '>>>') else self.expr('d', depth)
        if op in '/%' and self.chance(80):
            right = ('bin', '|', right, ('num', 1))
        return ('bin', op, left, right)

    def place(self, kind, depth):
        arrays = [a for a in self.arrays_of(kind) if a['name'] not in self.busy]
        if arrays and self.chance(40):
            a = self.r.choice(arrays)
            return ('elem', a['name'], self.keys(a, depth))
        return ('var', self.r.choice(self.writable[kind]), kind)

    def assignment(self, kind, depth):
        place = self.place(kind, depth)
        if kind == 's':
            return ('set', place, self.r.choice(['', '.', '']), self.expr('s', depth))
        if self.chance(25):
            return ('step', place, self.r.choice(['++', '--']), self.chance(50))
        op = self.r.choice(['', '', '', '+', '-', '*', '&', '|', '^', '/', '%', '<<', '>>'])
        x = self.shift_count(depth) if op in ('<<', '>>') else self.expr('d', depth)
        if op and op in '/%' and self.chance(80):
            x = ('bin', '|', x, ('num', 1))
        return ('set', place, op, x)

    # ---- strings made of what they are assigned to: where the result lies may be where it is read from ----

    def plain_place(self):
        """A string's place that means the same each time it is written down."""
        arrays = [a for a in self.arrays_of('s') if a['name'] not in self.busy]
        if arrays and self.chance(40):
            a = self.r.choice(arrays)
            return ('elem', a['name'], [self.key(k, 0) for k in a['keys']])
        return ('var', self.r.choice(self.writable['s']), 's')

    def of_itself(self, place, depth):
        """An expression with the place's value in it, once or several times, at any depth."""
        if depth <= 0 or self.chance(10):
            return place
        inner, other = self.of_itself(place, depth - 1), self.expr('s', 1)
        pick = self.r.randrange(10)
        if pick < 3:
            args = [inner if self.chance(50) else self.expr('s', 1) for _ in range(self.r.randrange(0, 2))] + [inner]
            return ('sprintf', ''.join(self.r.choice(['%s', '<%s>', '%.3s', '%6s,', '%-4s|']) for _ in args), args)
        if pick < 5:
            return ('cat', self.r.choice([[inner, other], [other, inner], [other, inner, inner], [place, inner]]))
        if pick < 6:
            return ('cond', self.expr('d', 1), *self.r.choice([(inner, other), (other, inner), (inner, place)]))
        if pick < 7:
            return ('sprint', [self.expr('d', 1), inner, other], None, False)
        if pick < 8:
            able = [f for f in self.callable if f['type'] == 's' and not (self.busy and f['writes']) and not f['recursive']]
            if able and self.chance(70):
                f = self.r.choice(able)
                return ('call', f['name'], [inner if t == 's' else self.expr(t, 1) for _, t in f['params']])
            return ('call', 'str_replace', self.r.choice([[inner, ('str', self.r.choice(WORDS[1:])), inner], [other, ('str', 'a'), inner]]))
        if pick < 9:
            return ('call', 'substr', [inner, self.small(), self.r.choice([self.small(), ('call', 'strlen', [place])])])
        target = place if self.chance(50) else self.plain_place()
        return ('cat', [('set', target, self.r.choice(['', '.']), inner), place])

    def aliased(self):
        place = self.plain_place()
        if self.chance(30):
            a = [a for a in self.arrays_of('s') if a['name'] not in self.busy and 's' in a['keys']]
            if a:  # by a key that the value is made of, or the other way
                place = ('elem', a[0]['name'], [place if k == 's' else self.key(k, 0) for k in a[0]['keys']])
        return ('set', place, self.r.choice(['', '', '.']), self.of_itself(place, 3))

    def long(self, depth):
        pick = self.r.randrange(100)
        if pick < 40:
            return self.binary(depth)
        if pick < 48:
            return ('un', self.r.choice('-+~!'), self.expr('d', depth))
        if pick < 56:
            return ('log', self.r.choice(['&&', '||']), self.expr('d', depth), self.expr('d', depth))
        if pick < 62:
            return ('cond', self.expr('d', depth), self.expr('d', depth), self.expr('d', depth))
        if pick < 68:
            return ('cmps', self.r.choice(COMPARE), self.expr('s', depth), self.expr('s', depth))
        if pick < 75:
            return self.assignment('d', depth)
        if pick < 81:
            return self.element('d', depth)
        if pick < 85:
            a = self.r.choice(self.all_arrays)
            return ('in', a['name'], self.keys(a, depth, wild=True))
        if pick < 91:
            return self.call('d', depth)
        if pick < 94:
            return self.r.choice([('call', 'strlen', [self.expr('s', depth)]),
                                  ('call', 'isinstr', [self.expr('s', depth), self.expr('s', depth)])])
        if pick < 98:
            return self.statistic(depth)
        a = self.hist_aggregate(depth)
        return ('bucket', a[0], a[1], self.bucket_index(depth))

    def bucket_index(self, depth):
        return ('num', self.r.choice([0, 1, 2, 5, 11, 12, 63, 64, 65, 66, 67])) if self.chance(80) else self.expr('d', depth)

    def string(self, depth):
        pick = self.r.randrange(100)
        if pick < 35:
            return ('cat', [self.expr('s', depth) for _ in range(self.r.randrange(2, 4))])
        if pick < 45:
            return ('cond', self.expr('d', depth), self.expr('s', depth), self.expr('s', depth))
        if pick < 55:
            return self.assignment('s', depth)
        if pick < 65:
            return self.element('s', depth)
        if pick < 75:
            return ('sprintf',) + self.formatted(depth)
        if pick < 82:
            return ('sprint', *self.print_list(depth))
        if pick < 90:
            return self.call('s', depth)
        if pick < 93:
            return ('call', 'str_replace', [self.expr('s', depth), ('str', self.r.choice(WORDS[1:])), self.expr('s', depth)])
        if pick < 95:
            return ('sprinthist', *self.hist_aggregate(depth))
        return ('call', 'substr', [self.expr('s', depth), self.small(), self.expr('d', depth)])

    def element(self, kind, depth):
        arrays = self.arrays_of(kind)
        if not arrays:
            return self.leaf(kind)
        a = self.r.choice(arrays)
        return ('elem', a['name'], self.keys(a, depth))

    def arrays_of(self, kind):
        return [a for a in self.all_arrays if a['value'] == kind]

    def key(self, kind, depth):
        if kind == 'd':
            return ('num', self.r.randrange(0, 4)) if self.chance(70) else self.expr('d', depth)
        return ('str', self.r.choice(WORDS[:6])) if self.chance(70) else self.expr('s', depth)

    def keys(self, a, depth, wild=False):
        keys = [self.key(k, depth - 1) for k in a['keys']]
        if wild:
            keys = [None if self.chance(30) else k for k in keys]
        return keys

    def aggregate(self, depth, changing=False):
        arrays = [a for a in self.arrays_of('q') if not (changing and a['name'] in self.busy)]
        if arrays and self.chance(60):
            a = self.r.choice(arrays)
            return ('elem', a['name'], self.keys(a, depth)), a['hist']
        s = self.r.choice(self.stats)
        return ('var', s['name'], 'q'), s['hist']

    def statistic(self, depth):
        op = self.r.choice(STATS)
        agg = self.aggregate(depth)[0]
        read = ('stat', op, agg)
        if op in ('count', 'sum') or self.chance(25):
            return read
        return ('cond', ('stat', 'count', agg), read, ('num', -1)) if self.pure(agg) else read

    def pure(self, agg):
        return agg[0] == 'var' or all(k[0] in ('num', 'str', 'var') for k in agg[2])

    def hist_aggregate(self, depth):
        agg, hist = self.aggregate(depth)
        return hist, agg

    def call(self, kind, depth):
        able = [f for f in self.callable if f['type'] == kind and not (self.busy and f['writes'])]
        if not able:
            return self.leaf(kind)
        f = self.r.choice(able)
        args = [self.expr(t, depth) for _, t in f['params']]
        if f['recursive']:
            args[0] = ('num', self.r.choice([0, 1, 2, 4, 6])) if self.chance(95) else ('num', 100)
        return ('call', f['name'], args)

    # ---- printing ----

    def directive(self, depth):
        kind = self.r.choice('dddiuxXocspss')
        flag = self.r.choice(['', '', '', '-', '0' if kind not in 'scp' else '', '+' if kind in 'di' else '',
                              ' ' if kind in 'di' else '', '#' if kind in 'xXo' else ''])
        width = self.r.choice(['', '', '', '1', '6', '12', '*'])
        precision = self.r.choice(['', '', '', '.0', '.2', '.5', '.*']) if kind == 's' else ''
        args = [self.small()] * ((width == '*') + (precision == '.*'))
        if kind == 's':
            value = self.expr('s', depth)
        elif kind == 'c':
            value = ('num', self.r.randrange(33, 127))
        else:
            value = self.expr('d', depth)
        return '%' + flag + width + precision + kind, args + [value]

    def formatted(self, depth):
        fmt, args = '', []
        for _ in range(self.r.randrange(1, 4)):
            text, more = self.directive(depth)
            fmt += text + self.r.choice([' ', '|', '%%', ','])
            args += more
        return fmt, args

    def print_list(self, depth):
        args = [self.expr(self.r.choice('ds'), depth) for _ in range(self.r.randrange(1, 4))]
        delimiter = self.r.choice([None, None, ',', '--'])
        if delimiter is not None and len(args) < 2:
            args.append(self.leaf('d'))
        return args, delimiter, self.chance(30)

    # ---- statements ----

    def block(self, depth, n=None):
        return ('block', [self.statement(depth) for _ in range(n or self.r.randrange(1, 4))])

    def statement(self, depth):
        pick = self.r.randrange(100)
        if depth <= 0:
            pick = pick % 55
        if pick < 14:
            return ('expr', self.assignment(self.r.choice('ddds'), 2))
        if pick < 20:
            return ('expr', self.aliased())
        if pick < 30:
            args, delimiter, _ = self.print_list(3)
            return ('print', args, delimiter, True)
        if pick < 37:
            fmt, args = self.formatted(3)
            return ('printf', fmt + '\n', args)
        if pick < 47:
            agg, _ = self.aggregate(1, changing=True)
            if agg[0] == 'elem' and agg[1] in self.busy:
                return ('expr', self.leaf('d'))
            return ('add', agg, ('num', self.number() % 2**31) if self.chance(60) else
                    ('bin', '%', self.expr('d', 2), ('num', 1000)))
        if pick < 51:
            return self.delete()
        if pick < 53:
            return ('expr', self.call(self.r.choice('ds'), 2))
        if pick < 55:
            return self.leave()
        if pick < 67:
            return ('if', self.expr('d', 2), self.block(depth - 1), self.block(depth - 1) if self.chance(50) else None)
        if pick < 77:
            return self.counted(depth)
        if pick < 90:
            return self.each(depth)
        if pick < 98:
            return self.caught(depth)
        hist, agg = self.hist_aggregate(1)
        return ('if', ('stat', 'count', agg), ('printhist', hist, agg, self.chance(50)), None) if self.pure(agg) \
            else ('printhist', hist, agg, False)

    def leave(self):
        if self.in_loop and self.chance(60):
            return ('if', self.expr('d', 1), (self.r.choice(['break', 'continue']),), None)
        if self.in_function:
            return ('if', self.expr('d', 1), ('return', self.expr(self.in_function, 1)), None)
        if self.chance(20):
            return ('if', self.expr('d', 1), ('next',), None)
        if self.chance(10):
            return ('if', ('bin', '==', self.leaf('d'), self.leaf('d')), ('while', ('num', 1), ('block', [])), None)
        if self.chance(30):
            return ('if', self.expr('d', 1), ('expr', ('call', 'error', [self.expr('s', 1)])), None)
        return ('expr', self.assignment('d', 2))

    def delete(self):
        pick = self.r.randrange(5)
        arrays = [a for a in self.all_arrays if a['name'] not in self.busy]
        if pick < 3 and arrays:
            a = self.r.choice(arrays)
            return ('delete', ('elem', a['name'], self.keys(a, 1, wild=pick == 2)))
        if pick == 3 and arrays and self.chance(40):
            return ('clear', self.r.choice(arrays)['name'])
        if self.chance(30):
            return ('delete', ('var', self.r.choice(self.stats)['name'], 'q'))
        kind = self.r.choice('ds')
        names = [n for n in self.writable[kind] if not n.startswith('p')]  # parameters cannot be deleted
        return ('delete', ('var', self.r.choice(names), kind))

    def loop_body(self, depth):
        outer, self.in_loop = self.in_loop, True
        body = self.block(depth - 1)
        self.in_loop = outer
        return body

    def counted(self, depth):
        i = ('var', self.local('d', counter=True), 'd')
        start, test = ('set', i, '', ('num', 0)), ('bin', '<', i, ('num', self.r.randrange(0, 6)))
        if self.chance(50):
            return ('for', start, test, ('step', i, '++', self.chance(50)), self.loop_body(depth))
        body = ('block', [('expr', ('step', i, '++', False))] + self.loop_body(depth)[1])
        return ('block', [('expr', start), ('while', test, body)])

    def each(self, depth):
        if self.chance(6):
            hist, agg = self.hist_aggregate(1)
            b = self.local('d')
            if self.pure(agg):
                shown = ('cond', ('stat', 'count', agg), ('bucket', hist, agg, ('var', b, 'd')), ('num', -1))
                body = ('if', shown, ('printf', '%d:%d\n', [('var', b, 'd'), shown]), None)
                return ('each', {'hist': hist, 'agg': agg, 'keys': [b]}, ('block', [body]))
        a = self.r.choice(self.all_arrays)
        loop = {'array': a['name'], 'keys': [self.local(k) for k in a['keys']]}
        if a['value'] != 'q' and self.chance(40):
            loop['value'] = self.local(a['value'])
        loop['sort'] = self.sort(a)
        if self.chance(25) and not self.portable:
            loop['slice'] = self.keys(a, 1, wild=True)
        if self.chance(25):
            loop['limit'] = self.small() if self.chance(70) else self.expr('d', 1)
        show = ('print', [('var', n, k) for n, k in zip(loop['keys'], a['keys'])] + [('str', '.')], ',', True)
        outer, self.busy = self.busy, self.busy | {a['name']}
        body = ('block', [show] + (self.loop_body(depth)[1] if self.chance(60) else []))
        self.busy = outer
        return ('each', loop, body)

    def sort(self, a):
        sign = self.r.choice('+-')
        pick = self.r.randrange(4)
        if self.portable:  # there a sort changes the order of later loops, and the order of aggregates is any
            return ('key', 0, sign)
        if pick == 0:
            return None
        if pick == 1:
            return ('key', self.r.randrange(len(a['keys'])), sign)
        # An entry of an array always has values: no aggregate in it is empty.
        if a['value'] == 'q' and pick == 2:
            return ('stat', self.r.choice(STATS[:5]), sign)
        return ('value', sign)

    def caught(self, depth):
        message = self.local('s') if self.chance(80) else None
        body = self.block(depth - 1)
        if self.chance(40):
            body[1].append(('expr', self.r.choice([
                ('call', 'error', [self.expr('s', 1)]), ('bin', '/', self.leaf('d'), ('num', 0)),
                ('set', ('var', self.r.choice(self.writable['d']), 'd'), '%', ('bin', '&', self.leaf('d'), ('num', 0)))])))
        shown = [('call', 'substr', [('var', message, 's'), ('num', 0), ('num', 13)])] if message else [('num', 1)]
        handler = ('block', [('print', [('str', 'caught ')] + shown, None, True)])
        if message:  # the rest of it may say more than the definition does
            handler[1].append(('expr', ('set', ('var', message, 's'), '', ('str', ''))))
        return ('try', body, message, handler)

    # ---- declarations ----

    def local(self, kind, counter=False):
        """A fresh variable of the body at hand."""
        name = self.name('l')
        self.scalars[kind].append(name)
        if not counter:
            self.writable[kind].append(name)
        return name

    def make_globals(self):
        self.all_arrays, self.stats, self.globals = [], [], []
        for _ in range(self.r.randrange(2, 5)):
            kind = self.r.choice('dds')
            init = None if self.chance(40) else self.number() if kind == 'd' else self.r.choice(WORDS)
            self.globals.append({'kind': 'scalar', 'name': self.name('g'), 'type': kind, 'init': init})
            self.scalars[kind].append(self.globals[-1]['name'])
            self.writable[kind].append(self.globals[-1]['name'])
        for value in 'ds' + self.r.choice(['q', 'qd', 'qs']):
            keys = ''.join(self.r.choice('ds') for _ in range(self.r.choice([1, 1, 1, 2, 2, 3, 4])))
            keys = keys[:1] if self.portable else keys
            self.all_arrays.append({
                'kind': 'array', 'name': self.name('a'), 'keys': keys, 'value': value, 'hist': self.r.choice(HISTS),
                'size': self.r.choice([2, 4, 8, 20]), 'wrap': self.chance(40)})
        for _ in range(2):
            self.stats.append({'kind': 'stat', 'name': self.name('q'), 'hist': self.r.choice(HISTS)})
        self.globals += self.all_arrays + self.stats

    def body(self, make):
        """Runs `make` with locals of its own, all set at first; returns the statements."""
        scalars = {k: list(v) for k, v in self.scalars.items()}
        writable = {k: list(v) for k, v in self.writable.items()}
        first = [self.local('d'), self.local('s')]
        before = {k: list(v) for k, v in self.scalars.items()}
        statements = make()
        fresh = [('expr', ('set', ('var', n, k), '', ('num', 0) if k == 'd' else ('str', '')))
                 for k in 'ds' for n in first + [m for m in self.scalars[k] if m not in before[k]]
                 if n in self.scalars[k]]
        self.scalars, self.writable = scalars, writable
        return ('block', fresh + statements)

    def make_function(self):
        kind = self.r.choice('ds')
        params = [(self.name('p'), self.r.choice('ds')) for _ in range(self.r.randrange(0, 4))]
        name = self.name('f')
        count = self.r.choice([1, 1, 1, 2, 3]) if params else 1
        for i in range(count):
            own = [(self.name('p'), t) for _, t in params]
            self.functions.append(self.definition(name, own, kind, may_pass=count > 1))
        self.callable.append({'name': name, 'type': kind, 'params': params, 'recursive': False, 'writes': True})

    def definition(self, name, params, kind, may_pass):
        for n, t in params:
            self.scalars[t].append(n)
            self.writable[t].append(n)
        self.in_function = kind

        def make():
            out = [self.statement(1) for _ in range(self.r.randrange(0, 3))]
            if may_pass:
                out.append(('if', self.expr('d', 1), ('next',), None))
            return out + [('return', self.expr(kind, 2))]
        body = self.body(make)
        self.in_function = False
        for n, t in params:
            self.scalars[t].remove(n)
            self.writable[t].remove(n)
        return {'name': name, 'params': params, 'type': kind, 'body': body, 'priority': ''}

    def make_recursive(self):
        n, x = self.name('p'), self.name('p')
        kind = self.r.choice('ds')
        name = self.name('f')
        again = ('call', name, [('bin', '-', ('var', n, 'd'), ('num', 1)), ('var', x, kind)])
        result = ('bin', self.r.choice('+-*^'), ('var', x, kind), again) if kind == 'd' else \
            ('cat', [again, ('var', x, kind)])
        body = ('block', [('if', ('bin', '<=', ('var', n, 'd'), ('num', 0)), ('return', ('var', x, kind)), None),
                          ('return', result)])
        params = [(n, 'd'), (x, kind)]
        self.functions.append({'name': name, 'params': params, 'type': kind, 'body': body, 'priority': ''})
        self.callable.append({'name': name, 'type': kind, 'params': params, 'recursive': True, 'writes': False})

    def show_all(self):
        """Prints what every global holds."""
        out = []
        for g in self.globals:
            if g['kind'] == 'scalar':
                out.append(('printf', '%%%s\n' % g['type'], [('var', g['name'], g['type'])]))
            elif g['kind'] == 'stat':
                agg = ('var', g['name'], 'q')
                out.append(('if', ('stat', 'count', agg), ('printf', '%d %d %d %d %d %d\n', [('stat', op, agg) for op in STATS]),
                            None))
            else:
                keys = [self.local(k) for k in g['keys']]
                place = ('elem', g['name'], [('var', n, k) for n, k in zip(keys, g['keys'])])
                values = [place] if g['value'] != 'q' else [('stat', op, place) for op in ('count', 'sum', 'min', 'max')]
                fmt = '|'.join('%' + k for k in g['keys']) + '=' + ('%s' if g['value'] == 's' else ' '.join(['%d'] * len(values)))
                sort = ('key', 0, '+') if self.portable else None
                out.append(('each', {'array': g['name'], 'keys': keys, 'sort': sort},
                            ('block', [('printf', fmt + '\n', place[2] + values)])))
        return out

    def make(self):
        self.writable = {'d': [], 's': []}
        self.make_globals()
        for kind in 'ds':
            name = self.name('g')
            self.globals.append({'kind': 'scalar', 'name': name, 'type': kind, 'init': None})
            self.scalars[kind].append(name)
            self.writable[kind].append(name)
        for _ in range(self.r.randrange(0, 3)):
            self.make_function()
        if self.chance(40):
            self.make_recursive()
        start = [('print', [('str', '== %s' % self.id)], None, True)]
        main = self.body(lambda: self.block(3, self.r.randrange(3, 9))[1])
        shown = self.body(self.show_all)
        return {'globals': self.globals, 'functions': self.functions,
                'probes': [('block', start + main[1]), shown]}
