/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user-space runtime as one unit. With a script's C, and the files of the trace that
 * translator/build/user.c names, it is a program. With STP_NO_MAIN it is a library for
 * tests, which link trace.a.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/core_arrays.c"
#include "objects/core.c"
#include "core/shards.c"
#include "core/snapshot.c"
#include "core/hits.c"
#include "core/lastmatch.c"
#include "core/regex.c"
#include "core/prettylists.c"
#include "objects/core_setup.c"
#include "objects/core_values.c"
#include "probe/lifecycle.c"
#include "user/access.c"
#include "core/nostacks.c"
#include "user/nokernelstack.c"
#ifdef STP_BPF
#include "user/bpfcallpoint.c"
#include "user/bpfcgroup.c"
#include "user/bpfcode.c"
#include "user/bpffields.c"
#include "user/bpffunction.c"
#include "user/bpfkernel.c"
#include "user/bpfload.c"
#include "user/bpfnesting.c"
#include "user/bpfperf.c"
#include "user/bpfpoint.c"
#include "user/bpfprocess.c"
#include "user/bpfreader.c"
#include "user/bpfrefusal.c"
#include "user/bpfsymbols.c"
#include "user/bpfsyscall.c"
#include "user/bpftargets.c"
#include "user/bpftasks.c"
#include "user/bpftraced.c"
#include "user/bpftracepoint.c"
#include "user/bpftrampoline.c"
#include "user/bpftypes.c"
#include "user/bpfuprobe.c"
#include "user/kerneltypes.c"
#endif
#include "lib/command.c"
#include "lib/commandline.c"
#include "user/control.c"
#include "user/drain.c"
#include "lib/heatcolor.c"
#include "user/snapshotreader.c"
#include "lib/notify.c"
#include "lib/outfile.c"
#include "user/port.c"
#include "user/reader.c"
#include "user/rights.c"
#include "lib/repeats.c"
#include "lib/dburl.c"
#include "lib/sinkpipe.c"
#include "user/target.c"
#include "user/timer.c"
#include "lib/trust.c"
#ifndef STP_NO_MAIN
#include "user/main.c"
#endif
