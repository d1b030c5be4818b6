# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that still differs, and is smaller: statements, functions and parts of expressions go as long as it does."""


def blocks(tree, path=()):
    """The paths of all lists of statements."""
    if isinstance(tree, tuple):
        if tree and tree[0] == 'block':
            yield path + (1,)
        for i, part in enumerate(tree):
            yield from blocks(part, path + (i,))
    elif isinstance(tree, list):
        for i, part in enumerate(tree):
            yield from blocks(part, path + (i,))


def get(tree, path):
    for i in path:
        tree = tree[i]
    return tree


def put(tree, path, new):
    if not path:
        return new
    parts = list(tree)
    parts[path[0]] = put(tree[path[0]], path[1:], new)
    return tuple(parts) if isinstance(tree, tuple) else parts


def expressions(tree, path=()):
    """The paths of operations, and the operands that could stand for them."""
    if isinstance(tree, tuple) and tree:
        if tree[0] == 'bin':
            yield path, [tree[2], tree[3], ('num', 1)]
        elif tree[0] == 'cond':
            yield path, [tree[2], tree[3]]
        elif tree[0] in ('log', 'cmps', 'un', 'in'):
            yield path, [('num', 1), ('num', 0)]
        elif tree[0] in ('cat', 'sprint', 'sprintf'):
            yield path, [x for x in tree[1] if tree[0] == 'cat'] + [('str', 'a')]
        elif tree[0] == 'if':
            yield path, [tree[2]] + ([tree[3]] if tree[3] else [])
        elif tree[0] == 'try':
            yield path, [tree[1]]
    if isinstance(tree, (tuple, list)):
        for i, part in enumerate(tree):
            yield from expressions(part, path + (i,))


def without_statements(body, still):
    changed = True
    while changed:
        changed = False
        for path in sorted(blocks(body), key=len):
            try:
                items = get(body, path)
            except (IndexError, TypeError):
                continue
            for i in reversed(range(len(items))):
                smaller = put(body, path, items[:i] + items[i + 1:])
                if still(smaller):
                    body, items, changed = smaller, items[:i] + items[i + 1:], True
    return body


def simpler(body, still):
    changed = True
    while changed:
        changed = False
        for path, others in list(expressions(body)):
            for other in others:
                smaller = put(body, path, other)
                if still(smaller):
                    body, changed = smaller, True
                    break
            if changed:
                break
    return body


def shrink(program, still):
    def with_part(kind, i, new):
        p = dict(program)
        p[kind] = list(p[kind])
        p[kind][i] = new
        return p

    for pass_ in (without_statements, simpler, without_statements):
        for i in range(len(program['probes'])):
            body = pass_(program['probes'][i], lambda b: still(with_part('probes', i, b)))
            program = with_part('probes', i, body)
        for i, f in enumerate(program['functions']):
            body = pass_(f['body'], lambda b: still(with_part('functions', i, dict(f, body=b))))
            program = with_part('functions', i, dict(f, body=body))
    for kind in ('functions', 'globals'):
        for item in list(program[kind]):
            smaller = dict(program, **{kind: [x for x in program[kind] if x is not item]})
            if still(smaller):
                program = smaller
    return program
