/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes cannot read the registers of floating-point numbers. */
#ifndef STP_ARCH_VECTOR_H
#define STP_ARCH_VECTOR_H
#endif
