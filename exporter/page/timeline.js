// SPDX-License-Identifier: GPL-2.0-or-later
// Records with a beginning and an end: a script that prints them has its output come as JSON, an object a line (stapio(8),
// JSON). Fields have the roles that --to perfetto gives them (stap-merge(1)). A row of the panel is a track: a thread, or
// what the script calls `track`.
"use strict";

const SLICES_MOST = 1000, TRACKS_MOST = 400, ROWS_DRAWN = 60, LEVEL = 15, LABELS = 150, AXIS = 18;

function new_timeline() {
	return { tracks: new Map(), left_out: 0, last: 0, ahead: 0, clocks: {} };
}

// Times are nanoseconds since the machine's start; `ahead` added, they are those of the clock.
function track_of(timeline, record, fields) {
	const whose = record.from === undefined ? "" : record.from + ": ";
	const name = whose + (fields.track || (record.tid ? (fields.comm || fields.execname || "thread") + " " + record.tid : "CPU " + record.cpu));
	let track = timeline.tracks.get(name);

	if (!track && timeline.tracks.size < TRACKS_MOST) {
		track = { slices: [], open: [], sorted: true };
		timeline.tracks.set(name, track);
	}
	return track;
}

function add_slice(track, begin, end, name) {
	track.slices.push([begin, end, String(name), 0]);
	if (track.slices.length > SLICES_MOST)
		track.slices.shift();
	track.sorted = false;
}

// Takes an item of a record. True: it was a slice, or one's beginning or end.
function take_slice(timeline, record, fields) {
	const took = fields.slice_ns !== undefined ? fields.slice_ns : fields.slice_us !== undefined ? fields.slice_us * 1000 : null;
	const track = fields.slice !== undefined || fields.slice_end !== undefined ? track_of(timeline, record, fields) : null;

	if (!track) {
		timeline.left_out += fields.slice !== undefined;
		return;
	}
	timeline.last = Math.max(timeline.last, record.time);
	if (fields.slice === undefined) {
		const begun = track.open.pop();

		if (begun)
			add_slice(track, begun[0], record.time, begun[1]);
	} else if (took !== null) {
		add_slice(track, record.time - took, record.time, fields.slice);
	} else {
		push(track.open, [record.time, fields.slice], 100);
	}
}

// Brings a record's time to the clock of the first machine; each has started at another moment.
function take_clock(timeline, record) {
	const clock = timeline.clocks[record.from] = timeline.clocks[record.from] || { off: 0 };

	if (record.type === "clock")
		clock.off = record.ahead;
	if (record.type === "start") {
		clock.ahead = record.realtime - record.time - clock.off;
		timeline.ahead = timeline.ahead || clock.ahead;
	} else if (record.time) {
		record.time += clock.ahead - timeline.ahead || 0;
	}
}

// Takes a line of JSON. Returns the text that it prints, and its machine.
function take_record(timeline, line) {
	let record;

	try {
		record = JSON.parse(line);
	} catch (e) {
		return [line + "\n"]; // too long to be kept whole
	}
	take_clock(timeline, record);
	for (const item of record.items || [])
		if (item.fields)
			take_slice(timeline, record, item.fields);
	return [record.type === "output" || record.type === "log" ? record.text : "", record.from];
}

// A slice lies below those that have begun before it and end after it.
function set_levels(track) {
	const open = [];

	track.slices.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
	for (const slice of track.slices) {
		while (open.length && open[open.length - 1][1] < slice[1])
			open.pop();
		slice[3] = open.length;
		open.push(slice);
	}
	track.sorted = true;
	track.depth = Math.min(8, 1 + track.slices.reduce((n, s) => Math.max(n, s[3]), 0));
}

function time_text(ns) {
	return ns < 1e3 ? Math.round(ns) + " ns" : ns < 1e6 ? (ns / 1e3).toFixed(1) + " us" : ns < 1e9 ? (ns / 1e6).toFixed(1) + " ms" :
		(ns / 1e9).toFixed(2) + " s";
}

