/* The list of games: searched, sorted, and one value of a column chosen, as the address remembers. */
"use strict";

(() => {
  const AT_ONCE = 500; // rows that are shown, and so many more at each wish
  const find = (id) => document.getElementById(id);
  const body = find("games").tBodies[0];
  const rows = [...body.rows];
  const heads = [...find("games").tHead.rows[0].cells];
  const filters = [...document.querySelectorAll("select.chosen")];
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  let most = AT_ONCE;

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
    body.replaceChildren(...found.slice(0, most));
    find("shown").textContent = `${found.length} / ${rows.length}`;
    find("more").hidden = found.length <= most;
    const column = find("sort").value;
    const direction = find("downwards").checked ? "descending" : "ascending";
    heads.forEach((head, place) => {
      head.ariaSort = column === String(place) ? direction : "none";
    });
  }

  /* The choice is in the address, so that it is there again after a look at a game. */
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
    most = AT_ONCE;
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
    most += AT_ONCE;
    draw();
  });
  find("find").hidden = rows.length < 2;
  recall();
  draw();
})();
