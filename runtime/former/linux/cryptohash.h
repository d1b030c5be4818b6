/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gone since Linux 5.8. */
#include <crypto/sha1.h>
