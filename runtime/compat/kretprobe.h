/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an instance to its kretprobe. */
#ifndef STP_COMPAT_KRETPROBE_H
#define STP_COMPAT_KRETPROBE_H

#include <linux/kprobes.h>

#include "stp_facts.h"

/* NULL: the kretprobe is being unregistered. */
static inline struct kretprobe *compat_kretprobe_of(struct kretprobe_instance *ri)
{
#ifdef STP_HAVE_KRETPROBE_INSTANCE_RP
	return ri->rp;
#else
	return get_kretprobe(ri);
#endif
}

#endif
