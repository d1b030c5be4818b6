/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live page of a run: the site `livesite` of server.h. */
#ifndef EXPORTER_LIVESITE_H
#define EXPORTER_LIVESITE_H

#include <stdbool.h>

/* Makes the token. False with a message. */
bool livesite_begin(void);

#endif
