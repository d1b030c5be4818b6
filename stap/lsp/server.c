/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The editor's requests, one row for each, with the function that answers it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/optioncommand.h"
#include "base/session.h"
#include "base/version.h"
#include "lib/arena.h"
#include "lib/subprocess.h"
#include "sem/tapset.h"
#include "stap/lsp/inference.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/rpc.h"

/* ---- children ---- */

static void answer_in_child(struct lsp *l, json_t *(*answer)(struct lsp *l, const json_t *params),
			    const json_t *id, const json_t *params)
{
	pid_t pid = fork();

	if (pid == 0) {
		rpc_answer(id, answer(l, params));
		_exit(0);
	}
	if (pid < 0 || subprocess_end(pid))
		rpc_fail(id, RPC_INTERNAL_ERROR, "stap has failed at this question");
}

static void check_all(struct lsp *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct document *d = &l->documents[i];
		pid_t pid = d->is_checked ? -1 : fork();

		if (pid == 0) {
			rpc_notify("textDocument/publishDiagnostics", findings_of(l, d));
			_exit(0);
		}
		if (pid > 0)
			subprocess_end(pid);
		d->is_checked = true;
	}
}

/* ---- requests that this process answers itself ---- */

static json_t *initialize(struct lsp *l, const json_t *params)
{
	json_t *abilities =
		json_pack("{s:{s:b,s:i}}", "textDocumentSync", "openClose", 1, "change", 1);
	static const char *const plain[] = { "hover",	       "definition",
					     "documentSymbol", "documentFormatting",
					     "references",     "foldingRange",
					     "inlayHint",      "workspaceSymbol" };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		json_object_set_new(abilities, arena_printf(l->s->arena, "%sProvider", plain[i]),
				    json_true());
	l->is_initialized = true;
	json_object_set_new(
		abilities, "completionProvider",
		json_pack("{s:[s,s,s,s,s]}", "triggerCharacters", ".", "$", "@", "\"", "/"));
	json_object_set_new(abilities, "signatureHelpProvider",
			    json_pack("{s:[s,s]}", "triggerCharacters", "(", ","));
	json_object_set_new(abilities, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
	json_object_set_new(abilities, "codeActionProvider",
			    json_pack("{s:[s]}", "codeActionKinds", "quickfix"));
	json_object_set_new(abilities, "semanticTokensProvider",
			    json_pack("{s:o,s:b}", "legend", paint_legend(), "full", 1));
	return json_pack("{s:o,s:{s:s,s:s}}", "capabilities", abilities, "serverInfo", "name",
			 "stap", "version", STAP_VERSION);
}

static json_t *shut_down(struct lsp *l, const json_t *params)
{
	l->is_shut_down = true;
	return NULL;
}

static json_t *leave(struct lsp *l, const json_t *params)
{
	l->is_done = true;
	return NULL;
}

static json_t *do_nothing(struct lsp *l, const json_t *params)
{
	return NULL;
}

static void take_text(struct lsp *l, const json_t *document, const json_t *text)
{
	const char *uri = json_string_value(json_object_get(document, "uri"));

	if (uri && json_is_string(text))
		documents_open(l, uri, json_integer_value(json_object_get(document, "version")),
			       json_string_value(text));
}

static json_t *did_open(struct lsp *l, const json_t *params)
{
	const json_t *document = json_object_get(params, "textDocument");

	take_text(l, document, json_object_get(document, "text"));
	return NULL;
}

/*
 * Applies changes in their order. The agreement is to send whole texts; some clients send
 * ranges nevertheless.
 */
static json_t *did_change(struct lsp *l, const json_t *params)
{
	const json_t *changes = json_object_get(params, "contentChanges"),
		     *document = json_object_get(params, "textDocument");

	for (size_t i = 0; i < json_array_size(changes); i++) {
		const json_t *change = json_array_get(changes, i),
			     *range = json_object_get(change, "range"),
			     *text = json_object_get(change, "text");
		const struct document *d = documents_asked(l, params);

		if (!json_is_object(range))
			take_text(l, document, text);
		else if (d && json_is_string(text))
			documents_replace(l, d,
					  json_integer_value(json_object_get(document, "version")),
					  range, json_string_value(text));
	}
	return NULL;
}

static json_t *did_close(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);

	if (d) {
		rpc_notify("textDocument/publishDiagnostics",
			   json_pack("{s:s,s:[]}", "uri", d->uri, "diagnostics"));
		documents_close(l, d->uri);
	}
	return NULL;
}

