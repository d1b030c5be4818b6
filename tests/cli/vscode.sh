# SPDX-License-Identifier: GPL-2.0-or-later
# The language server with VS Code's protocol library as client, in node: the library checks the messages. Then the
# extension: the editor's client library starts the server for it, with vscodeeditor.js for the editor.
# skip: is_slow "the protocol library of VS Code asks" || no_program node
# skip: [ ! -d build/unpacked/node/node_modules/vscode-languageclient ] && echo "no client library: tools/deps.sh slow"
. "$TOP/tests/cli/expect.inc"
cat > script.stp <<'END'
global n // ä𝄞
probe kernel.function("vfs_read") { n[execname()]++ }
probe end { foreach (name in n) printf("%s %d\n", name, n[name])
println(exexname()) }
END
cat > ask.js <<'END'
const { spawn } = require('child_process');
const fs = require('fs');
const p = require('vscode-languageserver-protocol/node');
const out = [];
const say = (...words) => out.push(words.join(' '));

async function main() {
	const server = spawn(process.env.STAP, ['-r', process.env.KERNEL, '--language-server'],
		{ stdio: ['pipe', 'pipe', 'inherit'] });
	const ended = new Promise(done => server.on('exit', done));
	const c = p.createProtocolConnection(new p.StreamMessageReader(server.stdout),
		new p.StreamMessageWriter(server.stdin));
	c.onError(e => say('error', e));
	c.onUnhandledNotification(n => say('unhandled', n.method));
	const uri = 'file://' + encodeURI(process.cwd()) + '/script.stp';
	const textDocument = { uri };
	const verdicts = [];
	let told = () => {};
	c.onNotification(p.PublishDiagnosticsNotification.type, v => {
		verdicts.push(v);
		told();
	});
	const verdict = async version => {
		while (!verdicts.some(v => v.version === version)) await new Promise(done => told = done);
		return verdicts.find(v => v.version === version);
	};
	c.listen();
	const started = await c.sendRequest(p.InitializeRequest.type, {
		processId: process.pid, rootUri: null, workspaceFolders: null,
		capabilities: {
			general: { positionEncodings: ['utf-16'] },
			textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] },
				codeAction: { codeActionLiteralSupport: {
					codeActionKind: { valueSet: ['quickfix'] } } },
				synchronization: { didSave: true }, rename: { prepareSupport: true } } } });
	say('server', started.serverInfo.name);
	await c.sendNotification(p.InitializedNotification.type, {});
	await c.sendNotification('$/setTrace', { value: 'off' });
	await c.sendNotification('workspace/didChangeConfiguration', { settings: null });
	const text = fs.readFileSync('script.stp', 'utf8');
	await c.sendNotification(p.DidOpenTextDocumentNotification.type,
		{ textDocument: { uri, languageId: 'stap', version: 1, text } });
	const wrong = await verdict(1);
	for (const d of wrong.diagnostics) say('diagnostic', d.range.start.line, d.range.start.character, d.message);
	const at = (line, character) => ({ textDocument, position: { line, character } });

	const hover = await c.sendRequest(p.HoverRequest.type, at(1, 42));
	say('hover', hover.contents.value.includes('execname:string()'));
	const list = await c.sendRequest(p.CompletionRequest.type, at(1, 46));
	say('completion', list.items.map(i => i.label + ' ' + i.detail).join(' '));
	const help = await c.sendRequest(p.SignatureHelpRequest.type, at(1, 47));
	say('signature', help.signatures[help.activeSignature || 0].label);
	const where = await c.sendRequest(p.DefinitionRequest.type, at(1, 37));
	say('definition', where.uri === uri, where.range.start.line);
	const uses = await c.sendRequest(p.ReferencesRequest.type,
		{ ...at(0, 7), context: { includeDeclaration: true } });
	say('references', uses.map(u => u.range.start.line + ':' + u.range.start.character).join(' '));
	const may = await c.sendRequest(p.PrepareRenameRequest.type, at(0, 7));
	say('prepareRename', JSON.stringify(may));
	const edit = await c.sendRequest(p.RenameRequest.type, { ...at(0, 7), newName: 'calls' });
	say('rename', edit.changes[uri].length);
	const symbols = await c.sendRequest(p.DocumentSymbolRequest.type, { textDocument });
	for (const s of symbols) say('symbol', p.DocumentSymbol.is(s), s.kind, s.name);
	const paint = await c.sendRequest(p.SemanticTokensRequest.type, { textDocument });
	const legend = started.capabilities.semanticTokensProvider.legend;
	const kinds = new Set();
	for (let i = 0; i < paint.data.length; i += 5) kinds.add(legend.tokenTypes[paint.data[i + 3]]);
	say('tokens', paint.data.length % 5, [...kinds].sort().join(' '));
	const wanted = wrong.diagnostics.find(d => d.message.includes('did you mean'));
	const actions = await c.sendRequest(p.CodeActionRequest.type,
		{ textDocument, range: wanted.range, context: { diagnostics: [wanted] } });
	for (const a of actions) say('action', p.CodeAction.is(a), a.kind, a.title, p.WorkspaceEdit.is(a.edit));
	const layout = await c.sendRequest(p.DocumentFormattingRequest.type,
		{ textDocument, options: { tabSize: 8, insertSpaces: false } });
	say('formatting', layout.length, p.TextEdit.is(layout[0]));
	const folds = await c.sendRequest(p.FoldingRangeRequest.type, { textDocument });
	for (const f of folds) say('fold', p.FoldingRange.is(f), f.startLine, f.endLine, f.kind || '');
	const everything = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
	const hints = await c.sendRequest(p.InlayHintRequest.type, { textDocument, range: everything });
	for (const h of hints) say('hint', p.InlayHint.is(h), h.position.line, h.position.character, h.label, h.kind);
	const names = await c.sendRequest(p.WorkspaceSymbolRequest.type, { query: 'execnam' });
	for (const s of names.slice(0, 2)) say('name', p.Location.is(s.location), s.kind, s.name);

	// A question that is taken back has an answer, and so has one that the server does not know.
	const cancel = new p.CancellationTokenSource();
	const asked = c.sendRequest(p.HoverRequest.type, at(1, 42), cancel.token);
	cancel.cancel();
	await asked.then(() => say('cancelled', 'answered'), e => say('cancelled', e.code));
	await c.sendRequest('textDocument/moniker', { textDocument }).then(() => say('unknown', 'answered'),
		e => say('unknown', e.code === p.ErrorCodes.MethodNotFound));
	await c.sendNotification(p.DidChangeTextDocumentNotification.type, {
		textDocument: { uri, version: 2 },
		contentChanges: [{ text: text.replace('exexname()', 'execname()') }] });
	say('mended', (await verdict(2)).diagnostics.length);
	// Paths, words of the language, and what stands beside an error of syntax.
	const more = { uri: uri + '2' };
	const lines = ['probe begin{', '\twhi', '}', 'probe process("/usr/bi', '', 'probe end{', 'nothing() }', ''];
	await c.sendNotification(p.DidOpenTextDocumentNotification.type,
		{ textDocument: { uri: more.uri, languageId: 'stap', version: 3, text: lines.join('\n') } });
	for (const d of (await verdict(3)).diagnostics) say('beside', d.range.start.line, d.message.split(';')[0]);
	for (const [line, character] of [[1, 4], [3, 22]]) {
		const found = await c.sendRequest(p.CompletionRequest.type,
			{ textDocument: more, position: { line, character } });
		for (const i of found.items) say('item', p.TextEdit.is(i.textEdit), i.label, i.kind, i.textEdit.newText,
			i.textEdit.range.start.character);
	}
	for (const e of await c.sendRequest(p.DocumentFormattingRequest.type,
		{ textDocument: more, options: { tabSize: 8, insertSpaces: false } }))
		say('edit', p.TextEdit.is(e), e.range.start.line, e.range.end.line, JSON.stringify(e.newText));
	for (const f of await c.sendRequest(p.FoldingRangeRequest.type, { textDocument: more }))
		say('fold', p.FoldingRange.is(f), f.startLine, f.endLine);
	await c.sendNotification(p.DidCloseTextDocumentNotification.type, { textDocument: more });
	while (verdicts[verdicts.length - 1].diagnostics.length) await new Promise(done => told = done);
	await c.sendNotification(p.DidSaveTextDocumentNotification.type, { textDocument });
	await c.sendNotification(p.DidCloseTextDocumentNotification.type, { textDocument });
	while (verdicts[verdicts.length - 1].diagnostics.length) await new Promise(done => told = done);
	say('closed', verdicts.length);
	say('shutdown', await c.sendRequest(p.ShutdownRequest.type));
	await c.sendNotification(p.ExitNotification.type);
	say('exit', await ended);
}
main().catch(e => say('failed', e.stack)).finally(() => {
	fs.writeFileSync('node.out', out.join('\n') + '\n');
	process.exit(0);
});
END
cat > want <<'END'
server stap
diagnostic 3 8 there is no function 'exexname'; did you mean 'execname' or 'pexecname'
hover true
completion execname execname:string()
signature execname:string()
definition true 0
references 0:7 1:36 2:29 2:56
prepareRename {"start":{"line":0,"character":7},"end":{"line":0,"character":8}}
rename 4
symbol true 13 n
symbol true 24 kernel.function("vfs_read")
symbol true 24 end
tokens 0 comment event function keyword string variable
action true quickfix Replace with 'execname' true
action true quickfix Replace with 'pexecname' true
formatting 1 true
hint true 0 8 [string]:long 1
hint true 2 25 :string 1
name true 12 execname
name true 12 pexecname
cancelled answered
unknown true
mended 0
beside 3 string is never closed
beside 6 there is no function 'nothing'
beside 1 'whi' is never assigned
item true while 14 while 1
item true bin/ 19 bin/ 20
edit true 0 3 "probe begin {\n\twhi\n}\n"
edit true 5 7 "probe end {\n\tnothing() }\n"
fold true 0 1
closed 4
shutdown 
exit 0
END
export STAP KERNEL
check 0 '!.' -- env NODE_PATH="$TOP/build/unpacked/node/node_modules" node ask.js
diff want node.out > differs || { cat differs; say_wrong "VS Code's library has other answers"; }

