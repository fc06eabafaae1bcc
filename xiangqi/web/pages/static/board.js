/* Draws positions into an <svg class="board">, from the parts in the page's sprite
 * (<svg id="sprite">), which has all shapes and colours. A module; pages that are opened as files
 * cannot load modules, and have it as a part of game.js.
 *
 *   drawBoard(svg, fen, {lastMove: "h2e2", arrows: [{from: "a0", to: "a5", kind: "chase"}],
 *                        check: "e9", flip: false, labels: "-wxf"})
 *   squareAt(svg, x, y, flip)   the square at a point in client coordinates, or null
 *   squareCentre(square, flip)  the centre of a square in SVG coordinates, {x, y}
 *
 * A piece is a <use class="piece" data-square="h2" data-piece="C">, an arrow a
 * <g class="arrow" data-kind="chase" data-from="a0" data-to="a5">.
 */
export const SVG = "http://www.w3.org/2000/svg";
export const FILES = "abcdefghi";

function boardMeasure(name) {
  return Number(document.getElementById("sprite").dataset[name]);
}

export function squareCentre(square, flip) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]);
  const [cell, margin] = [boardMeasure("cell"), boardMeasure("margin")];
  return {
    x: margin + cell * (flip ? 8 - file : file),
    y: margin + cell * (flip ? rank : 9 - rank),
  };
}

export function squareAt(svg, x, y, flip) {
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  const [cell, margin] = [boardMeasure("cell"), boardMeasure("margin")];
  const [column, row] = [Math.round((at.x - margin) / cell), Math.round((at.y - margin) / cell)];
  if (column < 0 || column > 8 || row < 0 || row > 9) return null;
  return FILES[flip ? 8 - column : column] + (flip ? row : 9 - row);
}

/* The pieces of a FEN: a list of [square, letter]. */
export function readPieces(fen) {
  const pieces = [];
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (/\d/.test(char)) file += Number(char);
      else pieces.push([FILES[file++] + (9 - index), char]);
    }
  });
  return pieces;
}

/* The first field of a FEN, from a map from squares to letters. */
export function writePieces(pieces) {
  const rows = [...Array(10).keys()].reverse().map((rank) =>
    [...FILES].map((file) => pieces.get(file + rank) ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (gap) => String(gap.length));
}

/** @param {Element} parent
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @returns {any} */
export function addElement(parent, tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return parent.appendChild(element);
}

export function addPart(parent, part, at, attributes = {}) {
  return addElement(parent, "use", { href: `#${part}`, x: at.x, y: at.y, ...attributes });
}

export function drawArrow(svg, arrow, flip) {
  const [tail, head] = [squareCentre(arrow.from, flip), squareCentre(arrow.to, flip)];
  const group = addElement(svg, "g", {
    class: "arrow",
    fill: "none",
    opacity: 0.92,
    "data-kind": arrow.kind,
    "data-from": arrow.from,
    "data-to": arrow.to,
  });
  if (arrow.title) addElement(group, "title", {}).textContent = arrow.title;
  if (arrow.from === arrow.to) {
    addPart(group, `ring-${arrow.kind}`, tail);
    return;
  }
  // Drawn along the x axis with its head at the origin, then rotated and translated.
  const length = Math.hypot(head.x - tail.x, head.y - tail.y);
  const angle = (Math.atan2(head.y - tail.y, head.x - tail.x) * 180) / Math.PI;
  group.setAttribute("transform", `translate(${head.x} ${head.y}) rotate(${angle})`);
  const shaft = /** @type {Element} */ (
    document.getElementById(`shaft-${arrow.kind}`).cloneNode(true));
  shaft.removeAttribute("id");
  const line = `M${boardMeasure("shaftStart") - length} 0L${-boardMeasure("shaftEnd")} 0`;
  for (const path of shaft.children) path.setAttribute("d", line);
  group.append(shaft);
  addPart(group, `head-${arrow.kind}`, { x: 0, y: 0 });
}

/** @param {Element} svg
 * @param {string} fen
 * @param {{lastMove?: string, arrows?: any[], check?: string, flip?: boolean, labels?: string}} [how] */
export function drawBoard(svg, fen, { lastMove, arrows = [], check, flip = false, labels = "" } = {}) {
  const origin = { x: 0, y: 0 };
  svg.replaceChildren();
  addPart(svg, "empty-board", origin);
  addPart(svg, `labels-${flip ? "black" : "red"}${labels}`, origin);
  if (check) addPart(svg, "mark-check", squareCentre(check, flip), { class: "check" });
  for (const [square, letter] of readPieces(fen)) {
    addPart(svg, `piece-${letter}`, squareCentre(square, flip), {
      class: "piece",
      "data-square": square,
      "data-piece": letter,
    });
  }
  const ends = lastMove ? [lastMove.slice(0, 2), lastMove.slice(2, 4)] : [];
  for (const end of ends) addPart(svg, "mark-last", squareCentre(end, flip), { class: "last" });
  for (const arrow of arrows) drawArrow(svg, arrow, flip);
}
