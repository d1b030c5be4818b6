/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/source/rawheader.h"

#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "trace/dictionary.h"
#include "uapi/msg.h"
#include "uapi/record.h"

uint64_t rawheader_bytes(const char *module, const char *host, const struct tables *t)
{
	return sizeof(struct raw_header) + strlen(module) + strlen(host) + t->formats.size +
	       t->probes.size;
}

struct raw_header rawheader_make(const char *module, const char *host, const struct tables *t,
				 uint32_t nrings)
{
	return (struct raw_header){
		.magic = RAW_MAGIC,
		.version = RAW_VERSION,
		.abi = STP_ABI,
		.bytes = (uint32_t)STP_RECORD_ALIGN((uint32_t)rawheader_bytes(module, host, t)),
		.nrings = nrings,
		.module_bytes = (uint32_t)strlen(module),
		.host_bytes = (uint32_t)strlen(host),
		.nformats = t->formats.count,
		.nprobes = t->probes.count,
		.formats_bytes = (uint32_t)t->formats.size,
		.probes_bytes = (uint32_t)t->probes.size,
		.session = clock_ns(CLOCK_REALTIME),
		.monotonic = clock_now(),
	};
}
