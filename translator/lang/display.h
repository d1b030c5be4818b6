/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Globals that are written but never read are the result of the script: they are printed
 * when it ends.
 */
#ifndef STAP_LANG_DISPLAY_H
#define STAP_LANG_DISPLAY_H

struct session;
struct handler;

/*
 * Adds an `end` probe, after all others, that prints them: name=0x1, name="text",
 * name[key,…]=…, name @count=… . Returns its handler, whose nodes have no types yet; NULL
 * if there is nothing to print.
 */
struct handler *display_add(struct session *s);

#endif
