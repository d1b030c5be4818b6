# SPDX-License-Identifier: GPL-2.0-or-later
"""
What a program prints: an evaluator of the trees of text.py, written from the language's definition and from what SystemTap
prints, and from nothing of the implementation that it judges.

Operands are evaluated from left to right; their values are those of that moment. Numbers wrap at 64 bits.
"""
import re

MASK = 2**64 - 1


class ScriptError(Exception):
    """A run-time error of the script."""
    raised = 0  # so many ever were

    def __init__(self, text):
        super().__init__(text)
        ScriptError.raised += 1


class BudgetError(ScriptError):
    """MAXACTION: once it is used up, what still runs depends on what is counted."""


class TooLong(Exception):
    """The program takes more steps than a test should."""


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Next(Exception):
    pass


class Return(Exception):
    def __init__(self, value):
        self.value = value


def wrap(n):
    n &= MASK
    return n - 2**64 if n >> 63 else n


def divide(a, b):
    if b == 0:
        raise ScriptError('division by 0')
    q = abs(a) // abs(b)
    return wrap(q if (a < 0) == (b < 0) else -q)


def modulo(a, b):
    if b == 0:
        raise ScriptError('division by 0')
    r = abs(a) % abs(b)
    return -r if a < 0 else r


ARITH = {
    '+': lambda a, b: wrap(a + b), '-': lambda a, b: wrap(a - b), '*': lambda a, b: wrap(a * b),
    '/': divide, '%': modulo,
    '&': lambda a, b: a & b, '|': lambda a, b: a | b, '^': lambda a, b: a ^ b,
    '<<': lambda a, b: wrap(a << (b & 63)),
    '>>': lambda a, b: a >> (b & 63),
    '>>>': lambda a, b: wrap((a & MASK) >> (b & 63)),
    '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b), '<=': lambda a, b: int(a <= b),
    '>=': lambda a, b: int(a >= b), '==': lambda a, b: int(a == b), '!=': lambda a, b: int(a != b),
}


# ---- formats ----

DIRECTIVE = re.compile(r'%([-+ 0#]?)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z%])')


def pad(text, width, left, zeros=False):
    if len(text) >= width:
        return text
    if left:
        return text.ljust(width)
    if not zeros:
        return text.rjust(width)
    head = re.match(r'[-+ ]|0[xX]|', text).group()
    return head + text[len(head):].rjust(width - len(head), '0')


def digits_of(kind, n):
    if kind in 'di':
        return str(abs(n))
    n &= MASK
    return {'u': '%d', 'x': '%x', 'X': '%X', 'o': '%o'}[kind] % n


def number_text(kind, flag, precision, n):
    digits = digits_of(kind, n)
    if precision is not None:
        digits = digits.rjust(precision, '0')
    if kind in 'di':
        return ('-' if n < 0 else flag if flag in ('+', ' ') else '') + digits
    if flag == '#' and kind in 'xX':
        digits = '0' + kind + digits
    if flag == '#' and kind == 'o':
        digits = '0' + digits
    return digits


def format_text(fmt, args):
    args = list(args)

    def one(m):
        flag, width, precision, kind = m.groups()
        if kind == '%':
            return '%'
        width = args.pop(0) if width == '*' else int(width or 0)
        if precision is not None:
            precision = args.pop(0) if precision == '*' else int(precision)
        left = flag == '-' or width < 0
        value = args.pop(0)
        if kind == 's':
            return pad(value if precision is None else value[:precision], abs(width), left)
        if kind == 'c':
            return pad(chr(value & 255), abs(width), left)
        if kind == 'p':
            return pad('0x%x' % (value & MASK), abs(width), left)
        text = number_text(kind, flag, precision, value)
        return pad(text, abs(width), left, flag == '0')

    return DIRECTIVE.sub(one, fmt)


# ---- arrays and aggregates ----

class Array:
    """Entries in the order of their insertion, which dicts keep."""

    def __init__(self, declared):
        self.size, self.wraps, self.value = declared['size'], declared['wrap'], declared['value']
        self.entries = {}

    def make(self, key, initial):
        if key in self.entries:
            return
        if len(self.entries) >= self.size:
            if not self.wraps:
                raise ScriptError('Array overflow, check size limit (%d)' % self.size)
            del self.entries[next(iter(self.entries))]
        self.entries[key] = initial

    def matching(self, pattern):
        return [k for k in self.entries if all(p is None or p == x for p, x in zip(pattern, k))]


