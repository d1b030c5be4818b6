/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: the two points where all system calls pass, sys_enter and sys_exit.
 *
 * Programs of raw tracepoints are attached there, except on kernels from 7.0 on. Those
 * may take the CPU from a program of a raw tracepoint, and then leave out all hits of
 * other tasks on that CPU until the program continues. Programs of the event with the
 * same name keep the CPU; they cost more.
 */
#ifndef STP_USER_BPFCALLPOINT_H
#define STP_USER_BPFCALLPOINT_H

#include <stdbool.h>

struct bpfcode;
struct bpfpoint;

unsigned bpfcallpoint_type(void); /* of the programs: see bpf(2) */
/*
 * Returns the place in the context of a call's number at sys_enter, of its result at
 * sys_exit.
 */
int bpfcallpoint_word(bool is_end);
/* Makes the registers of the caller args in bpf_shared. */
void bpfcallpoint_registers(struct bpfcode *c);
/* Attaches the loaded program. Returns 0, or -errno with the set-up's error. */
int bpfcallpoint_attach(struct bpfpoint *b, bool is_end, const char *name);

#endif
