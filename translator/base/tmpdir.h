/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session's temporary directory; run/cleaner.c removes it. */
#ifndef STAP_BASE_TMPDIR_H
#define STAP_BASE_TMPDIR_H

struct error;
struct session;

/* Sets *ret to s->tmp_dir, made on first use under TMPDIR or /tmp, mode 0700. */
struct error *tmpdir_of(struct session *s, const char **ret);

#endif
