// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of traits, types and closures, generic ones. Symbols are of the newer mangling, those of names_older.rs of
// the older one. A program that is named runs next.
// cflags: -C symbol-mangling-version=v0 -C opt-level=1 -g
use std::hint::black_box;
use std::process::Command;

pub struct Order(u64);
pub enum Kind {
    Large,
}

pub trait Handler {
    fn handle(&self, n: u64) -> u64;
}

impl Handler for Order {
    #[inline(never)]
    fn handle(&self, n: u64) -> u64 {
        black_box(leaf(self.0 + n)) + 1
    }
}

impl Handler for [u8; 4] {
    #[inline(never)]
    fn handle(&self, n: u64) -> u64 {
        black_box(leaf(u64::from(self[0]) + n)) + 1
    }
}

impl Order {
    #[inline(never)]
    pub fn total(&self) -> u64 {
        black_box(generic(Kind::Large, self)) + 1
    }
}

#[inline(never)]
fn leaf(n: u64) -> u64 {
    black_box(n) + 1
}

#[inline(never)]
pub fn generic<T>(kind: T, handler: &dyn Handler) -> u64 {
    black_box(&kind);
    black_box(handler.handle(3)) + 1
}

#[inline(never)]
fn call(f: &dyn Fn(u64) -> u64) -> u64 {
    black_box(f(1)) + 1
}

fn main() {
    let order = Order(black_box(7));

    black_box(call(&|n| black_box(order.total() + n)));
    black_box(generic(1u8, &[1u8, 2, 3, 4]));
    for program in std::env::args().skip(1) {
        Command::new(program).status().unwrap();
    }
}
