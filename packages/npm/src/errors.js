/* Bad input, or a package that cannot be loaded. */
export class MeihuaError extends Error {
  constructor({ code, message, place = "", ply = null, quotation = "" }) {
    super(message);
    this.name = "MeihuaError";
    Object.assign(this, { code, place, ply, quotation });
  }
}
