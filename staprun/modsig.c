/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See modsig.h. Only the end of the signature is read: the kernel checks it, and staprun,
 * which is set-uid, reads no more than necessary.
 */
#include "staprun/modsig.h"

#include <stdbool.h>
#include <string.h>

#include "staprun/load.h"
#include "staprun/report.h"

static const char mark[] = "~Module signature appended~\n";

static bool is_signed(const struct load *l)
{
	size_t n = sizeof(mark) - 1;

	return l->image.size > n && !memcmp(l->image.data + l->image.size - n, mark, n);
}

void modsig_hint(const struct load *l)
{
	if (is_signed(l) && l->is_renamed)
		report_hint("-R changed its name, and no signature survives that: without -R it "
			    "may be loaded");
	else if (is_signed(l))
		report_hint("it is signed, but by a key that this kernel does not know, or was "
			    "changed since: modinfo %s names the key, mokutil --test-key CERT says "
			    "whether it is enrolled",
			    l->path);
	else
		report_hint("it has no signature, and this kernel loads only signed modules "
			    "(Secure Boot): stap --make-key makes a key and says how to enrol it; "
			    "then stap signs modules");
}
