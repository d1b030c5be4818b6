/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts in examples/, by the head comment of each:
 *
 *   / *
 *    * NAME - what it shows
 *    * More about it.
 *    *
 *    * Usage: stap NAME.stp [ARGUMENT] [-G by=cgroup|container] [-x PID | -c COMMAND]
 *    * Words: what somebody looks for who needs it
 *    *
 *    * Sample:
 *    *     output of a real run
 *    *
 *    * Test-expect: REGEX     a line of the output that the guest test wants
 *    * Test-refuse: REGEX     one that may not be there
 *    * Test-load: COMMAND     run with -c, instead of the round of work that all look at
 *    * Test-load-options: …   of staprun, with the load: then the round is looked at, too
 *    * Test-load-expect: REGEX
 *    * Test-attach: COMMAND   run with -x; goes on at a line of input, says when it is
 *                             done
 *    * Test-outsider: REGEX   a line about somebody else, in a run with a target
 *                             (outsider)
 *    * Test-options: …        of stap
 *    * Test-arguments: …      of the script
 *    * Test-always: yes       run without SLOW=1, too
 *    * /
 */
#ifndef STAP_DOC_READYSCRIPTS_H
#define STAP_DOC_READYSCRIPTS_H

#include <stdbool.h>

struct error;
struct session;

/* --example NAME: finds the path of that script. */
struct error *readyscripts_find(struct session *s, const char *name, const char **path);

#endif
