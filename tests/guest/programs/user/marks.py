# SPDX-License-Identifier: GPL-2.0-or-later
def hello(n):
    return n + 1


hello(41)
