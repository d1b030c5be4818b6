/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of messages, by the files explain/NAME.txt:
 *
 *   NAME - what they are about
 *   message: how a message of the class reads; '*' stands for any text
 *   message: …
 *   kernel: yes            its scripts are about a kernel
 *   runs: yes              the message comes when the script runs
 *   runs: in a kernel      … in a kernel alone: the test only translates its scripts
 *   debuginfo: no          the test hides all debuginfo
 *
 *   The cause, in sentences.
 *
 *   wrong: OPTIONS         options of stap, if the message depends on any
 *   	a script that is told so
 *
 *   right: OPTIONS
 *   	a script that is not
 *
 * A message belongs to the class with the pattern that says most of it. The test
 * tests/cli/explain.sh checks the files against all messages of the translator, and runs
 * the scripts.
 */
#ifndef STAP_DOC_EXPLAIN_H
#define STAP_DOC_EXPLAIN_H

#include <stdbool.h>

struct session;

/* Sets s->explained to the words of --explain for the errors that were reported. */
void explain_reported(struct session *s);

#endif
