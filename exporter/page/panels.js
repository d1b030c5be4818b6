// SPDX-License-Identifier: GPL-2.0-or-later
// The panels of the live page, one for each kind of value. A panel is made once and shows what `run` knows when it is
// drawn; texts of the script come in as text alone, never as markup.
"use strict";

const POINTS_MOST = 6000, SPARK = 60, ROWS_SHOWN = 200, HEAT_COLUMNS = 240;

function element(name, properties, ...children) {
	const e = Object.assign(document.createElement(name), properties);

	e.append(...children);
	return e;
}

// Asking the browser for a style or a size makes it lay out the page: both are asked once.
const colors = new Map();

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => colors.clear());

function color(name) {
	if (!colors.has(name))
		colors.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
	return colors.get(name);
}

// Integers come as text: JavaScript would round those above 2^53.
function digits(text) {
	return text === null || text === undefined ? "" : /^-?\d+$/.test(text) ? BigInt(text).toLocaleString("en-US") : text;
}

function short(n) {
	const sizes = ["", "k", "M", "G", "T", "P", "E"];
	let i = 0;

	for (; Math.abs(n) >= 1000 && i < sizes.length - 1; i++)
		n /= 1000;
	return (i && Math.abs(n) < 100 ? n.toFixed(1) : String(Math.round(n * 100) / 100)) + sizes[i];
}

// Returns a canvas's context, in pixels of the page, cleared.
function canvas_of(canvas, width, height) {
	const scale = devicePixelRatio || 1, c = canvas.getContext("2d");

	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.height = height + "px";
	}
	c.setTransform(scale, 0, 0, scale, 0, 0);
	c.clearRect(0, 0, width, height);
	return c;
}

// Values come first on the page, then these.
const TIMELINE_PLACE = 1, OUTPUT_PLACE = 2, PROBES_PLACE = 3;

// The columns of a fleet: one for each machine, a row for each value.
const fleet_rows = [];

function place_in_fleet(root, name, host) {
	let fleet = document.getElementById("fleet");

	if (!fleet) {
		fleet = element("div", { id: "fleet" });
		document.getElementById("panels").append(fleet);
	}
	if (!fleet_rows.includes(name))
		fleet_rows.push(name);
	root.style.gridRow = fleet_rows.indexOf(name) + 1;
	root.style.gridColumn = host.n + 1;
	fleet.append(root);
}

class Panel {
	constructor(title, wide, place, host) {
		this.now = element("span", { className: "now" });
		this.help = element("span", { className: "help" });
		this.lost = element("span", { className: "books bad" });
		this.root = element("section", { className: wide ? "wide" : "" },
			element("h2", {}, element("span", { textContent: title }),
				element("span", { className: "help", textContent: host ? host.name : "" }), this.now, this.help, this.lost));
		this.root.style.order = place || 0;
		this.host = host;
		if (host && host.name)
			place_in_fleet(this.root, title, host);
		else
			document.getElementById("panels").append(this.root);
		new ResizeObserver(() => {
			this.inside = 0;
			draw_soon();
		}).observe(this.root);
	}
	width() {
		this.inside = this.inside || Math.max(100, this.root.clientWidth - 26);
		return this.inside;
	}
}

function clock_text(seconds) {
	return new Date(seconds * 1000).toLocaleTimeString("en-GB");
}

// A comment that says how a global is used, as the exporter wants it, is no help here.
function help_text(global) {
	return (global.help || "").replace(/^(counter|gauge)\b:?\s*/, "");
}

// ---- a number: a line; of a counter, how much it grows in a second ----

class NumberPanel extends Panel {
	constructor(global, host) {
		super(global.name, false, 0, host);
		this.at = element("div");
		this.root.append(this.at);
	}
	options(global) {
		const axis = { stroke: color("soft"), grid: { stroke: color("line"), width: 1 } };

		return { width: this.width(), height: 160, legend: { show: false }, cursor: { y: false },
			series: [{}, { stroke: color("blue"), width: 1.5, fill: color("blue") + "22", points: { show: false } }],
			axes: [{ ...axis, space: 80, values: (u, v) => v.map(clock_text) }, { ...axis, size: 60, values: (u, v) => v.map(short) }],
			scales: { y: { range: (u, low, high) => [Math.min(0, low), Math.max(1, high * 1.05)] } },
			hooks: { drawClear: [u => shade_lost(u, this.host.gaps)] } };
	}
	draw(global) {
		const row = global.rows.values().next().value, h = global.history;

		if (!row)
			return;
		const rate = global.counter && h.rates.length > 1 ? h.rates[h.rates.length - 1] : null;
		this.now.textContent = digits(row.value) + (rate === null ? "" : ", " + short(rate) + " a second");
		this.help.textContent = help_text(global);
		const data = [h.times, global.counter ? h.rates : h.values];
		if (!this.plot)
			this.plot = new uPlot(this.options(global), data, this.at);
		else
			this.plot.setData(data);
		if (this.plot.width !== this.width())
			this.plot.setSize({ width: this.width(), height: 160 });
	}
}