def stat_value(op, values):
    n = len(values)
    if op == 'count':
        return n
    if op == 'sum':
        return wrap(sum(values))
    if not n:
        raise ScriptError('empty aggregate')
    if op == 'min':
        return min(values)
    if op == 'max':
        return max(values)
    if op == 'avg':
        return divide(wrap(sum(values)), n)
    # The variance of a sample, rounded down.
    return 0 if n < 2 else (n * sum(v * v for v in values) - sum(values) ** 2) // (n * (n - 1))


def bucket_count(hist):
    return 128 if hist[0] == 'log' else (hist[2] - hist[1]) // hist[3] + 3


def bucket_of(hist, v):
    if hist[0] == 'log':
        return 64 + v.bit_length() if v >= 0 else 64 - (-v).bit_length()
    _, low, _, width = hist
    return 0 if v < low else min((v - low) // width + 1, bucket_count(hist) - 1)


def bucket_label(hist, i):
    if hist[0] == 'log':
        return str(0 if i == 64 else 2 ** (i - 65) if i > 64 else -2 ** (63 - i))
    _, low, _, width = hist
    if i == 0:
        return '<%d' % low
    last = bucket_count(hist) - 1
    return '>%d' % (low + (last - 2) * width) if i == last else str(low + (i - 1) * width)


def buckets(hist, values):
    if not values:
        raise ScriptError('empty aggregate')
    counts = [0] * bucket_count(hist)
    for v in values:
        counts[bucket_of(hist, v)] += 1
    return counts


def picture(hist, values):
    counts = buckets(hist, values)
    n = len(counts)
    linear_ends = (0, n - 1) if hist[0] == 'linear' else ()
    # No rows for values below 0 when there are none.
    least = 64 if hist[0] == 'log' and not any(counts[:64]) else 0
    shown = [i for i in range(least, n)
             if (counts[i] if i in linear_ends else any(counts[max(i - 2, 0):i + 3]))]
    width = max([5] + [len(bucket_label(hist, i)) for i in shown])
    most = max(counts)
    scale = -(-most // 50) if most > 50 else 1
    digits = len(str(most))
    lines = ['%*s |%s count' % (width, 'value', '-' * 50)]
    for before, i in zip([None] + shown, shown):
        if before is not None and before != i - 1:
            lines.append(' ' * width + ' ~')
        lines.append('%*s |%-50s %*d' % (width, bucket_label(hist, i), '@' * (counts[i] // scale), digits, counts[i]))
    return '\n'.join(lines) + '\n\n'


# ---- programs ----

class Evaluator:
    def __init__(self, program, max_string, max_nesting, max_steps):
        self.room = max_string - 1
        self.max_nesting, self.steps = max_nesting, max_steps
        self.program, self.out, self.errors = program, [], []
        self.globals, self.arrays, self.stats = {}, {}, {}
        for g in program['globals']:
            if g['kind'] == 'array':
                self.arrays[g['name']] = Array(g)
            elif g['kind'] == 'stat':
                self.stats[g['name']] = []
            else:
                empty = '' if g['type'] == 's' else 0
                self.globals[g['name']] = empty if g['init'] in (None, -2**63) else g['init']
        self.locals, self.depth = {}, 0

    def run(self):
        """The text of each probe, and the message of the error that ended it, or None."""
        result = []
        for body in self.program['probes']:
            self.out, self.locals, self.depth = [], {}, 0
            error = None
            try:
                self.execute(body)
            except Next:
                pass
            except ScriptError as e:
                error = str(e)
            result.append((''.join(self.out), error))
        return result

    def step(self):
        self.steps -= 1
        if self.steps < 0:
            raise TooLong()

    def cut(self, s):
        return s[:self.room]

    def keys(self, keys):
        return tuple(None if k is None else self.value(k) for k in keys)

    def value(self, x):
        self.step()
        return getattr(self, 'value_' + x[0])(*x[1:])

    def execute(self, s):
        self.step()
        getattr(self, 'execute_' + s[0])(*s[1:])

    # variables

    def scope(self, name):
        return self.globals if name in self.globals else self.locals

    def load(self, place, key):
        if place[0] == 'var':
            return self.scope(place[1]).get(place[1], '' if place[2] == 's' else 0)
        array = self.arrays[place[1]]
        return array.entries.get(key, '' if array.value == 's' else 0)

    def store(self, place, key, v):
        if place[0] == 'var':
            self.scope(place[1])[place[1]] = v
        else:
            array = self.arrays[place[1]]
            array.make(key, v)
            array.entries[key] = v

    def update(self, place, op, key, v):
        """place op= v: the old and the new value."""
        old = self.load(place, key)
        new = v if op == '' else self.cut(old + v) if op == '.' else ARITH[op](old, v)
        self.store(place, key, new)
        return old, new

    def place_key(self, place):
        return self.keys(place[2]) if place[0] == 'elem' else None

    def aggregate(self, agg):
        if agg[0] == 'var':
            return self.stats[agg[1]]
        return self.arrays[agg[1]].entries.get(self.keys(agg[2]), [])

    # expressions

    def value_num(self, n):
        return n

    def value_str(self, s):
        return s

    def value_var(self, name, kind):
        return self.load(('var', name, kind), None)

    def value_elem(self, array, keys):
        return self.load(('elem', array, keys), self.keys(keys))

    def value_bin(self, op, left, right):
        a = self.value(left)
        return ARITH[op](a, self.value(right))

    def value_cmps(self, op, left, right):
        a = self.value(left)
        return ARITH[op](a, self.value(right))

    def value_log(self, op, left, right):
        a = self.value(left) != 0
        if a == (op == '||'):
            return int(a)
        return int(self.value(right) != 0)

    def value_un(self, op, x):
        v = self.value(x)
        return {'-': wrap(-v), '+': v, '~': ~v, '!': int(v == 0)}[op]

    def value_cond(self, c, a, b):
        return self.value(a if self.value(c) else b)

    def value_cat(self, items):
        return self.cut(''.join([self.value(x) for x in items]))

    def value_set(self, place, op, x):
        key = self.place_key(place)
        return self.update(place, op, key, self.value(x))[1]

    def value_step(self, place, op, is_prefix):
        old, new = self.update(place, op[0], self.place_key(place), 1)
        return new if is_prefix else old

    def value_in(self, array, keys):
        return int(bool(self.arrays[array].matching(self.keys(keys))))

    def value_stat(self, op, agg):
        return stat_value(op, self.aggregate(agg))

    def value_bucket(self, hist, agg, index):
        i = self.value(index)
        counts = buckets(hist, self.aggregate(agg))
        if not 0 <= i < len(counts):
            raise ScriptError('histogram index out of range')
        return counts[i]

    def value_sprintf(self, fmt, args):
        return self.cut(format_text(fmt, [self.value(a) for a in args]))

    def value_sprint(self, args, delimiter, newline):
        return self.cut(self.joined(args, delimiter, newline))

    def value_sprinthist(self, hist, agg):
        return self.cut(picture(hist, self.aggregate(agg)))

    def joined(self, args, delimiter, newline):
        return (delimiter or '').join([str(self.value(a)) for a in args]) + ('\n' if newline else '')

    # functions

    def value_call(self, name, args):
        values = [self.value(a) for a in args]
        if name in TAPSET:
            return TAPSET[name](self, *values)
        for f in self.program['functions']:
            if f['name'] != name or len(f['params']) != len(values):
                continue
            try:
                return self.enter(f, values)
            except Next:
                continue
        raise ScriptError('all functions')

    def enter(self, f, values):
        if self.depth >= self.max_nesting:
            raise ScriptError('MAXNESTING exceeded')
        outer = self.locals
        self.locals = {n: v for (n, _), v in zip(f['params'], values)}
        self.depth += 1
        try:
            self.execute(f['body'])
        except Return as r:
            return r.value
        finally:
            self.depth -= 1
            self.locals = outer
        return '' if f['type'] == 's' else 0

    # statements

    def execute_expr(self, x):
        self.value(x)

    def execute_block(self, items):
        for s in items:
            self.execute(s)

    def execute_if(self, c, a, b):
        if self.value(c):
            self.execute(a)
        elif b:
            self.execute(b)

    def pass_once(self, body):
        """Whether the body left its loop."""
        try:
            self.execute(body)
        except Break:
            return True
        except Continue:
            pass
        return False

    def repeat(self, test, body, step=None):
        while self.value(test):
            if self.pass_once(body):
                return
            if step:
                self.value(step)

    def execute_while(self, c, body):
        # The program's endless loops have no body to speak of: they end by the budget of statements.
        if c == ('num', 1) and body == ('block', []):
            raise BudgetError('MAXACTION exceeded')
        self.repeat(c, body)

    def execute_for(self, init, c, step, body):
        self.value(init)
        self.repeat(c, body, step)

    def execute_each(self, loop, body):
        for names, values in self.passes(loop):
            self.step()
            for n, v in zip(names, values):
                self.scope(n)[n] = v
            if self.pass_once(body):
                return

    def passes(self, loop):
        if 'hist' in loop:
            return [(loop['keys'], (i,)) for i in range(bucket_count(loop['hist']))]
        array = self.arrays[loop['array']]
        pattern = self.keys(loop['slice']) if loop.get('slice') else (None,) * len(loop['keys'])
        limit = max(self.value(loop['limit']), 0) if loop.get('limit') else None
        keys = array.matching(pattern)
        sort = loop.get('sort')
        if sort:
            by = {'key': lambda k: k[sort[1]], 'value': lambda k: array.entries[k],
                  'stat': lambda k: stat_value(sort[1], array.entries[k])}[sort[0]]
            if sort[0] == 'value' and array.value == 'q':
                by = lambda k: len(array.entries[k])
            # Equal ones stay in their order, whichever way the sort goes.
            keys = sorted(keys, key=by, reverse=sort[-1] == '-')
        keys = keys[:limit]
        names = loop['keys'] + ([loop['value']] if loop.get('value') else [])
        return [(names, k + ((array.entries[k],) if loop.get('value') else ())) for k in keys]

    def execute_break(self):
        raise Break()

    def execute_continue(self):
        raise Continue()

    def execute_next(self):
        raise Next()

    def execute_return(self, x):
        raise Return(self.value(x))

    def execute_delete(self, place):
        if place[0] == 'elem':
            array = self.arrays[place[1]]
            for k in array.matching(self.keys(place[2])):
                del array.entries[k]
        elif place[2] == 'q':
            self.stats[place[1]] = []
        else:
            self.scope(place[1])[place[1]] = '' if place[2] == 's' else 0

    def execute_clear(self, array):
        self.arrays[array].entries.clear()

    def execute_try(self, body, name, handler):
        try:
            self.execute(body)
        except BudgetError as e:
            raise TooLong() from e
        except ScriptError as e:
            if name:
                self.scope(name)[name] = self.cut(str(e))
            self.execute(handler)

    def execute_add(self, agg, x):
        key = self.place_key(agg)
        v = self.value(x)
        if agg[0] == 'var':
            self.stats[agg[1]].append(v)
            return
        array = self.arrays[agg[1]]
        array.make(key, [])
        array.entries[key].append(v)

    def execute_printf(self, fmt, args):
        self.out.append(format_text(fmt, [self.value(a) for a in args]))

    def execute_print(self, args, delimiter, newline):
        self.out.append(self.joined(args, delimiter, newline))

    def execute_printhist(self, hist, agg, newline):
        self.out.append(picture(hist, self.aggregate(agg)))


# ---- functions of the tapset ----

def raise_error(ev, text):
    raise ScriptError(ev.cut(text))


def substr(ev, s, start, length):
    return s[start:start + length] if 0 <= start < len(s) and length > 0 else ''


def str_replace(ev, s, old, new):
    return ev.cut(s.replace(old, new) if old else s)


TAPSET = {
    'error': raise_error,
    'substr': substr,
    'strlen': lambda ev, s: len(s),
    'isinstr': lambda ev, s, part: int(part in s),
    'str_replace': str_replace,
}
