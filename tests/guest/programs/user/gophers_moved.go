// SPDX-License-Identifier: GPL-2.0-or-later
// A position-independent program: the types of its interfaces are at other addresses than in the file.
// cflags: -buildmode=pie
package main

import (
	"errors"
	"os"
)

type point struct{ x, y int32 }

func (p point) Error() string { return "point" }

//go:noinline
func values(all []interface{}, err error, other error) int { return len(all) }

func main() {
	if values([]interface{}{nil, 300, "text", point{1, 2}}, errors.New("bad"), point{3, 4}) != 4 {
		os.Exit(1)
	}
}