// Marks the seconds in which hits were lost.
function shade_lost(plot, gaps) {
	const c = plot.ctx;

	c.fillStyle = color("red") + "40";
	for (const [from, to] of gaps) {
		const a = Math.max(plot.valToPos(from, "x", true), plot.bbox.left);
		const b = Math.min(plot.valToPos(to, "x", true), plot.bbox.left + plot.bbox.width);

		if (b > a)
			c.fillRect(a, plot.bbox.top, Math.max(2, b - a), plot.bbox.height);
	}
}

// ---- a string ----

class TextPanel extends Panel {
	constructor(global, host) {
		super(global.name, false, 0, host);
		this.text = element("p", { className: "text" });
		this.root.append(this.text);
	}
	draw(global) {
		const row = global.rows.values().next().value;

		this.help.textContent = help_text(global);
		this.text.textContent = row ? row.value : "";
	}
}

// ---- an array: a table that sorts, with a line for each key ----

class TablePanel extends Panel {
	constructor(global, host) {
		super(global.name, false, 0, host);
		this.filter = element("input", { placeholder: "filter", size: 12 });
		this.filter.addEventListener("input", draw_soon);
		this.root.querySelector("h2").append(element("span", { className: "space" }), this.filter);
		this.columns = this.columns_of(global);
		this.sort = global.keys.length;
		this.up = global.type === "string";
		this.head = element("tr");
		this.columns.forEach((c, i) => {
			const th = element("th", { textContent: c.name, className: c.number ? "number" : "" });

			th.addEventListener("click", () => {
				this.up = this.sort === i ? !this.up : !c.number;
				this.sort = i;
				draw_soon();
			});
			this.head.append(th);
		});
		this.head.append(element("th", { textContent: "" }));
		this.body = element("tbody");
		this.root.append(element("div", { className: "scroll" },
			element("table", {}, element("thead", {}, this.head), this.body)));
		// Rows that nobody sees are drawn when they come into view.
		this.seen = new Set();
		this.observer = new IntersectionObserver(changes => {
			for (const c of changes)
				this.seen[c.isIntersecting ? "add" : "delete"](c.target);
			draw_soon();
		}, { rootMargin: "50px" });
		this.note = element("p", { className: "note" });
		this.root.append(this.note);
	}
	columns_of(global) {
		const columns = global.keys.map((name, i) => ({ name, of: r => r.key[i] }));
		const stat = (name, of) => columns.push({ name, of, number: true });

		if (global.type === "stats") {
			stat("count", r => String(r.value.count));
			for (const part of ["min", "avg", "max", "sum"])
				stat(part, r => part === "avg" ? average(r.value) : r.value[part]);
		} else {
			columns.push({ name: "value", of: r => r.value, number: global.type === "long" });
		}
		for (const c of columns)
			c.number = c.number || [...global.rows.values()].every(r => /^-?\d+$/.test(c.of(r) || "0"));
		return columns;
	}
	sorted(global) {
		const column = this.columns[this.sort], words = this.filter.value.toLowerCase();
		let rows = [...global.rows.values()];

		if (words)
			rows = rows.filter(r => r.key.join("\n").toLowerCase().includes(words));
		const by = column.number ? (a, b) => Number(column.of(a)) - Number(column.of(b))
			: (a, b) => column.of(a) < column.of(b) ? -1 : column.of(a) > column.of(b) ? 1 : 0;
		rows.sort(by);
		return this.up ? rows : rows.reverse();
	}
	draw(global) {
		const rows = this.sorted(global), shown = rows.slice(0, ROWS_SHOWN);

		this.now.textContent = digits(String(global.entries)) + (global.entries === 1 ? " key" : " keys");
		this.help.textContent = help_text(global);
		[...this.head.children].forEach((th, i) => {
			th.classList.toggle("sorted", i === this.sort);
			th.classList.toggle("up", this.up);
		});
		while (this.body.children.length > shown.length)
			this.remove_row(this.body.lastChild);
		while (this.body.children.length < shown.length)
			this.add_row();
		[...this.body.children].forEach((tr, i) => {
			if (this.seen.has(tr))
				this.draw_row(shown[i], tr);
		});
		const rest = global.entries - shown.length;
		this.note.textContent = rest > 0 ? digits(String(rest)) + " more" : "";
	}
	add_row() {
		const tr = element("tr");

		for (const c of this.columns)
			tr.append(element("td", { className: c.number ? "number" : "" }));
		tr.append(element("td", {}, element("canvas")));
		this.body.append(tr);
		this.observer.observe(tr);
		this.seen.add(tr); // until the observer knows
	}
	remove_row(tr) {
		this.observer.unobserve(tr);
		this.seen.delete(tr);
		tr.remove();
	}
	draw_row(r, tr) {
		this.columns.forEach((c, i) => {
			const text = c.number ? digits(c.of(r)) : c.of(r), td = tr.children[i];

			if (td.textContent !== text) {
				td.textContent = text;
				td.title = text;
			}
		});
		const canvas = tr.lastChild.firstChild;
		if (r.value.hists && r.value.hists.length)
			draw_bars(canvas, r.value.hists[0], 90, 18);
		else
			draw_spark(canvas, r.spark);
	}
}

