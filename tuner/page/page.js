// Makes of each journal's data a table to sort, filter and copy from, and lets the plot of
// the best so far tell of the trial under the pointer. Without it the page has the best
// trials only. What journals say reaches the page by textContent alone.
"use strict";
(function () {
    const PAGE = 50; // rows at a time

    // A row of the data: [outcome, cost, first cost or 0, registers, value numbers ...,
    // reason].
    function read(id) {
        const data = JSON.parse(document.getElementById(id).textContent);
        const count = data.params.length;
        data.rows = data.trials.map(function (t, i) {
            const values = t.slice(4, 4 + count);
            return {
                trial: i + 1, outcome: data.outcomes[t[0]], cost: t[1],
                first: t[2] === 0 ? t[1] : t[2], registers: t[3] < 0 ? null : t[3],
                numbers: values,
                values: values.map(function (v, p) { return data.params[p].values[v]; }),
                reason: t[4 + count] || ""
            };
        });
        return data;
    }

    function plain(number) {
        return number === null ? "" : String(Number(number.toPrecision(6)));
    }

    function element(name, text, parent) {
        const made = document.createElement(name);
        if (text !== undefined) made.textContent = text;
        if (parent) parent.appendChild(made);
        return made;
    }

    function config(data, row, between) {
        return data.params.map(function (p, i) {
            return p.name + "=" + row.values[i];
        }).join(between);
    }

    // A default of the script: { BK = 16, LAYOUT = "row" }. Integers beyond 2^53 are lists
    // of their text; what JSON escapes in other texts, Lua does too.
    function asLua(data, row) {
        return "default = { " + data.params.map(function (p, i) {
            const value = row.values[i];
            return p.name + " = " + (Array.isArray(value) ? value[0] : JSON.stringify(value));
        }).join(", ") + " }";
    }

    function columnsOf(data) {
        const columns = [
            { name: "trial", of: function (r) { return r.trial; } },
            { name: "outcome", of: function (r) { return r.outcome; } },
            { name: data.cost, of: function (r) { return r.cost; }, number: true }
        ];
        data.params.forEach(function (p, i) {
            columns.push({
                name: p.name, of: function (r) { return r.values[i]; },
                order: function (r) { return r.numbers[i]; }
            });
        });
        if (data.rows.some(function (r) { return r.registers !== null; }))
            columns.push({ name: "registers", of: function (r) { return r.registers; } });
        if (data.rows.some(function (r) { return r.reason; }))
            columns.push({ name: "reason", of: function (r) { return r.reason; } });
        return columns;
    }

    // What is absent comes last, whichever way.
    function compare(a, b) {
        if (a === b) return 0;
        if (a === null) return 1;
        if (b === null) return -1;
        return a < b ? -1 : 1;
    }

    // Each word of the filter has to be in the row: "BK=16", "crashed".
    function matches(data, row, words) {
        const text = (" " + config(data, row, " ") + " " + row.outcome + " " + row.reason +
            " ").toLowerCase();
        return words.every(function (word) {
            return text.indexOf(word.indexOf("=") < 0 ? word : " " + word + " ") >= 0;
        });
    }

    function trialTable(table, data) {
        const columns = columnsOf(data);
        const state = { column: 2, down: false, from: 0, words: [] };
        const tools = element("div");
        tools.className = "tools";
        table.parentNode.insertBefore(tools, table);
        const label = element("label", "Filter ", tools);
        const input = element("input", undefined, label);
        input.type = "search";
        input.placeholder = "BK=16 valid";
        const back = element("button", "Previous", tools);
        const next = element("button", "Next", tools);
        const status = element("span", "", tools);
        status.setAttribute("role", "status");
        table.textContent = "";
        const head = element("tr", undefined, element("thead", undefined, table));
        const body = element("tbody", undefined, table);
        const titles = columns.map(function (column, i) {
            const title = element("th", undefined, head);
            title.scope = "col";
            const button = element("button", column.name, title);
            button.type = "button";
            button.addEventListener("click", function () {
                state.down = state.column === i && !state.down;
                state.column = i;
                state.from = 0;
                draw();
            });
            return title;
        });
        element("th", "copy", head);

        function chosen() {
            const column = columns[state.column], key = column.order || column.of;
            const rows = state.words.length ? data.rows.filter(function (row) {
                return matches(data, row, state.words);
            }) : data.rows.slice();
            rows.sort(function (a, b) {
                const x = key(a), y = key(b);
                const order = state.down && x !== null && y !== null ? compare(y, x)
                    : compare(x, y);
                return order || a.trial - b.trial;
            });
            return rows;
        }

        function addRow(row) {
            const tr = element("tr", undefined, body);
            columns.forEach(function (column) {
                const value = column.of(row);
                element("td", column.number ? plain(value)
                    : value === null ? "" : String(value), tr);
            });
            const copy = element("button", "copy", element("td", undefined, tr));
            copy.type = "button";
            copy.title = asLua(data, row);
            copy.setAttribute("aria-label", "copy trial " + row.trial + " as a default");
            copy.addEventListener("click", function () {
                if (!navigator.clipboard) return;
                navigator.clipboard.writeText(asLua(data, row)).then(function () {
                    copy.textContent = "copied";
                }, function () { copy.textContent = "see its tooltip"; });
            });
        }

        function draw() {
            const rows = chosen();
            state.from = Math.max(0, Math.min(state.from, rows.length - 1));
            body.textContent = "";
            rows.slice(state.from, state.from + PAGE).forEach(addRow);
            status.textContent = rows.length ? (state.from + 1) + " to " +
                Math.min(state.from + PAGE, rows.length) + " of " + rows.length : "none";
            back.disabled = state.from === 0;
            next.disabled = state.from + PAGE >= rows.length;
            titles.forEach(function (title, i) {
                if (i === state.column)
                    title.setAttribute("aria-sort", state.down ? "descending" : "ascending");
                else
                    title.removeAttribute("aria-sort");
            });
        }
        back.addEventListener("click", function () { state.from -= PAGE; draw(); });
        next.addEventListener("click", function () { state.from += PAGE; draw(); });
        input.addEventListener("input", function () {
            state.words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
            state.from = 0;
            draw();
        });
        draw();
    }

    // The plot of the best so far: trial by the pointer, or by the arrow keys.
    function pointer(figure, data) {
        const LEFT = 70, RIGHT = 628, TOP = 18, BOTTOM = 256, ROOM = 1.04;
        const svg = figure.querySelector("svg"), output = figure.querySelector("output");
        const last = data.rows.length;
        const cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
        let at = 0;
        cursor.setAttribute("class", "cursor");
        svg.appendChild(cursor);
        svg.setAttribute("tabindex", "0");
        svg.setAttribute("aria-roledescription", "plot, arrow keys go from trial to trial");

        function show(trial) {
            at = Math.max(1, Math.min(trial, last));
            const row = data.rows[at - 1];
            const x = LEFT + (RIGHT - LEFT) * at / (last * ROOM);
            cursor.setAttribute("d", "M" + x.toFixed(1) + " " + TOP + "V" + BOTTOM);
            output.textContent = "trial " + at + ": " +
                (row.first === null ? row.outcome : plain(row.first)) + ", " +
                config(data, row, " ") + (row.reason ? ": " + row.reason : "");
        }
        svg.addEventListener("pointermove", function (event) {
            const box = svg.getBoundingClientRect();
            const x = (event.clientX - box.left) * 640 / box.width;
            show(Math.round((x - LEFT) / (RIGHT - LEFT) * last * ROOM));
        });
        svg.addEventListener("keydown", function (event) {
            const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
            if (event.key === "Home") show(1);
            else if (event.key === "End") show(last);
            else if (steps[event.key]) show(at + steps[event.key]);
            else return;
            event.preventDefault();
        });
    }

    document.querySelectorAll("article").forEach(function (article) {
        const table = article.querySelector("table.trials");
        const data = read(table.dataset.of);
        const plot = article.querySelector("figure[data-trials]");
        if (data.rows.length) trialTable(table, data);
        if (plot) pointer(plot, data);
    });
    // Paper has no room to open things.
    window.addEventListener("beforeprint", function () {
        document.querySelectorAll("details").forEach(function (d) { d.open = true; });
    });
})();
