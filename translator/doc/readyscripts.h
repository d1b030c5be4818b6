/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts in examples/, by the head comment of each:
 *
 *   / *
 *    * NAME - what it shows
 *    * More about it.
 *    *
 *    * Usage: stap NAME.stp [ARGUMENT]
 *    * Words: what somebody looks for who needs it
 *    *
 *    * Sample:
 *    *     output of a real run
 *    *
 *    * Test-expect: REGEX     a line of the output that the guest test wants; also
 *                             Test-load, Test-arguments, Test-options, Test-always
 *    * /
 */
#ifndef STAP_DOC_READYSCRIPTS_H
#define STAP_DOC_READYSCRIPTS_H

#include <stdbool.h>

struct error;
struct session;

/*
 * --examples[=WORD]: prints a line for each script that has the word in its name, its
 * line or its words; for a script's name, its whole head. False: there is none.
 */
bool readyscripts_list(struct session *s, const char *word);
/* --example NAME: finds the path of that script. */
struct error *readyscripts_find(struct session *s, const char *name, const char **path);

#endif
