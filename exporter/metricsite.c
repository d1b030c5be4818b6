/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of metrics: a list of the scripts, and each script's globals at /NAME.stp. */
#include <microhttpd.h>
#include <string.h>

#include "exporter/metrics.h"
#include "exporter/runs.h"
#include "exporter/server.h"
#include "exporter/text.h"

#define NAME_MOST 256

/* A script's name has no character that is special in HTML. */
static void add_link(void *ctx, const char *name)
{
	text_addf(ctx, "<li><a href=\"/%s.stp\">%s</a></li>\n", name, name);
}

static enum MHD_Result answer_list(struct MHD_Connection *c)
{
	struct text t = { 0 };

	text_adds(&t, "<!DOCTYPE html>\n<html lang=\"en\">"
		      "<head><title>stap exporter</title></head>\n"
		      "<body><h1>stap exporter</h1>\n<ul>\n");
	runs_each(add_link, &t);
	text_adds(&t, "<li><a href=\"/metrics\">metrics of the exporter itself</a></li>\n</ul>"
		      "</body></html>\n");
	return server_answer(c, MHD_HTTP_OK, "text/html; charset=utf-8", &t);
}

static enum MHD_Result answer_script(struct MHD_Connection *c, const char *path)
{
	static const unsigned status[RUNS_RESULTS] = {
		[RUNS_OK] = MHD_HTTP_OK,
		[RUNS_UNKNOWN] = MHD_HTTP_NOT_FOUND,
		[RUNS_NOT_YET] = MHD_HTTP_SERVICE_UNAVAILABLE,
		[RUNS_FAILED] = MHD_HTTP_SERVICE_UNAVAILABLE,
	};
	char name[NAME_MOST];
	struct text t = { 0 };
	enum runs_result result;
	size_t n = strlen(path);

	if (n > 4 && n < sizeof(name) && !strcmp(path + n - 4, ".stp"))
		n -= 4;
	if (n >= sizeof(name))
		return server_answer_words(c, MHD_HTTP_NOT_FOUND, "no such script\n");
	memcpy(name, path, n);
	name[n] = 0;
	result = runs_scrape(name, &t);
	return server_answer(c, status[result], result == RUNS_OK ? METRICS_TYPE : "text/plain",
			     &t);
}

static enum MHD_Result get(struct MHD_Connection *c, const char *url)
{
	struct text t = { 0 };

	if (!strcmp(url, "/"))
		return answer_list(c);
	if (!strcmp(url, "/metrics")) {
		runs_self(&t);
		return server_answer(c, MHD_HTTP_OK, METRICS_TYPE, &t);
	}
	return answer_script(c, url + 1);
}

const struct server_site metricsite = { .path = "", .allowed = "GET, HEAD", .get = get };
