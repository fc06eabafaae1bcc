/* Search, sort and filter the list of games; the URL's fragment has the choice. */
"use strict";

(() => {
  const BATCH = 500; // rows shown at first, and added by each click on #more
  const find = (id) => document.getElementById(id);
  const body = find("games").tBodies[0];
  const rows = [...body.rows];
  const heads = [...find("games").tHead.rows[0].cells];
  const filters = [...document.querySelectorAll("select.chosen")];
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  let limit = BATCH;

  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const cellValue = ({ dataset, textContent }) => dataset.value ?? textContent.trim();
  const valueOf = (row, column) => (row.cells[column] ? cellValue(row.cells[column]) : "");
  const texts = new Map(rows.map((row) => [row, plain(row.textContent)]));

  function matches(row, words) {
    return words.every((word) => texts.get(row).includes(word))
      && filters.every(({ value, dataset }) => !value || valueOf(row, dataset.column) === value);
  }

  /* Rows without a value come last, whatever the order. */
  function sorted(found) {
    const column = find("sort").value;
    const sign = find("downwards").checked ? -1 : 1;
    if (!column) return sign < 0 ? found.reverse() : found;
    const keyed = found.map((row) => ({ row, key: valueOf(row, column) }));
    keyed.sort((a, b) => !a.key - !b.key || sign * order.compare(a.key, b.key));
    return keyed.map(({ row }) => row);
  }

  function draw() {
    const words = plain(find("search").value).split(/\s+/).filter(Boolean);
    const found = sorted(rows.filter((row) => matches(row, words)));
    body.replaceChildren(...found.slice(0, limit));
    find("shown").textContent = `${found.length} / ${rows.length}`;
    find("more").hidden = found.length <= limit;
    const column = find("sort").value;
    const direction = find("downwards").checked ? "descending" : "ascending";
    heads.forEach((head, place) => {
      head.ariaSort = column === String(place) ? direction : "none";
    });
  }

  /* The choice is kept in the URL, so that it is restored on the way back from a game. */
  const fields = [find("search"), find("sort"), find("downwards"), ...filters];
  const nameOf = ({ id, dataset }) => id || `column-${dataset.column}`;

  function remember() {
    const chosen = new URLSearchParams();
    for (const field of fields) {
      const value = field.type === "checkbox" ? field.checked && "yes" : field.value;
      if (value) chosen.set(nameOf(field), value);
    }
    history.replaceState(null, "", `#${chosen}`);
  }

  function recall() {
    const chosen = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) {
      const value = chosen.get(nameOf(field)) ?? "";
      if (field.type === "checkbox") field.checked = value === "yes";
      else field.value = value;
    }
  }

  function change() {
    limit = BATCH;
    remember();
    draw();
  }

  for (const filter of filters) {
    const values = new Set(rows.map((row) => valueOf(row, filter.dataset.column)));
    filter.append(...[...values].filter(Boolean).sort(order.compare).map((one) => new Option(one)));
  }
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent.trim();
    button.addEventListener("click", () => {
      const isAgain = find("sort").value === String(place);
      find("downwards").checked = isAgain && !find("downwards").checked;
      find("sort").value = String(place);
      change();
    });
    head.replaceChildren(button);
  });
  for (const field of fields) {
    field.addEventListener(field.type === "search" ? "input" : "change", change);
  }
  find("more").addEventListener("click", () => {
    limit += BATCH;
    draw();
  });
  find("find").hidden = rows.length < 2;
  recall();
  draw();
})();
