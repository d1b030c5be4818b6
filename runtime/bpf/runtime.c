/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime in BPF programs as one unit: the portable half, the functions of
 * core/port.h that handlers call. clib.c is compiled separately. The process that
 * loads the programs has the portable half as well; it makes and ends the session.
 */
#define __always_inline inline
#define STP_BPF_RUNTIME

#include "bpf/arena.h"
#include "objects/core_arrays.c"
#include "objects/core.c"
#include "core/hits.c"
#include "core/lastmatch.c"
#include "core/regex.c"
#include "core/prettylists.c"
#include "objects/core_setup.c"
#include "objects/core_values.c"
#include "bpf/access.c"
#include "core/nostacks.c"
#include "core/printedstack.c"
#include "bpf/port.c"
#include "bpf/eventhit.c"
#include "bpf/processhit.c"
#include "bpf/pointregs.c"
#include "bpf/kernelstack.c"
