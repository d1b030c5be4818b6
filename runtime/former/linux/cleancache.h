/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.17: there is none. */
