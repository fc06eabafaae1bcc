/* Unpacks gzip streams and tar archives. */
"use strict";

/* Decompress the body of a response. */
async function inflate(body) {
  const plain = new Response(body).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/* Write the files of a tar archive into a folder of Pyodide's file system. */
function unpack(files, archive, folder) {
  const text = (at, length) =>
    new TextDecoder().decode(archive.subarray(at, at + length)).replace(/\0.*$/s, "");
  const made = new Set();
  for (let at = 0; archive[at];) {
    const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/"); // prefix and name
    const size = parseInt(text(at + 124, 12), 8);
    const path = `${folder}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) files.mkdirTree(parent);
    made.add(parent);
    files.writeFile(path, archive.subarray(at + 512, at + 512 + size), { canOwn: true });
    at += 512 * (1 + Math.ceil(size / 512));
  }
}
