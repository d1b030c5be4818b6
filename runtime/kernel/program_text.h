/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of stacks of programs. Linked together with program_stack.c. */
#ifndef STP_KERNEL_PROGRAM_TEXT_H
#define STP_KERNEL_PROGRAM_TEXT_H

int program_texts_create(void);
void program_texts_destroy(void);

#endif
