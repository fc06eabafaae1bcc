/* Two clocks of which one runs. Times are in milliseconds. */

export class Clocks {
  constructor(milliseconds, increment, now = () => performance.now()) {
    this.left = { red: milliseconds, black: milliseconds };
    this.increment = increment;
    this.now = now;
    this.running = null; // the side whose clock runs
    this.since = 0;
  }

  remaining(side) {
    const used = this.running === side ? this.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  start(side) {
    this.stop();
    this.running = side;
    this.since = this.now();
  }

  stop() {
    if (this.running) this.left[this.running] = this.remaining(this.running);
    this.running = null;
  }

  /* A move was made: its player gets the increment, and the other clock runs. */
  press() {
    const mover = this.running;
    if (!mover) return;
    this.stop();
    this.left[mover] += this.increment;
    this.start(mover === "red" ? "black" : "red");
  }

  /* Who has no time left, if anybody. */
  get fallen() {
    return this.running && this.remaining(this.running) <= 0 ? this.running : null;
  }

  /* As they are kept while nobody is here, when both stand; and back. */
  kept() {
    return { red: this.remaining("red"), black: this.remaining("black"), increment: this.increment };
  }

  static from({ red, black, increment }) {
    return Object.assign(new Clocks(0, increment), { left: { red, black } });
  }

  /* As an engine is told of them. */
  data() {
    const [red, black] = [this.remaining("red"), this.remaining("black")];
    return {
      red_ms: Math.round(red), black_ms: Math.round(black),
      red_increment_ms: this.increment, black_increment_ms: this.increment,
    };
  }
}

/* Minutes and seconds; tenths where there is little left. */
export function sayTime(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(left)}:${two(rest)}` : `${left}:${two(rest)}`;
}
