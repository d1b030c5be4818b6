/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STP_BPF_PROCESSHIT_H
#define STP_BPF_PROCESSHIT_H

#include <stdbool.h>
#include <stdint.h>

bool stp_bpf_is_meant_by(void);	  /* the event is about a process that the point means */
bool stp_bpf_process_event(void); /* runs the handlers of an event of processes */
int64_t stp_bpf_execs(void);	  /* port.c: programs that the current task has begun */

#endif
