// SPDX-License-Identifier: GPL-2.0-or-later
// The live page of a run: what the server says is kept in `run`, and the panels of panels.js show it. A page that was
// saved has what it knew in an element `saved`, and asks no server.
"use strict";

const LINES_MOST = 10000, OLD_SECONDS = 3;
const run = { script: "", state: "connecting", look: 0, globals: new Map(), probes: [], rates: [], reasons: {}, contended: {},
	received: 0, rest: "", log: { lines: [], count: 0, missed: 0 }, timeline: new_timeline(), gaps: [], time: 0, seen: 0 };
const panels = new Map();
let paused = false, drawing = false, source = null;
const saved = document.getElementById("saved");
const token = new URLSearchParams(location.search).get("t") || "";

// ---- what has come ----

function take_global(news) {
	const global = run.globals.get(news.name) || { rows: new Map(), history: { times: [], values: [], rates: [] },
		heat: { buckets: new Map(), columns: [], times: [] } };
	const before = global.rows;

	Object.assign(global, news, { rows: news.whole ? new Map() : before, busy: !!news.busy });
	for (const [key, value] of news.rows) {
		const name = JSON.stringify(key), old = before.get(name);

		global.rows.set(name, { key, value, spark: old ? old.spark : [] });
	}
	run.globals.set(news.name, global);
}

function push(list, value, most) {
	list.push(value);
	if (list.length > most)
		list.splice(0, list.length - most);
}

function note_number(global, value, seconds) {
	const h = global.history, last = h.times.length - 1;
	const grown = last < 0 ? 0 : (value - h.values[last]) / Math.max(0.001, seconds - h.times[last]);

	push(h.times, seconds, POINTS_MOST);
	push(h.values, value, POINTS_MOST);
	push(h.rates, Math.max(0, grown), POINTS_MOST);
}

// Adds a column of the heat map: what has come into each bucket since the look before.
function note_heat(global, value, seconds) {
	const hist = value.hists[0], heat = global.heat, column = new Map(), before = heat.before || new Map(), now = new Map();

	for (const [from, to, n] of hist.b) {
		const name = from + ":" + to, more = n - (before.get(name) || 0);

		now.set(name, n);
		heat.buckets.set(name, from === null ? -Infinity : Number(from));
		if (more > 0)
			column.set(name, more);
	}
	if (heat.before)
		push(heat.columns, column, HEAT_COLUMNS);
	push(heat.times, seconds, HEAT_COLUMNS + 1);
	heat.before = now;
}

// Every look adds a point to each line, whether the value has changed or not.
function note_history(global, seconds) {
	for (const r of global.rows.values()) {
		if (global.keys && global.type === "long")
			push(r.spark, Number(r.value), SPARK);
		else if (!global.keys && global.type === "long")
			note_number(global, Number(r.value), seconds);
		else if (!global.keys && global.type === "stats" && r.value.hists.length)
			note_heat(global, r.value, seconds);
	}
}

function lost_of(probes) {
	return probes.reduce((n, p) => n + p[3] + p[4], 0);
}

function note_books(news, seconds) {
	const lost = lost_of(news.probes), before = lost_of(run.probes), passed = seconds - run.time;

	if (run.time && lost > before)
		run.gaps.push([run.time, seconds]);
	if (run.time && passed > 0)
		run.rates = news.probes.map((p, i) => run.probes[i] ? (p[1] - run.probes[i][1]) / passed : 0);
	run.probes = news.probes;
	run.time = seconds;
}

function take_line(line) {
	push(run.log.lines, line, LINES_MOST);
	run.log.count++;
}

// Takes the text of a record: its lines may end in another one.
function take_text(text) {
	const lines = (run.rest + text).split("\n");

	run.rest = lines.pop();
	for (const line of lines)
		take_line(line);
}

function take_lines(news) {
	run.log.count += Math.max(0, news.first - run.received);
	for (const line of news.lines)
		if (news.data)
			take_text(take_record(run.timeline, line));
		else
			take_line(line);
	run.received = news.first + news.lines.length;
	run.log.missed = run.log.count - run.log.lines.length;
}

function take(news) {
	run.script = news.script;
	run.state = news.over === undefined ? news.state : "ended with status " + news.over;
	take_lines(news);
	for (const global of news.globals)
		take_global(global);
	if (news.look > run.look) {
		run.seen = Date.now();
		note_books(news, news.time / 1000);
		for (const global of run.globals.values())
			note_history(global, news.time / 1000);
	}
	run.look = news.look;
	draw_soon();
}

// ---- what is shown ----

function panel_of(global) {
	const wanted = !global.keys ? { long: NumberPanel, string: TextPanel, stats: StatsPanel }[global.type]
		: global.type !== "string" && stack_key(global) >= 0 ? FlamePanel : TablePanel;
	let panel = panels.get(global.name);

	if (panel && !(panel instanceof wanted) && global.rows.size) {
		panel.root.remove();
		panel = null;
	}
	if (!panel && (global.rows.size || global.keys)) {
		panel = new wanted(global);
		panels.set(global.name, panel);
	}
	return panel;
}