static const struct method {
	const char *name;
	bool is_for_children;
	json_t *(*run)(struct lsp *l, const json_t *params);
} methods[] = {
	{ "initialize", false, initialize },
	{ "initialized", false, do_nothing },
	{ "shutdown", false, shut_down },
	{ "exit", false, leave },
	{ "textDocument/didOpen", false, did_open },
	{ "textDocument/didChange", false, did_change },
	{ "textDocument/didClose", false, did_close },
	{ "textDocument/didSave", false, do_nothing },
	{ "textDocument/hover", true, words_answer_hover },
	{ "textDocument/completion", true, completion_answer },
	{ "textDocument/definition", true, words_answer_definition },
	{ "textDocument/documentSymbol", true, outline_answer_symbols },
	{ "textDocument/formatting", true, formatting_answer },
	{ "textDocument/signatureHelp", true, signature_answer_help },
	{ "textDocument/references", true, occurrences_answer_references },
	{ "textDocument/prepareRename", true, occurrences_answer_prepare },
	{ "textDocument/rename", true, occurrences_answer_rename },
	{ "textDocument/semanticTokens/full", true, paint_answer_tokens },
	{ "textDocument/codeAction", true, fixes_answer_actions },
	{ "textDocument/foldingRange", true, folding_answer_ranges },
	{ "textDocument/inlayHint", true, inference_answer_hints },
	{ "workspace/symbol", true, workspace_answer_symbols },
};

static const struct method *find_method(const char *name)
{
	for (size_t i = 0; name && i < sizeof(methods) / sizeof(methods[0]); i++)
		if (!strcmp(methods[i].name, name))
			return &methods[i];
	return NULL;
}

/* ---- messages ---- */

/*
 * Handles a message. Messages without an id expect no answer; unknown ones are ignored.
 */
static void take_message(struct lsp *l, const json_t *message)
{
	const char *name = json_string_value(json_object_get(message, "method"));
	const struct method *m = find_method(name);
	const json_t *id = json_object_get(message, "id"),
		     *params = json_object_get(message, "params");
	json_t *result;

	/* A message with a result is an answer, but this server sends no requests. */
	if (!name && id && !json_object_get(message, "result") &&
	    !json_object_get(message, "error"))
		rpc_fail(id, RPC_INVALID_REQUEST, "a request has a method");
	if (!name || (!m && !id))
		return;
	if (!m) {
		rpc_fail(id, RPC_METHOD_NOT_FOUND, "this server does not know that method");
	} else if (!l->is_initialized && m->run != initialize && m->run != leave) {
		if (id)
			rpc_fail(id, RPC_NOT_INITIALIZED, "initialize comes first");
	} else if (l->is_initialized && m->run == initialize) {
		rpc_fail(id, RPC_INVALID_REQUEST, "initialize comes once");
	} else if (l->is_shut_down && id) {
		rpc_fail(id, RPC_INVALID_REQUEST, "only exit is allowed after shutdown");
	} else if (m->is_for_children) {
		answer_in_child(l, m->run, id, params);
	} else {
		result = m->run(l, params);
		if (id)
			rpc_answer(id, result);
	}
}

/* Serves until the editor says exit. */
struct error *lsp_serve(struct session *s, int *status)
{
	struct lsp l = { .s = s };
	struct rpc input = { 0 };
	json_t *message;

	tapset_open(s);
	docs_read(s, &l.docs);
	s->quiet = true;
	while (!l.is_done && (message = rpc_read(&input)) != NULL) {
		take_message(&l, message);
		json_decref(message);
		if (!rpc_is_pending(&input))
			check_all(&l);
	}
	while (l.count)
		documents_close(&l, l.documents[0].uri);
	free(l.documents);
	free(input.data);
	*status = l.is_shut_down ? 0 : 1;
	return NULL;
}
