# SPDX-License-Identifier: GPL-2.0-or-later
# Colours of scripts in editors: tools/syntax has all words of the parser, and the rules for Vim, Emacs and VS Code
# agree about a script.
. "$TOP/tests/cli/expect.inc"

check 0 -- "$TOP/tools/syntax" "$(dirname "$STAP")/tapset-man" here
! grep -rnE '@(keyword|print|operator|point)["|]?@' here > out || say_wrong "a word is left"
"$(dirname "$STAP")/tapset-man" --words "$TOP" > words
for kind in keyword:foreach print:sprintdln operator:quantile point:netfilter; do
	grep -qx "${kind%:*} ${kind#*:}" words || say_wrong "tapset-man --words lacks $kind"
	for file in vim/syntax/stap.vim emacs/stap-mode.el vscode/syntaxes/stap.tmLanguage.json; do
		grep -qw "${kind#*:}" "here/$file" || say_wrong "$file lacks ${kind#*:}"
	done
done

cat > a.stp <<'END'
global reads # how "many"
function twice(x) { return 2 * x } // of it
probe kernel.function("vfs_read") {
	reads <<< $count + @cast(0, "x")->y + $# + timer
	printf("%-5d\n", @count(reads)) /* end
	of it */ if (@1) foreach (a in b) next
}
function c() %{ int kernel; %}
END
# What each place is: LINE COLUMN KIND.
cat > places <<'END'
1 1 keyword
1 8 none
1 15 comment
2 1 keyword
2 21 keyword
2 28 number
2 36 comment
3 7 point
3 13 none
3 25 string
4 12 target
4 21 operator
4 40 argument
4 45 none
5 2 print
5 10 string
5 10 format
5 19 operator
5 37 comment
6 3 comment
6 16 argument
6 20 keyword
7 1 none
8 17 embedded
END

if type vim > tool 2>&1; then
	cat > ask.vim <<'END'
set nocompatible
execute 'set runtimepath^=' . getcwd() . '/here/vim'
filetype on
syntax on
edit a.stp
let out = [&filetype]
for place in readfile('places')
  let [line, column, kind] = split(place)
  let names = map(synstack(line, column), 'synIDattr(v:val, "name")')
  call add(out, place . ' ' . join(names))
endfor
call writefile(out, 'vim.out')
quitall!
END
	check 0 -- env HOME="$PWD" TERM=dumb vim -es -u NONE -i NONE -S ask.vim
	[ "$(head -n 1 vim.out)" = stap ] || say_wrong "vim does not know a.stp: $(head -n 1 vim.out)"
	tail -n +2 vim.out | awk '
		{ kind = "stap" toupper(substr($3, 1, 1)) substr($3, 2) }
		$3 == "none" ? / stap/ && !/ stapHeader$/ : !index($0, kind)' > out
	[ ! -s out ] || say_wrong "vim has other colours"
fi

if type emacs > tool 2>&1; then
	cat > ask.el <<'END'
(load (expand-file-name "here/emacs/stap-mode"))
(find-file "a.stp")
(unless (eq major-mode 'stap-mode) (error "mode %s" major-mode))
(font-lock-ensure)
(let ((script (current-buffer)))
  (with-temp-buffer
    (insert-file-contents "places")
    (while (re-search-forward "^\\([0-9]+\\) \\([0-9]+\\) \\(.*\\)$" nil t)
      (let* ((line (string-to-number (match-string 1))) (column (string-to-number (match-string 2)))
             (kind (match-string 3))
             (face (with-current-buffer script
                     (goto-char (point-min)) (forward-line (1- line))
                     (get-text-property (+ (point) column -1) 'face)))
             (wanted (cdr (assoc kind '(("keyword" . font-lock-keyword-face) ("comment" . font-lock-comment-face)
                       ("number" . font-lock-constant-face) ("point" . font-lock-type-face)
                       ("string" . font-lock-string-face) ("target" . font-lock-variable-name-face)
                       ("operator" . font-lock-builtin-face) ("argument" . font-lock-variable-name-face)
                       ("print" . font-lock-builtin-face) ("format" . font-lock-string-face) ("none" . nil)))))
             (is-delimiter (eq face 'font-lock-comment-delimiter-face)))
        (unless (or (string= kind "embedded") (eq face wanted) (and is-delimiter (string= kind "comment")))
          (princ (format "%d %d %s: %s\n" line column kind face)))))))
END
	emacs -Q --batch -l "$PWD/ask.el" > out 2> err || say_wrong "emacs"
	[ ! -s out ] || say_wrong "emacs has other colours"
fi

# A grammar of TextMate as far as this one goes: patterns in their order, the first that matches soonest.
cat > ask.py <<'PY'
import json, re
def load(name): return json.load(open("here/vscode/" + name))
package, grammar = load("package.json"), load("syntaxes/stap.tmLanguage.json")
load("language-configuration.json")
assert package["contributes"]["grammars"][0]["scopeName"] == grammar["scopeName"]
def flat(patterns):
    for p in patterns:
        name = p.get("include", "")
        if name == "source.c": continue
        if not name: yield p
        elif "match" in grammar["repository"][name[1:]] or "begin" in grammar["repository"][name[1:]]:
            yield grammar["repository"][name[1:]]
        else: yield from flat(grammar["repository"][name[1:]]["patterns"])
kinds = {"keyword.control.stap": "keyword", "comment.line.stap": "comment", "comment.block.stap": "comment",
    "constant.numeric.stap": "number", "support.type.stap": "point", "string.quoted.double.stap": "string",
    "variable.language.stap": "target", "keyword.operator.word.stap": "operator", "variable.parameter.stap": "argument",
    "support.function.stap": "print", "constant.other.placeholder.stap": "format", "meta.embedded.block.c": "embedded"}
at = {}
stack = [{"patterns": grammar["patterns"]}]
for number, line in enumerate(open("a.stp").read().split("\n"), 1):
    i = 0
    while i <= len(line):
        rules = [("end", stack[-1], re.compile(stack[-1]["end"]).search(line, i))] if len(stack) > 1 else []
        for p in flat(stack[-1].get("patterns", [])):
            rules.append(("in", p, re.compile(p.get("match") or p["begin"]).search(line, i)))
        rules = [r for r in rules if r[2]]
        what, rule, m = min(rules, key=lambda r: r[2].start()) if rules else (None, None, None)
        end = m.start() if m else len(line)
        for k in range(i, end): at[number, k + 1] = {kinds.get(s.get("name")) for s in stack}
        if not m: break
        names = {kinds.get(s.get("name")) for s in stack} | {kinds.get(rule.get("name"))}
        for k in range(m.start(), m.end()): at[number, k + 1] = set(names)
        for n, c in rule.get("captures", rule.get("beginCaptures", {}) if what == "in" else {}).items():
            for k in range(m.start(int(n)), m.end(int(n))): at[number, k + 1] = {kinds.get(c["name"])}
        if what == "end": stack.pop()
        elif "begin" in rule: stack.append(rule)
        if m.end() == i and what == "in" and "match" in rule: break
        i = m.end()
        if i == len(line) and not (len(stack) > 1 and re.compile(stack[-1]["end"]).search(line, i)): break
for place in open("places"):
    line, column, kind = place.split()
    got = at.get((int(line), int(column)), set()) - {None}
    if kind == "none" and got or kind != "none" and kind not in got: print(place.strip(), got)
PY
python3 ask.py > out 2> err || say_wrong "VS Code's grammar"
[ ! -s out ] || say_wrong "VS Code's grammar has other colours"
finish
