/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a run as text, for stap --status: lines of fields separated by tabs. The
 * last field is the rest of its line. Readers skip lines that they do not know.
 *
 *   name NAME         the module's, or the program's of --runtime=user
 *   owner UID         who runs it
 *   pid PID           the process that reads it, or that is it; 0: none
 *   kept 0|1          it continues without a reader
 *   state N           enum stp_state
 *   started SECONDS   since 1970, by the clock at the start; 0: it has not started
 *   script TEXT       its file, or the text of -e
 *   point INDEX POINT each probe, in order
 *   off INDEX         it is switched off: its hits are "filtered" and do not count
 *   probe …, skipped …, contended …   the books: uapi/msg.h
 *
 * The file `about` of a module has the lines from `state` to `point`. staprun --status
 * writes "run BYTES\n" and that many bytes of such lines for each module; staprun
 * --globals does so for one module, with its values. A program of --runtime=user has a
 * socket in the abstract namespace, STP_RUN_SOCKET: it reads one request, a line, from
 * its own user or root, and answers
 *
 *   status            the lines, and the end of the connection
 *   globals           the same, and of stap --globals the values: uapi/globals.h
 *   switch WHICH:on   "ok", and the end of the connection. WHICH is a probe's index, or
 *   switch WHICH:off  "all". Probes that the script runs by itself (begin, end, error)
 *                     have no switch. The file `switch` of a module takes WHICH:on and
 *                     WHICH:off as well
 *   stop              "unread N", when it ends: records that nobody has read, of a run
 *                     without a reader; the connection ends with the program
 *   attach            of a run without a reader (staprun -L): "ok" gives the turn to read
 *                     to this connection, until it ends; "read PID": another one has it;
 *                     "own": the program writes its output itself. Then
 *   read FLAGS [FORM] "reading"; two descriptors come with it, pipes for the output and
 *                     for messages (runtime/user/reader.c has the flags). The connection
 *                     takes "stop", and gets "end STATUS LOST GIVEN UNREAD" when the run
 *                     ends: records that it was given as data, and that nobody has read
 *   detach            "detached GIVEN": the run continues without a reader
 *
 * `owner` and `pid` are not among its lines: the kernel tells who owns the socket.
 */
#ifndef STP_UAPI_STATUS_H
#define STP_UAPI_STATUS_H

/*
 * Follows a NUL, and is followed by NAME/PID or, if that is taken, NAME/PID-RANDOM. Both
 * are listed in /proc/net/unix. The kernel tells who owns the socket (lib/trust.h).
 */
#define STP_RUN_SOCKET	     "stap-run/"
#define STP_RUN_REQUEST_SIZE 64

#endif
