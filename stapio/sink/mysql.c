/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MySQL and MariaDB. */
#include "stapio/messages.h"
#include "stapio/sink/database.h"
#include "stapio/sink/tabular.h"

static void *mysql_open(const char *where, const struct database_run *run)
{
	message_error("mysql: this stap was built without libmariadb; with its headers "
		      "(Debian: libmariadb-dev, Fedora: mariadb-connector-c-devel) make builds it in");
	return NULL;
}

const struct database_ops database_mysql = {
	.label = "MySQL", .is_shared = true, .open = mysql_open
};

TABULAR_SINK(mysql, true)
