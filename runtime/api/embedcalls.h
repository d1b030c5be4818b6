/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of SystemTap's runtime that embedded C can call from anywhere, even from
 * top-level functions, which get no context: the running handler is looked up. Outside of
 * handlers they do nothing.
 */
#ifndef STP_API_EMBEDCALLS_H
#define STP_API_EMBEDCALLS_H

#include "api/ctx.h"
#include "api/tapset.h"

#ifdef __KERNEL__
typedef long intptr_t; /* kernel headers since 6.7 define it the same way */
#endif

/* Print a text, and a text by a format in the kernel's dialect. */
void _stp_print(const char *text);
void _stp_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define STAP_PRINTF(...) _stp_printf(__VA_ARGS__)
/* "WARNING: …" on standard error. */
void _stp_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "ERROR: …" on standard error; the script continues. */
void _stp_softerror(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A run-time error of the handler. */
void _stp_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void _stp_exit(void);
int _stp_snprintf(char *to, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline int __attribute__((unused, format(printf, 3, 0)))
_stp_vsnprintf(char *to, size_t size, const char *fmt, va_list args)
{
	return vsnprintf(to, size, fmt, args);
}

/*
 * Returns zeroed memory, or NULL; only in begin and end probes. The script must free it,
 * or it is never freed.
 */
void *_stp_vzalloc(size_t size);
void _stp_vfree(const void *mem);
#define _stp_kmalloc(size)	      _stp_vzalloc(size)
#define _stp_kzalloc(size)	      _stp_vzalloc(size)
#define _stp_kmalloc_gfp(size, flags) _stp_vzalloc(size)
#define _stp_kzalloc_gfp(size, flags) _stp_vzalloc(size)
#define _stp_kfree(mem)		      _stp_vfree(mem)

/* Messages about SystemTap's runtime itself. */
static inline void __attribute__((unused)) _stp_dbug(const char *function, ...)
{
	(void)function;
}

static inline void __attribute__((unused)) _stp_print_flush(void)
{
}

#define _stp_target ((int)stp_target())

#endif