// Returns how many seconds ago the values have come, once that is longer than it should take.
function age() {
	const seconds = Math.round((Date.now() - run.seen) / 1000);

	return run.seen && run.state === "running" && seconds >= OLD_SECONDS ? "; the values are " + seconds + " s old" : "";
}

function draw_header() {
	const hits = run.probes.reduce((n, p) => n + p[1], 0), lost = lost_of(run.probes);
	const state = document.getElementById("state"), books = document.getElementById("lost");

	document.title = run.script + " - stap";
	document.getElementById("script").textContent = run.script;
	state.textContent = saved ? "saved " + saved.dataset.when : paused ? "paused; the run goes on" : run.state + age();
	state.className = "state " + (paused ? "" : run.state);
	books.textContent = run.probes.length ? digits(String(lost)) + " of " + digits(String(hits)) + " hits lost" : "";
	books.classList.toggle("bad", lost > 0);
	books.title = [...Object.entries(run.reasons), ...Object.entries(run.contended)]
		.map(([name, n]) => name + ": " + n).join("\n");
}

function draw() {
	drawing = false;
	draw_header();
	if (paused)
		return;
	for (const global of run.globals.values()) {
		const panel = panel_of(global);

		if (panel)
			panel.draw(global);
	}
	if (run.timeline.tracks.size) {
		if (!panels.has(" timeline"))
			panels.set(" timeline", new TimelinePanel());
		panels.get(" timeline").draw(run.timeline);
	}
	if (run.log.count) {
		if (!panels.has(" log"))
			panels.set(" log", new LogPanel());
		panels.get(" log").draw(run.log);
	}
	if (run.probes.length) {
		if (!panels.has(" probes"))
			panels.set(" probes", new ProbesPanel(saved ? null : set_probe));
		panels.get(" probes").draw(run.probes, run.rates);
	}
}

function draw_soon() {
	if (!drawing)
		requestAnimationFrame(draw);
	drawing = true;
}

// ---- what a reader does ----

function set_probe(index, on) {
	fetch("switch?t=" + token + "&probe=" + index + (on ? ":on" : ":off"), { method: "POST" });
}

function pause() {
	const button = document.getElementById("pause");

	paused = !paused;
	button.textContent = paused ? "Go on" : "Pause";
	button.classList.toggle("on", paused);
	draw_soon();
}

// Maps become lists of pairs, and back.
function packed(key, value) {
	return value instanceof Map ? { map: [...value] } : value === -Infinity ? { least: true } : value;
}

function unpacked(key, value) {
	return value && value.map instanceof Array ? new Map(value.map) : value && value.least ? -Infinity : value;
}

async function part(name) {
	return (await fetch(name + "?t=" + token)).text();
}

// Returns the page as one file that needs no other.
async function whole_page() {
	const tag = (name, text, more) => "<" + name + (more || "") + ">" + text + "</" + name + ">\n";
	const when = new Date().toISOString().slice(0, 19).replace("T", " ") + " UTC";
	const known = JSON.stringify(run, packed).replace(/</g, "\\u003c");
	const header = document.querySelector("header").cloneNode(true);
	let head = "<meta charset=utf-8>\n" + tag("title", ""), scripts = "";

	for (const name of ["uPlot.css", "page.css"])
		head += tag("style", await part(name));
	for (const name of ["uPlot.js", "panels.js", "timeline.js", "page.js"])
		scripts += tag("script", await part(name));
	return "<!DOCTYPE html>\n" + tag("html", tag("head", head) + tag("body", header.outerHTML + "\n" + tag("main", "", " id=panels") +
		tag("script", known, " id=saved type=application/json data-when=\"" + when + "\"") + scripts), " lang=en");
}

async function save() {
	const link = element("a", { download: run.script.replace(/[^\w.-]/g, "_") + ".html",
		href: URL.createObjectURL(new Blob([await whole_page()], { type: "text/html" })) });

	link.click();
	URL.revokeObjectURL(link.href);
}

function connect() {
	source = new EventSource("events?t=" + token);
	source.onmessage = event => take(JSON.parse(event.data));
	source.onerror = () => {
		if (run.state.startsWith("ended"))
			source.close();
		else
			run.state = "no connection";
		// After a pause in the network the server tells everything again.
		Object.assign(run, { received: 0, rest: "", log: { lines: [], count: 0, missed: 0 }, timeline: new_timeline() });
		draw_soon();
	};
}

if (saved) {
	Object.assign(run, JSON.parse(saved.textContent, unpacked));
	for (const id of ["pause", "save"])
		document.getElementById(id).remove();
	draw_soon();
} else {
	document.getElementById("pause").addEventListener("click", pause);
	document.getElementById("save").addEventListener("click", save);
	addEventListener("keydown", event => {
		if (event.key === " " && event.target === document.body) {
			event.preventDefault();
			pause();
		}
	});
	setInterval(draw_soon, 1000);
	connect();
}
addEventListener("resize", draw_soon);
