// SPDX-License-Identifier: GPL-2.0-or-later
// The search of the site: names first, then what pages are about, then the words of whole pages. Of several words one may
// be missing, but pages that have all come first. index.js has `pages`.
const form = document.getElementById("search");
const input = form.querySelector("input");
const found = document.getElementById("found");
const most = 30;

function rank([name, , what, words], asked) {
	const plain = name.toLowerCase();
	const bare = plain.replace(/^\w+::/, "");
	let sum = 0, missing = 0;
	for (const word of asked) {
		if (bare === word) sum += 100;
		else if (bare.startsWith(word)) sum += 50;
		else if (plain.includes(word)) sum += 25;
		else if (what.toLowerCase().includes(word)) sum += 10;
		else if (words.includes(word)) sum += 5;
		else if (word.length > 2) missing++;
	}
	if (missing > (asked.length > 1 ? 1 : 0))
		return 0;
	return sum - 1000 * missing - bare.length / 100;
}

function show() {
	const asked = input.value.toLowerCase().split(/\s+/).filter(Boolean);
	const ranked = asked.length ? pages.map(p => [rank(p, asked), p]).filter(r => r[0]) : [];
	ranked.sort((a, b) => b[0] - a[0]);
	found.replaceChildren(...ranked.slice(0, most).map(([, [name, url, what]]) => {
		const item = document.createElement("li");
		const link = document.createElement("a");
		link.href = url;
		link.textContent = name;
		item.append(link, " " + what);
		return item;
	}));
	if (asked.length && !ranked.length)
		found.append(Object.assign(document.createElement("li"), { textContent: "No matches." }));
	found.hidden = !asked.length;
}

form.hidden = false;
input.addEventListener("input", show);
form.addEventListener("submit", event => {
	event.preventDefault();
	const first = found.querySelector("a");
	if (first) location.href = first.href;
});
document.addEventListener("keydown", event => {
	if (event.key === "/" && document.activeElement !== input) {
		event.preventDefault();
		input.focus();
	}
});
found.addEventListener("click", () => { found.hidden = true; });
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
	input.value = asked;
	show();
}