class TimelinePanel extends Panel {
	constructor() {
		super("Timeline", true, TIMELINE_PLACE);
		this.filter = element("input", { placeholder: "filter", size: 12 });
		this.filter.addEventListener("input", draw_soon);
		this.latest = element("button", { textContent: "latest", title: "Follow the run again" });
		this.latest.addEventListener("click", () => { this.end = null; draw_soon(); });
		this.root.querySelector("h2").append(element("span", { className: "space" }), this.filter, this.latest);
		this.canvas = element("canvas", { className: "timeline" });
		this.note = element("p", { className: "note", textContent: "wheel: zoom; drag: move; click: name and duration" });
		this.root.append(element("div", { className: "scroll" }, this.canvas), this.note);
		this.span = 5e9; // ns that are shown
		this.end = null; // null: the last moment that is known
		this.boxes = [];
		this.listen();
	}
	listen() {
		const c = this.canvas;

		c.addEventListener("wheel", e => {
			const at = this.moment(e.offsetX), before = this.span;

			e.preventDefault();
			this.span = Math.min(3.6e12, Math.max(1e3, this.span * (e.deltaY > 0 ? 1.25 : 0.8)));
			this.end = at + (this.from + before - at) * this.span / before;
			draw_soon();
		}, { passive: false });
		c.addEventListener("mousemove", e => {
			if (!(e.buttons & 1))
				return;
			this.end = this.from + this.span - e.movementX * this.span / (this.width() - LABELS);
			draw_soon();
		});
		c.addEventListener("click", e => {
			const box = this.boxes.find(b => e.offsetX >= b[0] && e.offsetX <= b[0] + b[2] && e.offsetY >= b[1] && e.offsetY <= b[1] + LEVEL);

			if (box)
				this.note.textContent = box[3][2] + ", " + time_text(box[3][1] - box[3][0]) + ", on " + box[4];
		});
	}
	moment(x) { return this.from + (x - LABELS) * this.span / (this.width() - LABELS); }
	place(t) { return LABELS + (t - this.from) * (this.width() - LABELS) / this.span; }
	draw(timeline) {
		const words = this.filter.value.toLowerCase(), to = this.end === null ? timeline.last : this.end;
		const all = [...timeline.tracks].filter(([name]) => name.toLowerCase().includes(words)).sort((a, b) => a[0] < b[0] ? -1 : 1);
		const rows = all.slice(0, ROWS_DRAWN);

		this.from = to - this.span;
		this.now.textContent = all.length + (all.length === 1 ? " track, " : " tracks, ") + time_text(this.span) + " shown";
		this.help.textContent = [all.length > rows.length ? all.length - rows.length + " tracks are not drawn" : "",
			timeline.left_out ? digits(String(timeline.left_out)) + " slices of further tracks" : ""].filter(t => t).join("; ");
		for (const [, track] of rows)
			if (!track.sorted)
				set_levels(track);
		const heights = rows.map(([, track]) => 6 + LEVEL * (track.depth || 1));
		const c = canvas_of(this.canvas, this.width(), AXIS + heights.reduce((a, b) => a + b, 4));
		c.font = "11px system-ui, sans-serif";
		this.draw_axis(c, timeline.ahead);
		this.boxes = [];
		let y = AXIS;
		rows.forEach(([name, track], i) => {
			this.draw_track(c, name, track, y);
			y += heights[i];
		});
		this.draw_gaps(c, timeline.ahead, y);
	}
	draw_axis(c, ahead) {
		const n = Math.max(2, Math.floor((this.width() - LABELS) / 140));

		for (let i = 0; i < n; i++) {
			const t = this.from + this.span * i / n, when = new Date((t + ahead) / 1e6);
			const text = when.toLocaleTimeString("en-GB") + "." + String((when.getTime() % 1000 + 1000) % 1000).padStart(3, "0");

			c.fillStyle = color("soft");
			c.fillText(this.span < 1e8 ? "+" + time_text(this.span * i / n) : text, this.place(t) + 2, 12);
			c.fillStyle = color("line");
			c.fillRect(this.place(t), 0, 1, 4000);
		}
	}
	draw_track(c, name, track, y) {
		c.fillStyle = color("ink");
		c.fillText(name.length > 24 ? name.slice(0, 23) + "\u2026" : name, 2, y + 12);
		for (const slice of track.slices) {
			if (slice[1] < this.from || slice[0] > this.from + this.span || slice[3] >= 8)
				continue;
			const x = Math.max(LABELS, this.place(slice[0])), w = Math.max(1, this.place(slice[1]) - x), top = y + LEVEL * slice[3];
			const hue = [...slice[2]].reduce((h, ch) => (h * 31 + ch.charCodeAt(0)) % 360, 7);

			c.fillStyle = "hsl(" + hue + ",60%,65%)";
			c.fillRect(x, top, w, LEVEL - 1);
			this.boxes.push([x, top, w, slice, name]);
			if (w > 7 * Math.min(5, slice[2].length)) {
				c.fillStyle = "#1c2330";
				c.fillText(slice[2].slice(0, Math.floor(w / 7)), x + 2, top + 11);
			}
		}
	}
	draw_gaps(c, ahead, height) {
		c.fillStyle = color("red") + "40";
		for (const [from, to] of run.hosts.flatMap(h => h.gaps)) {
			const a = Math.max(LABELS, this.place(from * 1e9 - ahead)), b = this.place(to * 1e9 - ahead);

			if (b > a)
				c.fillRect(a, AXIS, b - a, height - AXIS);
		}
	}
}
