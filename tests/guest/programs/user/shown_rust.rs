// SPDX-License-Identifier: GPL-2.0-or-later
// Values of Rust for what `$x$` shows: strings, lists, enums with and without payload, maps.
// cflags: -g -C opt-level=0
#![allow(dead_code)]
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

#[derive(Clone)]
pub enum Shape {
    Dot,
    Circle(f64),
    Box { wide: i32, high: i32 },
}

pub struct All {
    own: String,
    fixed: &'static str,
    nums: Vec<i32>,
    words: Vec<String>,
    some: Option<i32>,
    none: Option<i32>,
    place: Option<Box<i32>>,
    nowhere: Option<Box<i32>>,
    good: Result<i32, String>,
    bad: Result<i32, String>,
    shapes: Vec<Shape>,
    hash: HashMap<i32, i32>,
    tree: BTreeMap<i32, i32>,
    array: [u8; 3],
    ok: bool,
}

#[inline(never)]
pub fn work(all: &All, part: &[i32], name: &str, shape: Shape) -> usize {
    black_box((all.nums.len(), &shape)).0 + part.len() + name.len()
}

fn main() {
    let all = All {
        own: "own".to_string(),
        fixed: "fixed",
        nums: vec![1, 2, 3],
        words: vec!["a".to_string(), "b".to_string()],
        some: Some(5),
        none: None,
        place: Some(Box::new(6)),
        nowhere: None,
        good: Ok(7),
        bad: Err("bad".to_string()),
        shapes: vec![Shape::Dot, Shape::Circle(1.5), Shape::Box { wide: 2, high: 3 }],
        hash: HashMap::from([(1, 2), (3, 4)]),
        tree: BTreeMap::from([(1, 2)]),
        array: [1, 2, 3],
        ok: true,
    };
    std::process::exit((work(&all, &all.nums[1..], all.fixed, Shape::Circle(2.5)) != 10) as i32);
}
