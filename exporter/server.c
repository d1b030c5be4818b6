/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exporter/auth.h"
#include "exporter/callers.h"
#include "exporter/text.h"
#include "exporter/webconfig.h"

#define BACKLOG		64
#define SILENCE_S	10 /* a connection that is silent for this time is closed */
#define REQUEST_BYTES	(32u << 10)
#define DEFAULT_ADDRESS "127.0.0.1"
#define NAME_MOST	256

static const struct server_site *site;

/* ---- callers ---- */

static struct caller *caller_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/*
 * Returns the connection's socket; -1: it has none. The structure that libmicrohttpd 1.0
 * returns is overwritten by the next call.
 */
static int socket_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	return info ? info->connect_fd : -1;
}

static const struct sockaddr *address_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

	return info ? info->client_addr : NULL;
}

void server_goes_on(struct MHD_Connection *c)
{
	callers_set(caller_of(c), CALLER_STAYS);
}

/* Called when a connection begins and ends. */
static void on_connection(void *unused, struct MHD_Connection *c, void **caller,
			  enum MHD_ConnectionNotificationCode what)
{
	const struct sockaddr *from = address_of(c);
	int fd = socket_of(c);

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		callers_leave(*caller);
		*caller = NULL;
		return;
	}
	*caller = fd >= 0 && from ? callers_take(fd, from) : NULL;
	if (fd >= 0 && !*caller)
		shutdown(fd, SHUT_RDWR);
}

/* Called when an answer has been sent: another request may follow on the connection. */
static void on_answered(void *unused, struct MHD_Connection *c, void **state,
			enum MHD_RequestTerminationCode how)
{
	callers_set(caller_of(c), CALLER_ASKS);
}

/* ---- answers ---- */

void server_add_headers(struct MHD_Response *r)
{
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	if (site->policy) {
		MHD_add_response_header(r, "Content-Security-Policy", site->policy);
		MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
		MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	}
}

enum MHD_Result server_answer(struct MHD_Connection *c, unsigned status, const char *type,
			      struct text *t)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(t->len, t->s ? t->s : (char *)"",
								 MHD_RESPMEM_MUST_COPY);
	enum MHD_Result ret;

	text_free(t);
	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	server_add_headers(r);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, site->allowed);
		MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	}
	if (status == MHD_HTTP_UNAUTHORIZED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE,
					"Basic realm=\"stap-exporter\", charset=\"UTF-8\"");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	callers_set(caller_of(c), CALLER_READS);
	ret = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return ret;
}

enum MHD_Result server_answer_words(struct MHD_Connection *c, unsigned status, const char *words)
{
	struct text t = { 0 };

	text_adds(&t, words);
	return server_answer(c, status, "text/plain; charset=utf-8", &t);
}

/*
 * Returns the status of the answer: OK, UNAUTHORIZED, or the one for too many waiting
 * callers.
 */
static unsigned may_read(struct MHD_Connection *c, const struct webconfig *config)
{
	char *password = NULL, *name = MHD_basic_auth_get_username_password(c, &password);
	unsigned ret = MHD_HTTP_UNAUTHORIZED;

	if (auth_is_remembered(config, name, password))
		ret = MHD_HTTP_OK;
	else if (name && password && !callers_may_hash(caller_of(c)))
		ret = MHD_HTTP_SERVICE_UNAVAILABLE;
	else if (auth_is_right(config, name, password))
		ret = MHD_HTTP_OK;
	if (password)
		explicit_bzero(password, strlen(password));
	MHD_free(name);
	MHD_free(password);
	return ret;
}

static enum MHD_Result serve(void *ctx, struct MHD_Connection *c, const char *url,
			     const char *method, const char *version, const char *data,
			     size_t *size, void **state)
{
	const struct webconfig *config = ctx;
	bool is_post = !strcmp(method, MHD_HTTP_METHOD_POST) && site->post;
	unsigned status;

	if (!is_post && strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD)) {
		*size = 0;
		return server_answer_words(c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or HEAD\n");
	}
	/* The first call comes before the body; no request has a body of interest. */
	if (!*state) {
		*state = (void *)1;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;
		return MHD_YES;
	}
	status = may_read(c, config);
	if (status == MHD_HTTP_UNAUTHORIZED)
		return server_answer_words(c, status, "Unauthorized\n");
	if (status != MHD_HTTP_OK)
		return server_answer_words(c, status, "too many passwords are being checked\n");
	callers_set(caller_of(c), CALLER_WAITS);
	return is_post ? site->post(c, url) : site->get(c, url);
}

