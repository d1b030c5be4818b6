/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel names that embedded C uses, in BPF programs. */
#ifndef STP_BPF_EMBEDDED_H
#define STP_BPF_EMBEDDED_H

#include "bpf/arena.h"
#include "bpf/env.h"
#include "core/embeddednames.h"

/*
 * bpf/port.c: of the current task, at points in the kernel; else of the process that runs
 * the script.
 */
int64_t stp_bpf_pid(void);
int64_t stp_bpf_thread(void);
int64_t stp_bpf_execname(char *dst);
int64_t stp_bpf_cpu(void);
int64_t stp_bpf_task(void);
int64_t stp_bpf_any_task(void);	     /* also of the process that runs the script */
uint64_t stp_bpf_owner(void);	     /* thread and process */
uint64_t stp_bpf_returns_kept(void); /* return addresses that the kernel has replaced */
int64_t stp_bpf_user(void);
int64_t stp_bpf_group(void);
int64_t stp_bpf_user_now(void);
int64_t stp_bpf_group_now(void);
int64_t stp_bpf_parent(void);
int64_t stp_bpf_parent_name(char *dst);
int64_t stp_bpf_session(void);
int64_t stp_bpf_process_group(void);
bool stp_bpf_is_meant(void);
/* bpf/kernelstack.c: as core/port.h has it. */
unsigned port_symbol(char *text, uint64_t address);
struct stp_ctx;
struct stp_probe;
const char *stp_bpf_probe_type(const struct stp_probe *p);
/* bpf/pointregs.c: of the registers at the point; false or 0 if there are none. */
bool stp_bpf_is_program(const struct stp_ctx *c);
bool stp_bpf_is_32_here(const struct stp_ctx *c);
int64_t stp_bpf_address(const struct stp_ctx *c);
/* An unsigned number; *bits says how wide it is. An error: there is no such register. */
uint64_t stp_bpf_register(struct stp_ctx *c, const char *name, unsigned *bits);

/* From the C library of the process that runs the script. */
#define getpid()	((int)stp_bpf_pid())
#define getppid()	((int)stp_bpf_parent())
#define getuid()	stp_bpf_user()
#define geteuid()	stp_bpf_user_now()
#define getgid()	stp_bpf_group()
#define getegid()	stp_bpf_group_now()
#define getpgrp()	stp_bpf_process_group()
#define getsid(process) stp_bpf_session()
#define gettid()	((int)stp_bpf_thread())

#define _SC_PAGESIZE  30
#define sysconf(what) ((long)bpf_shared.page) /* no other member is used */

#define ntohl(x) __builtin_bswap32(x)
#define htonl(x) __builtin_bswap32(x)
#define ntohs(x) __builtin_bswap16(x)
#define htons(x) __builtin_bswap16(x)

int scnprintf(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
