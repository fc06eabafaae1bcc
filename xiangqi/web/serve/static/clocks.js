/* Clocks of both sides, of which at most one runs. Times are in milliseconds.
 *
 * `main` is the time of a side for the game, to which `increment` is added after each of its moves. A
 * single move may take at most `step`, if that is not 0. A side whose time has run out has `last` for
 * each further move. `onTick`, if it is set, is called while a clock runs. */

const TICK_MS = 50; // between two calls of `onTick`

export class Clocks {
  constructor({ main, increment = 0, step = 0, last = 0 }, now = () => performance.now()) {
    this.rules = { main, increment, step, last };
    this.left = { red: main, black: main };
    this.now = now;
    this.side = null; // side to move
    this.used = 0; // of this move, before the clock was started
    this.since = null; // start of the clock; null while it stands
    this.onTick = null;
    this.ticking = 0; // timer of `onTick`
  }

  /* Side whose clock runs, or null. */
  get running() {
    return this.since === null ? null : this.side;
  }

  /* Time that a side has used for its move. */
  spent(side) {
    if (side !== this.side) return 0;
    return this.used + (this.since === null ? 0 : this.now() - this.since);
  }

  /* Time of a side for the rest of the game, without that for further moves. */
  remaining(side) {
    return Math.max(0, this.left[side] - this.spent(side));
  }

  /* Time of a side until its move must be played. */
  untilFlag(side) {
    const { step, last } = this.rules;
    return Math.max(0, Math.min(step || Infinity, this.left[side] + last) - this.spent(side));
  }

  /* Are moves limited one by one, so that their time is shown? */
  get countsMoves() {
    return this.rules.step > 0 || this.rules.last > 0;
  }

  start(side) {
    this.stop();
    if (side !== this.side) this.charge();
    this.side = side;
    this.since = this.now();
    if (this.onTick) this.ticking = setInterval(this.onTick, TICK_MS);
  }

  stop() {
    this.used = this.spent(this.side);
    this.since = null;
    clearInterval(this.ticking);
  }

  /* Take the time of the move from that of the side to move. */
  charge() {
    if (this.side) this.left[this.side] = this.remaining(this.side);
    this.used = 0;
  }

  /* Press the clock after a move: add the increment and start the opponent's clock. */
  press() {
    const mover = this.running;
    if (!mover) return;
    this.start(mover === "red" ? "black" : "red");
    this.left[mover] += this.rules.increment;
  }

  /* Side that has run out of time, or null. */
  get expiredSide() {
    return this.running && this.untilFlag(this.running) <= 0 ? this.running : null;
  }

  /* Data for storage. See `from`. */
  saved() {
    const { rules, left, side } = this;
    return { rules, left, side, used: this.spent(side) };
  }

  static from({ rules, left, side, used }) {
    return Object.assign(new Clocks(rules), { left: { ...left }, side, used });
  }

  /* Clock fields of an engine request. */
  data() {
    const { increment } = this.rules;
    const time = (side) => Math.round(this.untilFlag(side));
    return {
      red_ms: time("red"), black_ms: time("black"),
      red_increment_ms: increment, black_increment_ms: increment,
    };
  }
}

/* Format a time: "1:02:03", "2:03", or tenths below ten seconds: "9.5". */
export function formatTime(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(left)}:${two(rest)}` : `${left}:${two(rest)}`;
}
