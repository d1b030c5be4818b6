// SPDX-License-Identifier: GPL-2.0-or-later
// In the pictures of --to flame: a click on a frame shows it and what stands on it in full width, "Search" marks the
// frames that match a regular expression and says how much of the whole they are.
"use strict";
const svg = document.documentElement;
const full = +svg.dataset.width, letter = +svg.dataset.letter;
const said = document.getElementById("said"), matched = document.getElementById("matched");
const whole = document.getElementById("whole");
const frames = [...document.querySelectorAll("g.frame")].map(g => ({
	g, rect: g.querySelector("rect"), text: g.querySelector("text"), name: g.dataset.name,
	title: g.querySelector("title").textContent, x: +g.dataset.x, width: +g.dataset.width, depth: +g.dataset.depth,
	color: g.querySelector("rect").getAttribute("fill"),
}));

function place(f, x, width) {
	const letters = Math.floor((width - 4) / letter);

	f.g.style.display = width < 0.1 ? "none" : "";
	f.rect.setAttribute("x", x);
	f.rect.setAttribute("width", width);
	f.text.setAttribute("x", x + 3);
	f.text.textContent = letters < 3 ? "" : f.name.length <= letters ? f.name : f.name.slice(0, letters - 2) + "..";
}

function zoom(to) {
	const end = to.x + to.width, scale = full / to.width, near = 1e-6 * full;

	for (const f of frames) {
		const under = f.depth < to.depth && f.x <= to.x + near && f.x + f.width >= end - near;
		const over = f.depth >= to.depth && f.x >= to.x - near && f.x + f.width <= end + near;

		f.g.style.opacity = under ? 0.5 : 1;
		if (under)
			place(f, 0, full);
		else
			place(f, (f.x - to.x) * scale, over ? f.width * scale : 0);
	}
	whole.style.display = to.depth ? "" : "none";
}

// Frames that stand on one that matches are part of it.
function search(words) {
	let sum = 0, covered = [];
	let pattern;

	try {
		pattern = words ? new RegExp(words) : null;
	} catch (error) {
		matched.textContent = String(error.message);
		return;
	}
	for (const f of [...frames].sort((a, b) => a.depth - b.depth)) {
		const hit = pattern && pattern.test(f.name);

		f.rect.setAttribute("fill", hit ? "#c040e0" : f.color);
		if (!hit || covered.some(c => f.x >= c.x && f.x < c.x + c.width))
			continue;
		covered.push(f);
		sum += f.width;
	}
	matched.textContent = pattern ? "matched: " + (100 * sum / full).toFixed(2) + "%" : "";
}

function ask() {
	const words = prompt("Frames to mark (a regular expression; nothing: none)", "");

	if (words !== null)
		search(words);
}

for (const f of frames) {
	f.g.addEventListener("click", () => zoom(f));
	f.g.addEventListener("mouseover", () => { said.textContent = f.title; });
	f.g.addEventListener("mouseout", () => { said.textContent = ""; });
}
document.getElementById("search").addEventListener("click", ask);
whole.addEventListener("click", () => zoom(frames[0]));
addEventListener("keydown", event => {
	if (event.key === "/" || (event.key === "f" && event.ctrlKey)) {
		event.preventDefault();
		ask();
	} else if (event.key === "Escape") {
		search("");
		zoom(frames[0]);
	}
});