function average(v) {
	return v.sum === null || !v.count ? null : String(BigInt(v.sum) / BigInt(v.count));
}

function draw_spark(canvas, spark) {
	const c = canvas_of(canvas, 90, 18), n = spark.length;
	const low = Math.min(...spark), high = Math.max(...spark), range = high - low || 1;

	if (n < 2)
		return;
	c.strokeStyle = color("blue");
	c.beginPath();
	spark.forEach((v, i) => c.lineTo(1 + 88 * (i + SPARK - n) / (SPARK - 1), 16 - 14 * (v - low) / range));
	c.stroke();
}

// ---- an aggregate: its histogram now, and over time ----

function bucket_name(b) {
	return b[0] === null ? "up to " + digits(b[1]) : b[1] === null ? digits(b[0]) + " and more" :
		b[0] === b[1] ? digits(b[0]) : digits(b[0]) + " to " + digits(b[1]);
}

function draw_bars(canvas, hist, width, height) {
	const c = canvas_of(canvas, width, height), most = Math.max(1, ...hist.b.map(b => b[2]));
	const w = Math.min(24, width / Math.max(1, hist.b.length));

	c.fillStyle = color("blue");
	hist.b.forEach((b, i) => {
		const h = Math.max(b[2] ? 1 : 0, height * b[2] / most);

		c.fillRect(i * w, height - h, Math.max(1, w - 1), h);
	});
}

