// SPDX-License-Identifier: GPL-2.0-or-later
// Starts `stap --language-server` for scripts, by the editor's client library.
'use strict';
const vscode = require('vscode');

let client;

// The library is npm's, and lies beside the extension where it was installed there.
function library() {
	try {
		return require('vscode-languageclient/node');
	} catch (e) {
		if (e.code !== 'MODULE_NOT_FOUND') throw e;
		return null;
	}
}

async function start() {
	const settings = vscode.workspace.getConfiguration('stap');
	if (!settings.get('languageServer.enable')) return;
	const found = library();
	if (!found) {
		vscode.window.showWarningMessage(
			`stap: only colours, without vscode-languageclient: npm install --prefix '${__dirname}' gets it`);
		return;
	}
	const command = settings.get('path');
	client = new found.LanguageClient('stap', 'stap',
		{ command, args: [...settings.get('arguments'), '--language-server'] },
		{ documentSelector: [{ scheme: 'file', language: 'stap' }] });
	try {
		await client.start();
	} catch {
		client = undefined;
		vscode.window.showErrorMessage(`stap: ${command} --language-server does not run: stap.path names the program`);
	}
}

async function stop() {
	const running = client;
	client = undefined;
	if (running) await running.stop();
}

// One after another: settings may change while the server starts.
let turn = Promise.resolve();
function next(...steps) {
	for (const step of steps) turn = turn.then(step);
	return turn;
}

exports.activate = context => {
	context.subscriptions.push(
		vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration('stap') ? next(stop, start) : turn),
		vscode.commands.registerCommand('stap.restart', () => next(stop, start)));
	return next(start);
};
exports.deactivate = () => next(stop);
