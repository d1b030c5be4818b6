/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signature that the kernel requires (Secure Boot), at the end of the module's file.
 */
#ifndef STAPRUN_MODSIG_H
#define STAPRUN_MODSIG_H

struct load;

/*
 * Prints why the kernel refuses the module without a signature or with this one, and the
 * remedy.
 */
void modsig_hint(const struct load *l);

#endif