/* ---- the address ---- */

struct place {
	char host[256], port[8];
};

static bool parse(const char *where, struct place *ret)
{
	const char *colon = strrchr(where, ':'), *end = colon ? colon : where;
	const char *port = colon ? colon + 1 : where, *begin = where;
	char *rest;
	long n = strtol(port, &rest, 10);

	if (rest == port || *rest || n < 0 || n > 65535 || *port == '-' || *port == '+')
		return false;
	if (*begin == '[') {
		begin++;
		if (end <= begin || end[-1] != ']')
			return false;
		end--;
	} else if (memchr(begin, ':', (size_t)(end - begin))) {
		return false;
	}
	if ((size_t)(end - begin) >= sizeof(ret->host))
		return false;
	snprintf(ret->host, sizeof(ret->host), "%.*s", (int)(end - begin), begin);
	snprintf(ret->port, sizeof(ret->port), "%ld", n);
	return true;
}

bool server_can_parse(const char *where)
{
	struct place p;

	return parse(where, &p);
}

/* Binds a socket. -1 with a message. */
static int bind_at(const char *where)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found = NULL;
	struct place p;
	int fd = -1, rc, one = 1;

	if (!parse(where, &p)) {
		fprintf(stderr, "stap-exporter: '%s' is not ADDRESS:PORT\n", where);
		return -1;
	}
	rc = getaddrinfo(*p.host ? p.host : DEFAULT_ADDRESS, p.port, &hints, &found);
	if (rc) {
		fprintf(stderr, "stap-exporter: %s: %s\n", where, gai_strerror(rc));
		return -1;
	}
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, BACKLOG)) {
		fprintf(stderr, "stap-exporter: %s: %s\n", where, strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}

static void say_where(int fd, bool tls)
{
	char host[64] = "", port[8] = "";
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);

	if (getsockname(fd, (struct sockaddr *)&a, &len) ||
	    getnameinfo((struct sockaddr *)&a, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	printf(strchr(host, ':') ? "%s://[%s]:%s/%s\n" : "%s://%s:%s/%s\n", tls ? "https" : "http",
	       host, port, site->path);
	fflush(stdout);
}

/* Starts a server on a listening socket. */
static struct MHD_Daemon *start(int fd, const struct webconfig *config)
{
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
			 MHD_USE_POLL | MHD_USE_ITC | (config->certificate ? MHD_USE_TLS : 0);
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, config->certificate },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, config->key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, config->priorities },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (!config->certificate)
		tls[0] = tls[3];
	return MHD_start_daemon(flags, 0, NULL, NULL, serve, (void *)config,
				MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
				CALLERS_MOST + CALLERS_SPARE, MHD_OPTION_NOTIFY_CONNECTION,
				on_connection, NULL, MHD_OPTION_NOTIFY_COMPLETED, on_answered, NULL,
				MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_S,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
				MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

static void say_no_server(const char *where, const struct webconfig *config)
{
	fprintf(stderr, "stap-exporter: %s: no server%s\n", where,
		config->certificate ? "; are cert_file and key_file those of a pair?" : "");
}

struct MHD_Daemon *server_begin(const char *where, const struct webconfig *config,
				const struct server_site *pages)
{
	int fd = bind_at(where);
	struct MHD_Daemon *d;

	site = pages;
	if (fd < 0)
		return NULL;
	d = callers_begin() ? start(fd, config) : NULL;
	if (!d) {
		say_no_server(where, config);
		close(fd);
		return NULL;
	}
	say_where(fd, config->certificate);
	return d;
}

/* Completes the answers that are being sent, for as long as a caller may be silent. */
static void let_go(struct MHD_Daemon *d)
{
	int fd = MHD_quiesce_daemon(d);
	const union MHD_DaemonInfo *info;

	for (unsigned i = 0; i < SILENCE_S * 20; i++) {
		info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
		if (!info || !info->num_connections)
			break;
		usleep(50000);
	}
	MHD_stop_daemon(d);
	if (fd >= 0)
		close(fd);
}

struct MHD_Daemon *server_renew(struct MHD_Daemon *d, const struct webconfig *config)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_LISTEN_FD);
	int fd = info ? fcntl(info->listen_fd, F_DUPFD_CLOEXEC, 0) : -1;
	struct MHD_Daemon *next = fd < 0 ? NULL : start(fd, config);

	if (!next) {
		say_no_server(config->files[0], config);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	let_go(d);
	return next;
}

void server_end(struct MHD_Daemon *d)
{
	MHD_stop_daemon(d);
}
