/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user-space runtime as one unit; with a script's C it is a program:
 *
 *   gcc -std=gnu11 -O2 -I runtime -o program script.c runtime/user/runtime.c
 *
 * With STP_NO_MAIN it is a library for tests.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/core_arrays.c"
#include "objects/core.c"
#include "core/snapshot.c"
#include "core/hits.c"
#include "core/matched.c"
#include "core/regex.c"
#include "objects/core_setup.c"
#include "objects/core_values.c"
#include "probe/marker.c"
#include "user/access.c"
#include "user/books.c"
#include "user/colored.c"
#include "user/command.c"
#include "user/commandline.c"
#include "user/control.c"
#include "user/drain.c"
#include "user/heatcolor.c"
#include "user/warnings.c"
#include "user/snapshotreader.c"
#include "user/notify.c"
#include "user/outfile.c"
#include "user/port.c"
#include "user/rawout.c"
#include "user/repeats.c"
#include "user/dburl.c"
#include "user/sinkpipe.c"
#include "user/target.c"
#include "user/timer.c"
#include "user/trust.c"
#ifndef STP_NO_MAIN
#include "user/main.c"
#endif
