// SPDX-License-Identifier: GPL-2.0-or-later
// Values of Rust for what `$x$` shows: strings, lists, enums with and without payload, maps.
// cflags: -g -C opt-level=0
#![allow(dead_code)]
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::ffi::{CString, OsString};
use std::hint::black_box;
use std::num::{NonZeroU32, Wrapping};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

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

pub struct Pair(i32, String);

pub struct Lists {
    ring: VecDeque<i32>,
    empty: VecDeque<i32>,
    heap: BinaryHeap<i32>,
    boxes: Vec<Box<i32>>,
    pairs: Vec<(i32, &'static str)>,
    bytes: Vec<u8>,
    slice: &'static [u8],
    byte: u8,
    signed: i8,
    letters: [char; 3],
    letter: char,
    accent: &'static str,
    borrowed: Cow<'static, str>,
    owned: Cow<'static, str>,
    name: OsString,
    path: PathBuf,
    short: &'static Path,
    ended: CString,
    shared: Rc<str>,
}

pub struct Others {
    cell: Cell<i32>,
    changing: RefCell<Pair>,
    locked: Mutex<i32>,
    flag: AtomicBool,
    counted: Rc<Pair>,
    atomic: Arc<i32>,
    wait: Duration,
    whole: Duration,
    date: SystemTime,
    some: Option<NonZeroU32>,
    wrapping: Wrapping<i32>,
    unit: (),
    low: i128,
    high: u128,
}

pub trait Animal {
    fn legs(&self) -> u32;
}
pub struct Dog(u32);
pub struct Bird {
    legs: u32,
}
impl Animal for Dog {
    fn legs(&self) -> u32 {
        self.0
    }
}
impl Animal for Bird {
    fn legs(&self) -> u32 {
        self.legs
    }
}

pub struct Zoo<'a> {
    own: Box<dyn Animal>,
    lent: &'a dyn Animal,
    shared: Rc<dyn Animal>,
}

#[inline(never)]
pub fn traits(zoo: &Zoo, one: &dyn Animal) -> u32 {
    black_box(zoo).own.legs() + zoo.lent.legs() + zoo.shared.legs() + one.legs()
}

#[inline(never)]
pub fn lists(lists: &Lists) -> usize {
    black_box(lists).ring.len()
}

#[inline(never)]
pub fn others(others: &Others, shared: &Rc<Pair>, big: i128, letter: char) -> i32 {
    black_box((shared, big, letter));
    black_box(others).cell.get()
}

fn show_more() -> i32 {
    let mut ring: VecDeque<i32> = (0..4).collect();
    ring.drain(..2);
    ring.extend([7, 8]);
    let counted = Rc::new(Pair(3, "three".into()));
    let more = lists(&Lists {
        ring,
        empty: VecDeque::new(),
        heap: BinaryHeap::from(vec![3, 1]),
        boxes: vec![Box::new(1)],
        pairs: vec![(1, "a"), (2, "b")],
        bytes: vec![1, 65],
        slice: b"ab\x00",
        byte: 200,
        signed: -5,
        letters: ['a', 'b', 'c'],
        letter: 'ä',
        accent: "ä€",
        borrowed: Cow::Borrowed("mine"),
        owned: Cow::Owned("yours".into()),
        name: "name".into(),
        path: "/usr/lib".into(),
        short: Path::new("/etc"),
        ended: CString::new("ended").unwrap(),
        shared: "shared".into(),
    });
    let other = Others {
        cell: Cell::new(6),
        changing: RefCell::new(Pair(1, "one".into())),
        locked: Mutex::new(7),
        flag: AtomicBool::new(true),
        counted: counted.clone(),
        atomic: Arc::new(5),
        wait: Duration::from_micros(1500),
        whole: Duration::from_secs(3),
        date: SystemTime::UNIX_EPOCH + Duration::new(1709251199, 50),
        some: NonZeroU32::new(6),
        wrapping: Wrapping(3),
        unit: (),
        low: -(1i128 << 100),
        high: u128::MAX,
    };
    let zoo = Zoo { own: Box::new(Bird { legs: 2 }), lent: &Dog(4), shared: Rc::new(Dog(3)) };
    let legs = traits(&zoo, zoo.lent) as i32;
    legs - 13 + more as i32 + others(&other, &counted, other.low, 'x')
}

#[inline(never)]
pub fn work(all: &All, part: &[i32], name: &str, shape: Shape) -> usize {
    black_box((all.nums.len(), &shape)).0 + part.len() + name.len()
}

pub struct Three {
    first: i64,
    second: i64,
    third: i64,
}

#[inline(never)]
pub fn hidden(three: Three, list: Vec<u16>, number: i32) -> i64 {
    three.first + three.second + three.third + list.len() as i64 + number as i64
}

fn main() {
    let three = Three { first: 10, second: -20, third: 30 };
    if hidden(three, vec![4, 5], 6) != 28 {
        std::process::exit(2);
    }
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
    let bad = work(&all, &all.nums[1..], all.fixed, Shape::Circle(2.5)) != 10 || show_more() != 10;
    std::process::exit(bad as i32);
}
