/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of C headers: as programs of this machine see them, for @cast(value, "timeval",
 * "<sys/time.h>"), or as the target kernel does, for "kernel<linux/fs.h>".
 */
#ifndef STAP_HEADERS_H
#define STAP_HEADERS_H

#include <stdint.h>

struct btf;
struct error;
struct session;

/*
 * Finds a type by its C name in the headers "<a.h><b/c.h>". ERROR_ABSENT: they have no
 * such type. ERROR_SCRIPT: the text names no headers, or they do not compile.
 */
struct error *headers_find_type(struct session *s, const char *headers, const char *name,
				struct btf **btf, uint32_t *ret);
/* Finds the type of a C declaration that uses the headers' types. */
struct error *headers_find_declared(struct session *s, const char *headers, const char *declaration,
				    const char *name, struct btf **btf, uint32_t *ret);

/* Finds a type in the target kernel's headers. */
struct error *headers_find_kernel_type(struct session *s, const char *headers, const char *name,
				       struct btf **btf, uint32_t *ret);

#endif
