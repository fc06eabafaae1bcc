/* Invalid input, or a failure of the worker; see errors.d.ts. */
export class MeihuaError extends Error {
  constructor({ code, message, place = "", ply = null, quotation = "" }) {
    super(message);
    this.name = "MeihuaError";
    Object.assign(this, { code, place, ply, quotation });
  }
}

/* Make the error for an option or a value of a request. */
export function optionError(place, value, expected) {
  const quotation = String(value);
  const message = `${place}: ${typeof value === "string" ? `'${value}'` : quotation}: expected ${expected}`;
  return new MeihuaError({ code: "bad_field", message, place, quotation });
}

/* Throw a MeihuaError unless this is an object whose keys are all known. */
export function checkKeys(place, data, known) {
  if (typeof data !== "object" || data === null) throw optionError(place, data, "an object");
  const unknown = Object.keys(data).find((key) => !known.includes(key));
  if (unknown !== undefined) throw optionError(place, unknown, `one of the keys ${known.join(", ")}`);
}
