// SPDX-License-Identifier: GPL-2.0-or-later
// Methods, results of all kinds, stacks that grow within calls, goroutines that move between threads.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

type item struct {
	price int32
	grams int32
	name  string
}

type order struct {
	sum   int
	items []item
	by    map[string]int
}

//go:noinline
func (o *order) total(n int, name string, items []item) (int, error) {
	for _, it := range items {
		o.sum += int(it.price) * n
	}
	if n > 100 {
		return 0, errors.New("too many " + name)
	}
	return o.sum, nil
}

// Its stack grows below it, at each depth; it returns 1 once.
//
//go:noinline
func deep(n int) int {
	var room [200]int
	if n == 0 {
		return 1
	}
	runtime.Gosched()
	room[n%200] = n
	return deep(n-1) + room[n%200]
}

//go:noinline
func small(n int32) item { return item{n, -n, "plum"} }

//go:noinline
func halves(x float64, z complex128) (half float64, turned complex128, ok bool) {
	return x / 2, z * 1i, true
}

//go:noinline
func large(n int) (list [4]int, after int) {
	for i := range list {
		list[i] = n + i
	}
	return list, n * 100
}

//go:noinline
func nothing(n int) {
	if n > 1 {
		panic("caught")
	}
}

//go:noinline
func caught(n int) (ret string) {
	defer func() {
		if recover() != nil {
			ret = "saved"
		}
	}()
	nothing(n)
	return "fine"
}

//go:noinline
func anything(values []interface{}) int { return len(values) }

type colour int

type kinds struct {
	ch, full, none chan int
	by, never      map[string]int
	date, zero     time.Time
	wait           time.Duration
	failed, outer  error
	bytes          []byte
	b              byte
	i8             int8
	name           string
}

//go:noinline
func shows(k *kinds, ch chan int, by map[string]int, date time.Time, wait time.Duration) int {
	return len(k.bytes) + len(ch) + len(by) + int(wait)
}

func showAll() {
	k := &kinds{ch: make(chan int, 4), full: make(chan int), by: map[string]int{"a": 1}, wait: 1500 * time.Millisecond,
		date: time.Date(2024, 2, 29, 23, 59, 59, 50, time.UTC), failed: errors.New("bad"), bytes: []byte("ab\x00"),
		b: 200, i8: -5, name: "ä€"}
	k.outer = fmt.Errorf("outer: %w", k.failed)
	k.ch <- 1
	k.ch <- 2
	shows(k, k.ch, k.by, time.Unix(1709251199, 0).Add(0), k.wait)
	missing(nil, nil, nil, nil, nil)
	anything([]interface{}{"text", 1.5, true, colour(3), byte(7), time.Second, -2, k.date})
}

//go:noinline
func missing(by map[string]int, ch chan int, o *order, name *string, value interface{}) bool {
	return by == nil && ch == nil && o == nil && name == nil && value == nil
}

//go:noinline
func twice[T interface{}](v T) []T { return []T{v, v} }

func main() {
	o := &order{sum: len(os.Args), by: map[string]int{"a": 1, "b": 2}}
	o.items = []item{{4, 1, "pear"}, {5, 2, "fig"}}
	o.total(3, "pears", o.items)
	o.total(300, "figs", nil)
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() { deep(300); all.Done() }()
	}
	all.Wait()
	small(7)
	halves(5, 2)
	large(10)
	caught(1)
	caught(2)
	twice("go")
	showAll()
	anything([]interface{}{nil, o.items[0], o, 300, []string{"a"}, o.by})
}