class StatsPanel extends Panel {
	constructor(global, host) {
		super(global.name, false, 0, host);
		this.body = element("tbody");
		this.heat = element("canvas");
		this.caption = element("p", { className: "note" });
		this.root.append(element("div", { className: "scroll" }, element("table", {}, this.body)), this.caption,
			this.heat);
	}
	draw(global) {
		const row = global.rows.values().next().value, v = row && row.value;

		this.help.textContent = help_text(global);
		if (!v)
			return;
		this.now.textContent = [["count", String(v.count)], ["min", v.min], ["avg", average(v)], ["max", v.max],
			["median", v.q[0]], ["90 %", v.q[1]], ["99 %", v.q[2]]]
			.filter(p => p[1] !== null).map(p => p[0] + " " + digits(p[1])).join(", ");
		if (!v.hists.length)
			return;
		this.draw_histogram(v.hists[0].b);
		this.draw_heat(global.heat);
	}
	draw_histogram(buckets) {
		const most = Math.max(1, ...buckets.map(b => b[2]));

		while (this.body.children.length > buckets.length)
			this.body.lastChild.remove();
		buckets.forEach((b, i) => {
			const tr = this.body.children[i] || this.add_bar(), bar = tr.children[1].firstChild;

			tr.children[0].textContent = bucket_name(b);
			bar.style.cssText = "height:12px;background:var(--blue);width:" + 100 * b[2] / most + "%";
			tr.children[2].textContent = digits(String(b[2]));
		});
	}
	add_bar() {
		const wide = element("td", {}, element("div"));
		const tr = element("tr", {}, element("td", { className: "number" }), wide, element("td", { className: "number" }));

		wide.style.width = "60%";
		this.body.append(tr);
		return tr;
	}
	// A column is a moment, a row a bucket, the highest at the top; the darker, the more came in.
	draw_heat(heat) {
		const names = [...heat.buckets.keys()].sort((a, b) => heat.buckets.get(a) - heat.buckets.get(b));
		const height = Math.min(240, Math.max(60, 10 * names.length)), width = this.width();
		const c = canvas_of(this.heat, width, height), w = width / Math.max(40, heat.columns.length), h = height / names.length;
		let most = 1;

		for (const column of heat.columns)
			for (const n of column.values())
				most = Math.max(most, n);
		heat.columns.forEach((column, i) => {
			for (const [name, n] of column) {
				const y = height - h * (names.indexOf(name) + 1);

				c.fillStyle = "hsl(" + (220 - 200 * Math.log1p(n) / Math.log1p(most)) + ",80%,50%)";
				c.fillRect(width - w * (heat.columns.length - i), y, Math.ceil(w), Math.max(1, h - 1));
			}
		});
		this.caption.textContent = heat.columns.length < 2 ? "" :
			"What came in, over the last " + Math.round(heat.times[heat.times.length - 1] - heat.times[0]) +
			" s; from blue to red: 1 to " + digits(String(most)) + " a column";
	}
}

// ---- an array by stacks: a flame graph ----

