// SPDX-License-Identifier: GPL-2.0-or-later
// A stand-in of VS Code for an extension and its client library: what they ask the editor for, as its documentation
// has it. What is not here is a class that does nothing. The test reads what was said and registered.
'use strict';
const Module = require('module');

class Disposable {
	constructor(f) { this.dispose = f || (() => {}); }
	static from(...all) { return new Disposable(() => all.forEach(d => d.dispose())); }
}
class EventEmitter {
	constructor() {
		this.heard = new Set();
		this.event = (f, self) => {
			const listener = self ? f.bind(self) : f;
			this.heard.add(listener);
			return new Disposable(() => this.heard.delete(listener));
		};
	}
	fire(v) { for (const f of [...this.heard]) f(v); }
	dispose() { this.heard.clear(); }
}
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
	constructor(...at) {
		[this.start, this.end] = at.length < 4 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
	}
}
class Diagnostic {
	constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class MarkdownString {
	constructor(value = '') { this.value = value; }
	appendText(text) { this.value += text; return this; }
	appendMarkdown(text) { return this.appendText(text); }
	appendCodeblock(text) { return this.appendText('```\n' + text + '\n```\n'); }
}
class Hover { constructor(contents, range) { Object.assign(this, { contents: [].concat(contents), range }); } }
class CodeActionKind {
	constructor(value) { this.value = value; }
	append(part) { return new CodeActionKind(this.value + '.' + part); }
}
for (const kind of ['Empty', 'QuickFix', 'Refactor', 'RefactorExtract', 'RefactorInline', 'RefactorRewrite', 'Source',
	'SourceOrganizeImports', 'SourceFixAll']) CodeActionKind[kind] = new CodeActionKind(kind);
class Uri {
	static parse(text) { return Object.assign(new Uri(), { text, scheme: text.split(':')[0] }); }
	toString() { return this.text; }
}
class CancellationTokenSource {
	constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event }; }
	cancel() { this.token.isCancellationRequested = true; }
	dispose() {}
}

const events = {}, said = [], settings = {}, commands = {}, documents = [], diagnostics = new Map(), registered = {};

// Events and registrations of a part of the editor are all alike.
function part(name, known) {
	return new Proxy(known, { get(o, key) {
		if (key in o || typeof key === 'symbol') return o[key];
		if (/^on(Did|Will)/.test(key)) return (events[name + '.' + key] ??= new EventEmitter()).event;
		if (/^register/.test(key)) return (...args) => {
			const list = registered[key] ??= [];
			list.push(args);
			return new Disposable(() => list.splice(list.indexOf(args), 1));
		};
		return undefined;
	} });
}
const ignore = () => {};
const says = kind => async text => { said.push(kind + ': ' + text); };
const known = {
	version: '1.90.0', env: { appName: 'editor', language: 'en' },
	Disposable, EventEmitter, Position, Range, Diagnostic, MarkdownString, Hover, CodeActionKind, Uri,
	CancellationTokenSource,
	workspace: part('workspace', {
		textDocuments: documents, notebookDocuments: [], workspaceFolders: undefined,
		getConfiguration: section => ({ get: (key, otherwise) => settings[section + '.' + key] ?? otherwise }),
		createFileSystemWatcher: () => ({ dispose: ignore }),
	}),
	window: part('window', {
		visibleTextEditors: [], tabGroups: part('tabs', { all: [] }),
		createOutputChannel: name => ({ name, append: ignore, appendLine: ignore, clear: ignore, show: ignore,
			hide: ignore, dispose: ignore }),
		showErrorMessage: says('error'), showWarningMessage: says('warning'),
		showInformationMessage: says('information'),
	}),
	languages: part('languages', {
		createDiagnosticCollection: () => ({
			set: (uri, list) => diagnostics.set(uri.toString(), list || []), has: () => false,
			delete: uri => diagnostics.delete(uri.toString()), clear: () => diagnostics.clear(),
			dispose: () => diagnostics.clear(),
		}),
		match: (selector, d) => [].concat(selector).some(s => s.language === d.languageId) ? 10 : 0,
	}),
	commands: {
		registerCommand: (name, f) => { commands[name] = f; return new Disposable(() => delete commands[name]); },
	},
	extensions: part('extensions', {}), notebooks: part('notebooks', {}),
};
const editor = new Proxy(known, { get(o, key) {
	if (key in o || typeof key === 'symbol') return o[key];
	return o[key] = new Proxy(class {}, { get: (c, k) => k in c || typeof k === 'symbol' ? c[k] : 1 });
} });
const load = Module._load;
Module._load = function (name, ...rest) { return name === 'vscode' ? editor : load.call(this, name, ...rest); };
module.exports = { editor, events, said, settings, commands, documents, diagnostics, registered };