# The extension starts the server by the editor's client library, in a stand-in of the editor.
mkdir here
"$TOP/tools/syntax" "$(dirname "$STAP")/tapset-man" here || say_wrong 'the extension is not made'
printf '#!/bin/sh\necho "$*" >> "%s/called"\nexec "%s" "$@"\n' "$PWD" "$STAP" > stand-in
chmod +x stand-in
cat > extend.js <<'END'
const fs = require('fs');
const e = require(process.env.TOP + '/tests/cli/vscodeeditor.js');
const extension = require('./here/vscode/extension.js');
const manifest = JSON.parse(fs.readFileSync('here/vscode/package.json'));
const properties = manifest.contributes.configuration.properties;
for (const [name, p] of Object.entries(properties)) e.settings[name] = p.default;
const out = [];
const say = (...words) => out.push(words.join(' '));
const until = async f => { while (!f()) await new Promise(done => setTimeout(done, 5)); };
const changed = section => e.events['workspace.onDidChangeConfiguration'].fire(
	{ affectsConfiguration: name => name === section });
const calls = () => fs.readFileSync('called', 'utf8').split('\n').length - 1;
// True: each of its providers is there once.
const serves = () => (e.registered.registerHoverProvider || []).length === 1;

async function main() {
	e.settings['stap.path'] = process.cwd() + '/stand-in';
	e.settings['stap.arguments'] = ['-r', process.env.KERNEL];
	await extension.activate({ subscriptions: [] });
	say('commands', Object.keys(e.commands), manifest.contributes.commands.map(c => c.command));
	const provides = Object.keys(e.registered).map(k => k.replace(/^register|Provider$/g, '')).sort();
	say('providers', ...provides.splice(0, 5));
	say('providers', ...provides);
	const text = fs.readFileSync('script.stp', 'utf8'), path = process.cwd() + '/script.stp';
	const uri = e.editor.Uri.parse('file://' + path);
	const script = { uri, fileName: path, languageId: manifest.contributes.languages[0].id, version: 1,
		getText: () => text };
	e.documents.push(script);
	e.events['workspace.onDidOpenTextDocument'].fire(script);
	const findings = () => e.diagnostics.get(uri.toString()) || [];
	await until(() => findings().length);
	for (const d of findings()) say('finding', d.range.start.line, d.range.start.character, d.message);
	const [selector, provider] = e.registered.registerHoverProvider[0];
	const { token } = new e.editor.CancellationTokenSource();
	const hover = await provider.provideHover(script, new e.editor.Position(1, 42), token);
	say('hover', JSON.stringify(selector), hover.contents[0].value.includes('execname:string()'));
	await e.commands['stap.restart']();
	await until(() => findings().length);
	say('again', calls(), serves(), findings().length);
	// What concerns others changes nothing.
	changed('editor');
	e.settings['stap.languageServer.enable'] = false;
	changed('stap');
	await until(() => !serves());
	say('off', calls(), e.diagnostics.size);
	Object.assign(e.settings, { 'stap.languageServer.enable': true, 'stap.path': '/nowhere/stap' });
	changed('stap');
	await until(() => e.said.some(s => s.includes('stap.path')));
	say(e.said.find(s => s.includes('stap.path')));
	e.settings['stap.path'] = process.cwd() + '/stand-in';
	changed('stap');
	await until(() => calls() === 3 && serves());
	await extension.deactivate();
	say('ended', serves(), e.diagnostics.size);
}
main().catch(x => say('failed', x.stack)).finally(() => {
	fs.writeFileSync('extend.out', out.join('\n') + '\n');
	process.exit(0);
});
END
cat > want <<END
commands stap.restart stap.restart
providers CodeActions CompletionItem Definition DocumentFormattingEdit DocumentSemanticTokens
providers DocumentSymbol FoldingRange Hover InlayHints Reference Rename SignatureHelp WorkspaceSymbol
finding 3 8 there is no function 'exexname'; did you mean 'execname' or 'pexecname'
hover [{"language":"stap","scheme":"file"}] true
again 2 true 1
off 2 0
error: stap: /nowhere/stap --language-server does not run: stap.path names the program
ended false 0
END
check 0 '!.' -- env NODE_PATH="$TOP/build/unpacked/node/node_modules" node extend.js
diff want extend.out > differs || say_wrong "the extension: $(cat differs)"
[ "$(sort -u called)" = "-r $KERNEL --language-server" ] || say_wrong "it calls stap otherwise: $(cat called)"
no_server() { ! pgrep -f -- "$STAP -r $KERNEL --language-server" > left; }
wait_until no_server || say_wrong "servers are left: $(cat left)"
# Without the library it says where to get it.
cat > alone.js <<'END'
const e = require(process.env.TOP + '/tests/cli/vscodeeditor.js');
e.settings['stap.languageServer.enable'] = true;
require('./here/vscode/extension.js').activate({ subscriptions: [] }).then(() => console.log(e.said.join('\n')));
END
check 0 "/^warning: stap: only colours, without vscode-languageclient: npm install --prefix '.*/here/vscode' gets it\$" \
	-- node alone.js
finish
