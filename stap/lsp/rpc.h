/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON-RPC 2.0 as in the Language Server Protocol: each message follows a header with its
 * length.
 */
#ifndef STAP_LSP_RPC_H
#define STAP_LSP_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes from standard input that are not yet a complete message. */
struct rpc {
	char *data;
	size_t len, capacity;
};

/* The protocol's error codes. */
enum rpc_error {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INTERNAL_ERROR = -32603,
	RPC_NOT_INITIALIZED = -32002,
};

/*
 * Returns the next message, which the caller owns; NULL: there will be none. Invalid
 * input is answered with an error.
 */
json_t *rpc_read(struct rpc *r);
/* True: there is input already; slow work should wait until it is handled. */
bool rpc_is_pending(const struct rpc *r);

/* These functions take over `result` and `params`. */
void rpc_answer(const json_t *id, json_t *result);
void rpc_notify(const char *method, json_t *params);
void rpc_fail(const json_t *id, enum rpc_error code, const char *text);

#endif
