/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of names.def and ioctl.def: the names of a set, one after the other, and
 * their values. There are no pointers, which would cost a relocation each.
 */
#include "syscall/syscall.h"

#define NAME(name, value) value,
#define NAMES(set, ...)                                                                            \
	static const uint32_t values_##set[] STP_LOCAL(values_##set) = { __VA_ARGS__ };
#include "syscall/names.def"
#include "syscall/ioctl.def"
#undef NAME
#undef NAMES

#define NAME(name, value) #name "\0"
#define NAMES(set, ...)                                                                            \
	static const char names_##set[] STP_LOCAL(names_##set) = __VA_ARGS__;                      \
	STP_SHOWN_TABLE struct stp_names stp_names_##set = { names_##set, values_##set,            \
							     ARRAY_SIZE(values_##set) };
#include "syscall/names.def"
#include "syscall/ioctl.def"
#undef NAME
#undef NAMES
