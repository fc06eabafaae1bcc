/* What board.js, a script of all pages, gives to the modules of the board's page. */
declare const SVG: string;
declare const FILES: string;
type Point = { x: number; y: number };
declare function squareCentre(square: string, flip: boolean): Point;
declare function squareAt(svg: SVGElement, x: number, y: number, flip: boolean): string | null;
declare function readPieces(fen: string): [string, string][];
declare function writePieces(pieces: Map<string, string>): string;
declare function addElement(parent: Element, tag: string, attributes: Record<string, unknown>): any;
declare function addPart(
  parent: Element, part: string, at: Point, attributes?: Record<string, unknown>,
): any;
declare function drawArrow(svg: Element, arrow: import("./state.js").Arrow, flip: boolean): void;
declare function drawBoard(svg: Element, fen: string, how?: Record<string, unknown>): void;
