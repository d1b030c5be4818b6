// SPDX-License-Identifier: GPL-2.0-or-later
// The live page of a run: what the server says is kept in `run`, and the panels of panels.js show it. A page that was
// saved has what it knew in an element `saved`, and asks no server.
"use strict";

const LINES_MOST = 10000, OLD_SECONDS = 3, OLD_SECONDS_THERE = 6;
// `hosts` has what is known of each machine of --remote (`fleet`), otherwise of this one, which has no name.
const run = { script: "", state: "connecting", look: 0, fleet: false, hosts: [new_host({ n: 0, name: "" })],
	received: 0, log: { lines: [], count: 0, missed: 0 }, timeline: new_timeline() };
const panels = new Map();
let paused = false, drawing = false, source = null;
const saved = document.getElementById("saved");
const token = new URLSearchParams(location.search).get("t") || "";

// ---- what has come ----

function new_host(news) {
	return { n: news.n, name: news.name, kind: "", says: "", look: 0, globals: new Map(), probes: [], rates: [], reasons: {},
		contended: {}, gaps: [], time: 0, seen: 0, rest: "" };
}

function take_global(host, news) {
	const global = host.globals.get(news.name) || { rows: new Map(), history: { times: [], values: [], rates: [] },
		heat: { buckets: new Map(), columns: [], times: [] } };
	const before = global.rows;

	Object.assign(global, news, { rows: news.whole ? new Map() : before, busy: !!news.busy });
	for (const [key, value] of news.rows) {
		const name = JSON.stringify(key), old = before.get(name);

		global.rows.set(name, { key, value, spark: old ? old.spark : [] });
	}
	host.globals.set(news.name, global);
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

function hits_of(probes) {
	return probes.reduce((n, p) => n + p[1], 0);
}

function note_books(host, news, seconds) {
	const lost = lost_of(news.probes), before = lost_of(host.probes), passed = seconds - host.time;

	if (host.time && lost > before)
		host.gaps.push([host.time, seconds]);
	if (host.time && passed > 0)
		host.rates = news.probes.map((p, i) => host.probes[i] ? (p[1] - host.probes[i][1]) / passed : 0);
	Object.assign(host, { probes: news.probes, reasons: news.reasons || {}, contended: news.contended || {}, time: seconds });
}

function take_line(line) {
	push(run.log.lines, line, LINES_MOST);
	run.log.count++;
}

// Takes the text of a record: its lines may end in another one of that machine.
function take_text(text, from) {
	const host = run.hosts.find(h => h.name === from) || run.hosts[0];
	const lines = (host.rest + text).split("\n");

	host.rest = lines.pop();
	for (const line of lines)
		take_line(from ? from + ": " + line : line);
}

// A line of a machine of --remote begins with its number.
function take_numbered(line) {
	const m = run.fleet && /^(\d+): ([^]*)$/.exec(line), host = m && run.hosts[m[1]];

	take_line(host ? host.name + ": " + m[2] : line);
}

function take_lines(news) {
	run.log.count += Math.max(0, news.first - run.received);
	for (const line of news.lines)
		if (news.data)
			take_text(...take_record(run.timeline, line));
		else
			take_numbered(line);
	run.received = news.first + news.lines.length;
	run.log.missed = run.log.count - run.log.lines.length;
}

function take_look(host, news) {
	for (const global of news.globals)
		take_global(host, global);
	if (news.look > host.look) {
		host.seen = Date.now();
		note_books(host, news, news.time / 1000);
		for (const global of host.globals.values())
			note_history(global, news.time / 1000);
	}
	host.look = news.look;
}

function take_host(news) {
	const host = run.hosts[news.n] || new_host(news);

	run.hosts[news.n] = host;
	Object.assign(host, { kind: news.kind, says: news.says });
	if (news.globals)
		take_look(host, news);
}

// Returns what the machines do.
function fleet_state() {
	const count = kind => run.hosts.filter(h => h.kind === kind).length, running = count("running"), failed = count("failed");

	return (running ? "running on " + running + " of " + run.hosts.length + " machines"
		: count("waits") ? "starting" : "ended on all machines") + (failed ? "; " + failed + " failed" : "");
}

function take(news) {
	run.script = news.script;
	if (news.hosts && !run.fleet)
		Object.assign(run, { fleet: true, hosts: [] });
	for (const host of news.hosts || [])
		take_host(host);
	if (!run.fleet)
		take_look(run.hosts[0], news);
	run.state = news.over !== undefined ? "ended with status " + news.over : run.fleet ? fleet_state() : news.state;
	take_lines(news);
	run.look = news.look;
	draw_soon();
}

// ---- what is shown ----

function panel_of(host, global) {
	const wanted = !global.keys ? { long: NumberPanel, string: TextPanel, stats: StatsPanel }[global.type]
		: global.type !== "string" && stack_key(global) >= 0 ? FlamePanel : TablePanel;
	const name = host.n + " " + global.name;
	let panel = panels.get(name);

	if (panel && !(panel instanceof wanted) && global.rows.size) {
		panel.root.remove();
		panel = null;
	}
	if (!panel && (global.rows.size || global.keys)) {
		panel = new wanted(global, host);
		panels.set(name, panel);
	}
	return panel;
}

// Returns how many seconds ago the values have come, once that is longer than it should take.
function age(host, state, most) {
	const seconds = Math.round((Date.now() - host.seen) / 1000);

	return !saved && host.seen && state === "running" && seconds >= most ? "; the values are " + seconds + " s old" : "";
}

function lost_text(probes) {
	return probes.length ? digits(String(lost_of(probes))) + " of " + digits(String(hits_of(probes))) + " hits lost" : "";
}

// Returns whose hits were lost, and how many; of a run on this machine the header says it.
function losers(hosts) {
	return hosts.filter(h => h.name && lost_of(h.probes))
		.map(h => h.name + ": " + lost_text(h.probes)).join(", ");
}

function reasons_of(host) {
	return [...Object.entries(host.reasons), ...Object.entries(host.contended)].map(([name, n]) => name + ": " + n).join("\n");
}

function draw_header() {
	const probes = run.hosts.flatMap(h => h.probes);
	const state = document.getElementById("state"), books = document.getElementById("lost");

	document.title = run.script + " - stap";
	document.getElementById("script").textContent = run.script;
	state.textContent = saved ? "saved " + saved.dataset.when : paused ? "paused; the run goes on"
		: run.state + (run.fleet ? "" : age(run.hosts[0], run.state, OLD_SECONDS));
	state.className = "state " + (paused ? "" : run.state.split(" ")[0]);
	books.textContent = lost_text(probes);
	books.classList.toggle("bad", lost_of(probes) > 0);
	books.title = run.fleet ? losers(run.hosts) : reasons_of(run.hosts[0]);
}

function draw_panel(panel, data, hosts) {
	panel.draw(data);
	panel.lost.textContent = losers(hosts);
}

// Draws a panel that all machines have in common; it is made when there is something to show.
function draw_common(name, kind, data, ...more) {
	if (!panels.has(name))
		panels.set(name, new kind(...more));
	draw_panel(panels.get(name), data, run.hosts);
}

function draw_host(host) {
	if (run.fleet) {
		if (!panels.has(host.n + ""))
			panels.set(host.n + "", new HostPanel(host));
		panels.get(host.n + "").draw(host, age(host, host.kind, OLD_SECONDS_THERE));
	}
	for (const global of host.globals.values()) {
		const panel = panel_of(host, global);

		if (panel)
			draw_panel(panel, global, [host]);
	}
}

function draw() {
	drawing = false;
	draw_header();
	if (paused)
		return;
	for (const host of run.hosts)
		draw_host(host);
	if (run.timeline.tracks.size)
		draw_common(" timeline", TimelinePanel, run.timeline);
	if (run.log.count)
		draw_common(" log", LogPanel, run.log);
	if (run.hosts.some(h => h.probes.length))
		draw_common(" probes", run.fleet ? FleetProbesPanel : ProbesPanel, run.hosts, saved ? null : set_probe);
}

function draw_soon() {
	if (!drawing)
		requestAnimationFrame(draw);
	drawing = true;
}

// ---- what a reader does ----

async function set_probe(index, on, host) {
	const panel = panels.get(" probes");
	let said = "there is no connection";

	try {
		const answer = await fetch("switch?t=" + token + "&probe=" + index + (on ? ":on" : ":off") + "&host=" + host,
			{ method: "POST" });

		said = answer.ok ? "" : (await answer.text()).trim();
	} catch (e) { /* it is said below */ }
	panel.note.textContent = said && "Not switched " + (on ? "on" : "off") + ": " + said;
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
		Object.assign(run, { received: 0, log: { lines: [], count: 0, missed: 0 }, timeline: new_timeline() });
		for (const host of run.hosts)
			host.rest = "";
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
