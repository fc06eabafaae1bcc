/* Paints a drawing onto a canvas: the few elements of SVG that the board is made of, by their
 * attributes. (As an image it would have to be let in by the page's security policy.) */

const INHERITED = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size",
  "font-family", "font-weight", "text-anchor", "dominant-baseline",
];
const NUMBER = /-?[\d.]+/g;

const number = (element, name) => Number(element.getAttribute(name) ?? 0);

const outlines = {
  path: (element) => new Path2D(element.getAttribute("d")),
  rect(element) {
    const outline = new Path2D();
    const box = ["x", "y", "width", "height"].map((name) => number(element, name));
    outline.roundRect(...box, number(element, "rx"));
    return outline;
  },
  circle(element) {
    const outline = new Path2D();
    outline.arc(number(element, "cx"), number(element, "cy"), number(element, "r"), 0, 2 * Math.PI);
    return outline;
  },
};

/* Paint an element and what it holds; `style` is what it inherits. */
export function paint(canvas, element, style = { fill: "#000", "stroke-width": 1 }) {
  const own = { ...style };
  for (const name of INHERITED) own[name] = element.getAttribute(name) ?? style[name];
  canvas.save();
  canvas.globalAlpha *= Number(element.getAttribute("opacity") ?? 1);
  move(canvas, element.getAttribute("transform") ?? "");
  const name = element.localName;
  if (name === "use") paintCopy(canvas, element, own);
  else if (name === "text") paintText(canvas, element, own);
  else if (name in outlines) paintOutline(canvas, outlines[name](element), own);
  else if (name === "g" || name === "svg") {
    for (const child of element.children) paint(canvas, child, own);
  }
  canvas.restore();
}

function move(canvas, transform) {
  for (const [, kind, values] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x, y] = values.match(NUMBER).map(Number);
    if (kind === "translate") canvas.translate(x, y ?? 0);
    else if (kind === "rotate") canvas.rotate((x * Math.PI) / 180);
    else if (kind === "scale") canvas.scale(x, y ?? x);
    else throw new Error(`transform: ${kind}`);
  }
}

function paintCopy(canvas, element, style) {
  canvas.translate(number(element, "x"), number(element, "y"));
  paint(canvas, document.querySelector(element.getAttribute("href")), style);
}

function paintOutline(canvas, outline, style) {
  if (style.fill && style.fill !== "none") {
    canvas.save();
    canvas.globalAlpha *= Number(style["fill-opacity"] ?? 1);
    canvas.fillStyle = style.fill;
    canvas.fill(outline);
    canvas.restore();
  }
  if (!style.stroke || style.stroke === "none") return;
  canvas.strokeStyle = style.stroke;
  canvas.lineWidth = Number(style["stroke-width"]);
  canvas.setLineDash((style["stroke-dasharray"]?.match(NUMBER) ?? []).map(Number));
  canvas.stroke(outline);
}

function paintText(canvas, element, style) {
  canvas.fillStyle = style.fill;
  canvas.font = `${style["font-weight"]} ${style["font-size"]}px ${style["font-family"]}`;
  canvas.textAlign = style["text-anchor"] === "middle" ? "center" : "start";
  canvas.fillText(element.textContent, number(element, "x"), number(element, "y"));
}
