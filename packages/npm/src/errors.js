/* Invalid input, or a failure of the worker; see errors.d.ts. */
export class MeihuaError extends Error {
  constructor({ code, message, place = "", ply = null, quotation = "" }) {
    super(message);
    this.name = "MeihuaError";
    Object.assign(this, { code, place, ply, quotation });
  }
}
