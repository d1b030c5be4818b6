# SPDX-License-Identifier: GPL-2.0-or-later
# The language server with Neovim as client: how it uses the answers, including those that change the text.
# skip: no_program nvim
# skip: no_kernel
. "$TOP/tests/cli/expect.inc"
cat > script.stp <<'END'
global n
probe kernel.function("vfs_read") { n[execname()]++ }
probe end{foreach (name in n) printf("%s %d\n", name, n[name])
println(no_such_name()) }
END
cat > ask.lua <<'END'
local out = {}
local function say(...) out[#out + 1] = table.concat({ ... }, ' ') end
local command = { vim.env.STAP, '-r', vim.env.KERNEL, '--language-server' }
local client = vim.lsp.start_client({ name = 'stap', cmd = command, root_dir = vim.fn.getcwd() })

-- ask METHOD LINE CHARACTER MORE: the first answer
local function ask(method, line, character, more)
	local params = { textDocument = vim.lsp.util.make_text_document_params() }
	if line then params.position = { line = line, character = character } end
	for key, value in pairs(more or {}) do params[key] = value end
	for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
		if answer.result then return answer.result end
		if answer.err then say(method, 'fails:', answer.err.message) end
	end
	say(method, 'has no answer')
	return {}
end

vim.cmd('edit script.stp')
vim.lsp.buf_attach_client(0, client)
local attached = vim.wait(60000, function()
	return vim.lsp.buf_get_clients(0)[client] and vim.lsp.buf_get_clients(0)[client].initialized
end, 50)
say('attached', tostring(attached))
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, d in ipairs(vim.diagnostic.get(0)) do say('diagnostic', d.lnum, d.col, d.message) end

local hover = ask('textDocument/hover', 1, 42)
say('hover execname:string()', hover.contents.value:find('execname:string()', 1, true) and 'yes' or 'no')
local help = ask('textDocument/signatureHelp', 1, 47)
say('signature', help.signatures and help.signatures[1].label or '')
local found = ask('textDocument/references', 0, 7, { context = { includeDeclaration = true } })
say('references', #found)
local list = ask('textDocument/completion', 2, 10)
say('completion', #(list.items or list) > 0 and 'some' or 'none')
for _, s in ipairs(ask('textDocument/documentSymbol')) do say('symbol', s.name) end

-- What the editor makes of answers that change the text.
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', 0, 7, { newName = 'calls' }), 'utf-16')
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', nil, nil,
	{ options = { tabSize = 8, insertSpaces = false } }), vim.api.nvim_get_current_buf(), 'utf-16')
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do say('text', line) end
-- A mistake that is mended is gone.
local wrong = #vim.diagnostic.get(0)
vim.cmd([[%s/no_such_name()/pid()/]])
say('mended', tostring(vim.wait(60000, function() return #vim.diagnostic.get(0) < wrong end, 50)))
vim.fn.writefile(out, 'nvim.out')
vim.lsp.stop_client(client)
vim.cmd('qall!')
END
cat > want <<'END'
attached true
diagnostic 3 8 there is no function 'no_such_name'
hover execname:string() yes
signature execname:string()
references 4
completion some
symbol n
symbol kernel.function("vfs_read")
symbol end
text global calls
text probe kernel.function("vfs_read") { calls[execname()]++ }
text probe end { foreach (name in calls) printf("%s %d\n", name, calls[name])
text 	println(no_such_name()) }
mended true
END
export STAP KERNEL
check 0 -- env HOME="$PWD" nvim --headless -u NONE -i NONE -c 'luafile ask.lua'
diff want nvim.out > differs || { cat differs; say_wrong 'Neovim has other answers'; }
finish
