// SPDX-License-Identifier: GPL-2.0-or-later
// names.rs without debuginfo, and with the mangling that the compiler prefers: up to 1.95 the older one.
// cflags: -C opt-level=1
include!("names.rs");