// Returns the names of a text's frames, the outermost first, or null: it is no stack.
function frames_of(text) {
	const lines = text.split("\n").filter(l => l.trim());

	if (lines.length < 2 || !lines.every(l => /0x[0-9a-f]+|\+0x/.test(l)))
		return null;
	return lines.map(l => {
		const named = l.trim().replace(/^0x[0-9a-f]+\s*:/, "").trim().match(/^([^\[]+?)\+0x[0-9a-f]+/), module = l.match(/\[([^\]+]+)/);
		const address = l.match(/0x[0-9a-f]+/);

		return named ? named[1].trim() : module ? "[" + module[1].split("/").pop() + "]" : address ? address[0] : l.trim();
	}).reverse();
}

function stack_key(global) {
	for (const r of global.rows.values())
		return r.key.findIndex(k => frames_of(k));
	return -1;
}

class FlamePanel extends Panel {
	constructor(global, host) {
		super(global.name, true, 0, host);
		this.search = element("input", { placeholder: "search", size: 12 });
		this.search.addEventListener("input", draw_soon);
		this.whole = element("button", { textContent: "whole" });
		this.whole.addEventListener("click", () => { this.path = []; draw_soon(); });
		this.root.querySelector("h2").append(element("span", { className: "space" }), this.search, this.whole);
		this.flame = element("div", { className: "flame" });
		this.root.append(this.flame);
		this.cold = /^(off_|wait|block)/.test(global.name);
		this.path = []; // the frames down to the one that has full width
	}
	tree(global) {
		const root = { name: "all", value: 0, children: new Map(), depth: 0 }, at = stack_key(global);

		for (const r of global.rows.values()) {
			const n = global.type === "stats" ? r.value.count : Number(r.value);
			const others = r.key.filter((k, i) => i !== at);
			let node = root;

			root.value += n;
			for (const name of [...others, ...(frames_of(r.key[at]) || [r.key[at]])]) {
				if (!node.children.has(name))
					node.children.set(name, { name, value: 0, children: new Map(), depth: node.depth + 1,
						parent: node });
				node = node.children.get(name);
				node.value += n;
			}
		}
		return root;
	}
	draw(global) {
		const root = this.tree(global), width = this.width(), found = this.search.value.toLowerCase();
		let top = root, depth = 0;

		this.help.textContent = help_text(global);
		this.now.textContent = digits(String(root.value)) + " in " + digits(String(global.entries)) + " stacks";
		for (const name of this.path)
			top = top.children.get(name) || top;
		const boxes = [];
		const place = (node, x, w) => {
			if (w < 1)
				return;
			depth = Math.max(depth, node.depth);
			boxes.push([node, x, w]);
			for (const child of [...node.children.values()].sort((a, b) => a.name < b.name ? -1 : 1)) {
				const part = w * child.value / Math.max(1, node.value);

				place(child, x, part);
				x += part;
			}
		};
		place(top, 0, width);
		for (let node = top.parent; node; node = node.parent)
			boxes.push([node, 0, width]);
		this.flame.style.height = 18 * (depth + 1) + "px";
		this.flame.replaceChildren(...boxes.map(b => this.box(b, depth, root.value, found)));
	}
	// Time that is waited has cold colours.
	box([node, x, width], depth, whole, found) {
		const hue = [...node.name].reduce((h, c) => (h * 31 + c.charCodeAt(0)) % 50, 7);
		const box = element("div", { textContent: width > 30 ? node.name : "",
			title: node.name + "  " + digits(String(node.value)) + ", " + (100 * node.value / Math.max(1, whole)).toFixed(2) + " %",
			className: found && node.name.toLowerCase().includes(found) ? "found" : "" });

		box.style.cssText = "left:" + x + "px;width:" + width + "px;top:" + 18 * (depth - node.depth) +
			"px;background:hsl(" + (this.cold ? 190 + hue : 10 + hue) + ",85%,65%)";
		box.addEventListener("click", () => {
			this.path = [];
			for (let n = node; n.parent; n = n.parent)
				this.path.unshift(n.name);
			draw_soon();
		});
		return box;
	}
}

// ---- what the script prints ----

class LogPanel extends Panel {
	constructor() {
		super("Output", true, OUTPUT_PLACE);
		this.search = element("input", { placeholder: "search", size: 20 });
		this.search.addEventListener("input", draw_soon);
		this.root.querySelector("h2").append(element("span", { className: "space" }), this.search);
		this.text = element("pre", { className: "log" });
		this.root.append(this.text);
	}
	draw(log) {
		const words = this.search.value.toLowerCase();
		const lines = words ? log.lines.filter(l => l.toLowerCase().includes(words)) : log.lines;
		const follows = this.text.scrollTop + this.text.clientHeight > this.text.scrollHeight - 30;
		const text = lines.slice(-1000).join("\n");

		this.now.textContent = digits(String(log.count)) + (log.count === 1 ? " line" : " lines") +
			(words ? ", " + lines.length + " found" : "");
		this.help.textContent = log.missed ? digits(String(log.missed)) + " older ones are not kept here" : "";
		if (this.text.textContent !== text)
			this.text.textContent = text;
		if (follows)
			this.text.scrollTop = this.text.scrollHeight;
	}
}

// ---- the books, a line for each probe ----

// Those that the script runs by itself have no switch.
function has_switch(point) {
	return !/^(begin|end|error)\b/.test(point);
}

class ProbesPanel extends Panel {
	constructor(set) {
		super("Probes", true, PROBES_PLACE);
		this.set = set;
		this.body = element("tbody");
		this.note = element("p", { className: "note books bad" });
		const head = ["on", "probe", "hits", "a second", "lost", "ns a hit"];
		this.root.append(element("div", { className: "scroll" }, element("table", {},
			element("thead", {}, element("tr", {}, ...head.map((t, i) =>
				element("th", { textContent: t, className: i > 1 ? "number" : "" })))), this.body)), this.note);
	}
	draw([{ probes, rates }]) {
		while (this.body.children.length > probes.length)
			this.body.lastChild.remove();
		probes.forEach((p, i) => this.draw_row(i, p, rates[i] || 0));
	}
	draw_row(i, [point, hits, delivered, dropped, skipped, ns, off], rate) {
		const tr = this.body.children[i] || this.add_row(i, point);
		const texts = [point, String(hits), short(rate), String(dropped + skipped), hits && ns ? String(Math.round(ns / hits)) : ""];

		texts.forEach((t, k) => { tr.children[k + 1].textContent = k && k !== 2 ? digits(t) : t; });
		tr.children[4].style.color = dropped + skipped ? "var(--red)" : "";
		const box = tr.firstChild.firstChild;
		if (box && document.activeElement !== box)
			box.checked = !off;
	}
	add_row(i, point) {
		const box = element("input", { type: "checkbox", checked: true, title: "switch the probe off and on" });
		const tr = element("tr", {}, element("td"), element("td"));

		if (this.set && has_switch(point)) {
			box.addEventListener("change", () => { this.set(i, box.checked, 0); box.blur(); });
			tr.firstChild.append(box);
		}
		for (let k = 0; k < 4; k++)
			tr.append(element("td", { className: "number" }));
		this.body.append(tr);
		return tr;
	}
}

// ---- a machine of --remote ----

class HostPanel extends Panel {
	constructor(host) {
		super("", false, 0, host);
		this.root.classList.add("host");
		this.root.querySelector("h2").firstChild.textContent = host.name;
		this.root.querySelector("h2").children[1].remove();
	}
	draw(host, age) {
		this.now.textContent = host.says + age;
		this.now.className = "now state " + host.kind;
		this.lost.textContent = lost_text(host.probes);
		this.lost.classList.toggle("bad", lost_of(host.probes) > 0);
		this.lost.title = reasons_of(host);
	}
}

// Returns the probes of all machines by their points: the second probe of a point is another row. Machines with other
// kernels may have other points.
function rows_of_fleet(hosts) {
	const rows = new Map();

	for (const host of hosts) {
		const before = new Map();

		host.probes.forEach((p, i) => {
			const place = before.get(p[0]) || 0, name = place + " " + p[0];

			before.set(p[0], place + 1);
			if (!rows.has(name))
				rows.set(name, { point: p[0], at: new Map() });
			rows.get(name).at.set(host.n, i);
		});
	}
	return [...rows.values()];
}

// The books of all machines: a line for each point, two columns for each machine. A switch is for all of them.
class FleetProbesPanel extends Panel {
	constructor(set) {
		super("Probes", true, PROBES_PLACE);
		this.set = set;
		this.head = element("thead");
		this.body = element("tbody");
		this.note = element("p", { className: "note books bad" });
		this.root.append(element("div", { className: "scroll" }, element("table", {}, this.head, this.body)), this.note);
	}
	draw(hosts) {
		const rows = rows_of_fleet(hosts), points = rows.map(r => r.point).join("\n");

		if (this.columns !== hosts.length || this.points !== points)
			this.draw_head(hosts);
		this.points = points;
		while (this.body.children.length > rows.length)
			this.body.lastChild.remove();
		rows.forEach((row, i) => this.draw_row(this.body.children[i] || this.add_row(i, row), row, hosts));
	}
	draw_head(hosts) {
		const names = element("tr", {}, element("th"), element("th")), parts = element("tr", {}, ...["on", "probe"]
			.map(t => element("th", { textContent: t })));

		for (const host of hosts) {
			names.append(element("th", { textContent: host.name, colSpan: 2, className: "number" }));
			for (const t of ["hits", "lost"])
				parts.append(element("th", { textContent: t, className: "number" }));
		}
		this.head.replaceChildren(names, parts);
		this.body.replaceChildren();
		this.columns = hosts.length;
	}
	add_row(i, row) {
		const box = element("input", { type: "checkbox", checked: true, title: "switch the probe off and on, on all machines" });
		const tr = element("tr", {}, element("td"), element("td"));

		if (this.set && has_switch(row.point)) {
			box.addEventListener("change", () => this.switch_row(tr, box));
			tr.firstChild.append(box);
		}
		for (let k = 0; k < 2 * this.columns; k++)
			tr.append(element("td", { className: "number" }));
		this.body.append(tr);
		return tr;
	}
	// The machine that is named runs, if any does that has this probe.
	switch_row(tr, box) {
		const all = [...tr.row.at.keys()], host = all.find(n => run.hosts[n].kind === "running");
		const at = host === undefined ? all[0] : host;

		this.set(tr.row.at.get(at), box.checked, at);
		box.blur();
	}
	draw_row(tr, row, hosts) {
		const box = tr.firstChild.firstChild, all = [...row.at], running = all.filter(([n]) => hosts[n].kind === "running");
		const offs = (running.length ? running : all).map(([n, i]) => hosts[n].probes[i][6]);

		tr.row = row;
		tr.children[1].textContent = row.point;
		hosts.forEach((host, k) => {
			const p = host.probes[row.at.get(host.n)], lost = p ? p[3] + p[4] : 0;

			tr.children[2 + 2 * k].textContent = p ? digits(String(p[1])) : "";
			tr.children[3 + 2 * k].textContent = p ? digits(String(lost)) : "";
			tr.children[3 + 2 * k].style.color = lost ? "var(--red)" : "";
		});
		if (box && document.activeElement !== box) {
			box.checked = !offs.every(off => off);
			box.indeterminate = offs.some(off => off) && box.checked;
		}
	}
}
