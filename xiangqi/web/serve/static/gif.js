/* Animated GIF of boards: one palette, and of each frame only the pixels that change. Drawn boards
 * have few colours, so that the most frequent ones are a palette. */

const MAX_COLORS = 255;
const UNCHANGED = 255; // index of the transparent colour
const MAX_CODES = 4096; // of LZW, with at most 12 bits
const MAX_BLOCK = 255; // bytes of a block of data
const COLOR_BITS = 8;

/* Kind of a colour: 5 bits of each channel of pixel `at`. */
const kindOf = (pixels, at) =>
  ((pixels[at] >> 3) << 10) | ((pixels[at + 1] >> 3) << 5) | (pixels[at + 2] >> 3);

/* Choose the most frequent colours of RGBA pixels. */
export function choosePalette(pixels) {
  const sums = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const kind = kindOf(pixels, at);
    const sum = sums.get(kind) ?? [0, 0, 0, 0];
    if (!sum[0]) sums.set(kind, sum);
    sum[0] += 1;
    for (let channel = 0; channel < 3; channel += 1) sum[channel + 1] += pixels[at + channel];
  }
  return [...sums.values()].sort(([one], [other]) => other - one).slice(0, MAX_COLORS)
    .map(([count, ...channels]) => channels.map((sum) => Math.round(sum / count)));
}

const word16 = (number) => [number & 255, number >> 8];
/** @param {ArrayLike<number>} color
 * @param {number[]} other */
const distance = (color, [red, green, blue]) =>
  (color[0] - red) ** 2 + (color[1] - green) ** 2 + (color[2] - blue) ** 2;

export class Gif {
  /** @param {number} width
   * @param {number} height
   * @param {number[][]} palette */
  constructor(width, height, palette) {
    this.width = width;
    this.palette = palette;
    this.nearest = new Map(); // index of the colour next to each kind
    this.before = null; // the last frame's indexes
    const colors = Array.from({ length: MAX_COLORS + 1 }, (_, place) => palette[place] ?? [0, 0, 0]);
    const loop = [0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.parts = [[...ascii("GIF89a"), ...word16(width), ...word16(height), 0xf7, 0, 0], colors.flat(), loop];
  }

  /* Add a frame of RGBA pixels, shown for some hundredths of a second. */
  add(pixels, hundredths) {
    const frame = this.indexesOf(pixels);
    const { left, top, width, height } = this.changed(frame);
    const part = new Uint8Array(width * height);
    for (let row = 0; row < height; row += 1) {
      const start = (top + row) * this.width + left;
      for (let column = 0; column < width; column += 1) {
        const place = start + column;
        const isSame = this.before?.[place] === frame[place];
        part[row * width + column] = isSame ? UNCHANGED : frame[place];
      }
    }
    this.before = frame;
    this.parts.push(
      [0x21, 0xf9, 4, 5, ...word16(hundredths), UNCHANGED, 0],
      [0x2c, ...[left, top, width, height].flatMap(word16), 0, COLOR_BITS],
      ...blocks(compress(part)),
    );
  }

  finish() {
    return new Blob([...this.parts, [0x3b]].map((part) => new Uint8Array(part)), { type: "image/gif" });
  }

  indexesOf(pixels) {
    const frame = new Uint8Array(pixels.length / 4);
    for (let place = 0; place < frame.length; place += 1) {
      const kind = kindOf(pixels, 4 * place);
      if (!this.nearest.has(kind)) this.nearest.set(kind, this.indexNear(pixels.slice(4 * place, 4 * place + 3)));
      frame[place] = this.nearest.get(kind);
    }
    return frame;
  }

  indexNear(color) {
    const distances = this.palette.map((one) => distance(color, one));
    return distances.indexOf(Math.min(...distances));
  }

  /* Smallest rectangle with all changes since the last frame; one pixel if there are none. */
  changed(frame) {
    const { width, before } = this;
    if (!before) return { left: 0, top: 0, width, height: frame.length / width };
    let [left, top, right, bottom] = [width, frame.length, -1, -1];
    for (let place = 0; place < frame.length; place += 1) {
      if (frame[place] === before[place]) continue;
      const [column, row] = [place % width, Math.floor(place / width)];
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), row];
    }
    if (bottom < 0) return { left: 0, top: 0, width: 1, height: 1 };
    return { left, top, width: right - left + 1, height: bottom - top + 1 };
  }
}

const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));

function blocks(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK) {
    const block = bytes.slice(at, at + MAX_BLOCK);
    found.push([block.length, ...block]);
  }
  return [...found, [0]];
}

/* Compress indexes of colours by LZW. */
function compress(pixels) {
  const [clear, end] = [1 << COLOR_BITS, (1 << COLOR_BITS) + 1];
  const bytes = [];
  const known = new Map(); // code of a known code and a further pixel
  let [buffer, held, size, next] = [0, 0, COLOR_BITS + 1, end + 1];
  function put(code) {
    buffer |= code << held;
    for (held += size; held >= 8; held -= 8) {
      bytes.push(buffer & 255);
      buffer >>>= 8;
    }
  }
  put(clear);
  let code = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (code << COLOR_BITS) | pixel;
    if (known.has(key)) {
      code = known.get(key);
      continue;
    }
    put(code);
    code = pixel;
    if (next === MAX_CODES) {
      put(clear);
      known.clear();
      [size, next] = [COLOR_BITS + 1, end + 1];
    } else {
      if (next >= 1 << size) size += 1;
      known.set(key, next++);
    }
  }
  put(code);
  put(end);
  if (held) bytes.push(buffer & 255);
  return bytes;
}
