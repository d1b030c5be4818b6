/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of a script's globals as text, while it runs: with stap --globals there is a
 * file `globals` next to the module's books. It has lines of fields separated by tabs,
 * all of them printable ASCII: any other byte of a string, and the backslash, is \xHH.
 * Readers skip lines that they do not know. A global is these lines, in this order:
 *
 *   global NAME TYPE STATE  TYPE: long, string or stats; for an array, its values' type;
 *                           STATE: ok; busy, its lock was held: no values follow
 *   use USE                 counter, it only grows (until it is deleted); or gauge
 *   key TYPE NAME           of an array: a key's type, and its name in the script
 *   help TEXT               the comment after its declaration, if there is one
 *   entries N               of an array: the elements that it has
 *   value KEY... VALUE      a scalar, or an element, with all its keys; the oldest first
 *   hist KIND LOW HIGH WIDTH FROM:TO:COUNT...
 *                           a histogram of the aggregate in the line before: log or
 *                           linear, the operator's numbers, and the buckets that are not
 *                           empty, with the least and the greatest value that they take
 *                           ("-inf", "inf": there is none)
 *   quantile SHARE VALUE    of an aggregate of @quantile: 0.5, 0.9 and 0.99 of the values
 *                           are not greater, within 1 %
 *
 * The VALUE of an aggregate is COUNT SUM MIN MAX AVG VARIANCE, six fields; "-" is a field
 * that the script does not keep, or that an empty one lacks. The last line is `end`.
 *
 * The values of a global are all from the same moment. As many elements are copied as fit
 * in 1 MB, and no more than take 65,536 memory accesses (one each, and one for each CPU
 * if probes only add to the array). If there are fewer `value` lines than `entries` says,
 * the newest are missing.
 */
#ifndef STP_UAPI_GLOBALS_H
#define STP_UAPI_GLOBALS_H

#define STP_GLOBALS_FILE "globals"

#endif
