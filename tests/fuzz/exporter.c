/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entry of libFuzzer into stap-exporter: the state of a run, and its metrics. */
#include <stdint.h>

#include "exporter/metrics.h"
#include "exporter/text.h"
#include "exporter/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct values v = { .state = -1 };
	struct text t = { 0 };

	values_read(&v, (const char *)data, size);
	metrics_write(&t, &v, "script");
	text_free(&t);
	values_free(&v);
	return 0;
}
