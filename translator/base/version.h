/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_VERSION_H
#define STAP_VERSION_H

#define STAP_VERSION "0.1"

#endif
