/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signature that the kernel asks for (Secure Boot), behind the module in its file. */
#ifndef STAPRUN_MODSIG_H
#define STAPRUN_MODSIG_H

struct load;

/* Says why the kernel takes no module without, or with this one, and what helps. */
void modsig_hint(const struct load *l);

#endif
