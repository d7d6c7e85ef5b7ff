/** Geometry of boxes that are turned about their centre: corners, hit tests, and resizing with a fixed corner. */

export interface Point {
  x: number;
  y: number;
}

/** An upright rectangle, design pixels. */
export interface Rect extends Point {
  width: number;
  height: number;
}

/** A rectangle that is turned by `rotation` degrees clockwise about its centre, as the box of a layer. */
export interface Box extends Rect {
  rotation: number;
}

/** Turns by `angle` degrees clockwise about the origin, then moves by `x`, `y`. */
export interface Motion extends Point {
  angle: number;
}

/** Which edges of a box a handle moves: -1 left or top, 1 right or bottom, 0 neither. */
export interface Handle {
  name: 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
  horizontal: -1 | 0 | 1;
  vertical: -1 | 0 | 1;
}

/** Clockwise from the top left corner. */
export const handles: readonly Handle[] = [
  { name: 'nw', horizontal: -1, vertical: -1 },
  { name: 'n', horizontal: 0, vertical: -1 },
  { name: 'ne', horizontal: 1, vertical: -1 },
  { name: 'e', horizontal: 1, vertical: 0 },
  { name: 'se', horizontal: 1, vertical: 1 },
  { name: 's', horizontal: 0, vertical: 1 },
  { name: 'sw', horizontal: -1, vertical: 1 },
  { name: 'w', horizontal: -1, vertical: 0 },
];

export const still: Motion = { angle: 0, x: 0, y: 0 };

/** Turns a point about the origin, clockwise where y points down. Quarter turns are exact. */
export function rotatePoint({ x, y }: Point, degrees: number): Point {
  const turn = ((degrees % 360) + 360) % 360;
  if (turn === 0) return { x, y };
  if (turn === 90) return { x: -y, y: x };
  if (turn === 180) return { x: -x, y: -y };
  if (turn === 270) return { x: y, y: -x };
  const radians = (turn * Math.PI) / 180;
  const cosine = Math.cos(radians);
  const sine = Math.sin(radians);
  return { x: x * cosine - y * sine, y: x * sine + y * cosine };
}

export function applyMotion({ angle, x, y }: Motion, point: Point): Point {
  const turned = rotatePoint(point, angle);
  return { x: turned.x + x, y: turned.y + y };
}

/** The point that `motion` maps to `point`. */
export function undoMotion({ angle, x, y }: Motion, point: Point): Point {
  return rotatePoint({ x: point.x - x, y: point.y - y }, -angle);
}

/** The motion that applies `inner` first, then `outer`. */
export function composeMotions(outer: Motion, inner: Motion): Motion {
  return { ...applyMotion(outer, inner), angle: outer.angle + inner.angle };
}

/** Motion of the content of a box that is turned about its centre. */
export function motionOf(box: Box): Motion {
  const center = centerOf(box);
  const turned = rotatePoint(center, box.rotation);
  return { angle: box.rotation, x: center.x - turned.x, y: center.y - turned.y };
}

/** The box after a motion: its size is the same. */
export function moveBox(motion: Motion, box: Box): Box {
  const center = applyMotion(motion, centerOf(box));
  return {
    x: center.x - box.width / 2,
    y: center.y - box.height / 2,
    width: box.width,
    height: box.height,
    rotation: box.rotation + motion.angle,
  };
}

export function centerOf({ x, y, width, height }: Rect): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Position of a point of the box. `across` and `down` go from -1, the left or top edge, to 1. */
export function pointOn(box: Box, across: number, down: number): Point {
  const center = centerOf(box);
  const offset = rotatePoint(
    { x: (across * box.width) / 2, y: (down * box.height) / 2 },
    box.rotation,
  );
  return { x: center.x + offset.x, y: center.y + offset.y };
}

/** Corners of the turned box, clockwise from the corner that is top left before the turn. */
export function cornersOf(box: Box): Point[] {
  return [pointOn(box, -1, -1), pointOn(box, 1, -1), pointOn(box, 1, 1), pointOn(box, -1, 1)];
}

/** The smallest upright rectangle that holds all boxes; undefined without any. */
export function boundsOf(boxes: readonly Box[]): Rect | undefined {
  const corners = boxes.flatMap(cornersOf);
  if (corners.length === 0) return undefined;
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The nearest position at which a rectangle lies inside a canvas. One that exceeds the canvas begins at its edge. */
export function insideCanvas(canvas: Omit<Rect, 'x' | 'y'>, { x, y, width, height }: Rect): Point {
  return {
    x: Math.round(Math.max(0, Math.min(x, canvas.width - width))),
    y: Math.round(Math.max(0, Math.min(y, canvas.height - height))),
  };
}

/** Longest side of a new image as a part of the canvas, so that it leaves space for other layers. */
const partMax = 0.4;

/** Box of an image about a point, inside the canvas. Scales a large image down to a part of the canvas. */
export function placeImage(
  canvas: { width: number; height: number },
  size: { width: number; height: number },
  at: Point,
): Rect {
  const scale = Math.min(
    1,
    (canvas.width * partMax) / size.width,
    (canvas.height * partMax) / size.height,
  );
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const rect = { x: at.x - width / 2, y: at.y - height / 2, width, height };
  return { ...rect, ...insideCanvas(canvas, rect) };
}

/** Whether the point lies in the box or within `reach` of it, so that a thin line can be hit. */
export function isInBox(box: Box, point: Point, reach = 0): boolean {
  const center = centerOf(box);
  const turned = rotatePoint({ x: point.x - center.x, y: point.y - center.y }, -box.rotation);
  return (
    Math.abs(turned.x) <= Math.max(box.width / 2, reach) &&
    Math.abs(turned.y) <= Math.max(box.height / 2, reach)
  );
}

/** Whether a turned box and an upright rectangle have a point in common (separating axes). */
export function touchesRect(box: Box, rect: Rect): boolean {
  const upright: Box = { ...rect, rotation: 0 };
  return !isApart(box, upright) && !isApart(upright, box);
}

/** Whether one of the axes of `box` separates it from `other`. */
function isApart(box: Box, other: Box): boolean {
  const center = centerOf(box);
  const turned = cornersOf(other).map((corner) =>
    rotatePoint({ x: corner.x - center.x, y: corner.y - center.y }, -box.rotation),
  );
  const xs = turned.map((corner) => corner.x);
  const ys = turned.map((corner) => corner.y);
  return (
    Math.min(...xs) > box.width / 2 ||
    Math.max(...xs) < -box.width / 2 ||
    Math.min(...ys) > box.height / 2 ||
    Math.max(...ys) < -box.height / 2
  );
}

export interface ResizeOptions {
  /** The ratio of width to height stays the same. */
  keepsRatio?: boolean;
  /** The centre stays fixed instead of the opposite corner or edge. */
  fromCenter?: boolean;
  /** Minimum length of a side, design pixels. Default 1. */
  sideMin?: number;
  /** Sides are rounded to whole design pixels. */
  isWhole?: boolean;
}

/**
 * The box after a drag of one of its handles by `delta`, in the space in which the box is turned. The opposite corner,
 * or the middle of the opposite edge, stays fixed. Sides never become negative.
 */
export function resizeBox(
  box: Box,
  { horizontal, vertical }: Handle,
  delta: Point,
  { keepsRatio = false, fromCenter = false, sideMin = 1, isWhole = false }: ResizeOptions = {},
): Box {
  const turned = rotatePoint(delta, -box.rotation);
  const gain = fromCenter ? 2 : 1;
  const added = { x: turned.x * horizontal * gain, y: turned.y * vertical * gain };
  const sides = keepsRatio && box.width > 0 && box.height > 0 ? scaledSides : freeSides;
  const { width, height } = sides(box, added, horizontal, vertical, sideMin);
  const side = (length: number, before: number, moves: boolean): number =>
    isWhole && moves && length !== before ? Math.max(sideMin, Math.round(length)) : length;
  const sized = {
    ...box,
    width: side(width, box.width, keepsRatio || horizontal !== 0),
    height: side(height, box.height, keepsRatio || vertical !== 0),
  };
  const across = fromCenter ? 0 : -horizontal;
  const down = fromCenter ? 0 : -vertical;
  const stays = pointOn(box, across, down);
  const moved = pointOn(sized, across, down);
  return { ...sized, x: box.x + stays.x - moved.x, y: box.y + stays.y - moved.y };
}

function freeSides(
  { width, height }: Box,
  added: Point,
  _horizontal: number,
  _vertical: number,
  sideMin: number,
): { width: number; height: number } {
  // A side that is already shorter than `sideMin` does not grow to it.
  return {
    width: Math.max(Math.min(sideMin, width), width + added.x),
    height: Math.max(Math.min(sideMin, height), height + added.y),
  };
}

/** A corner handle moves along the diagonal. An edge handle scales the other side in proportion. */
function scaledSides(
  { width, height }: Box,
  added: Point,
  horizontal: number,
  vertical: number,
  sideMin: number,
): { width: number; height: number } {
  const onEdge = horizontal === 0 ? added.y / height : added.x / width;
  const onDiagonal = (added.x * width + added.y * height) / (width ** 2 + height ** 2);
  const factor = 1 + (horizontal !== 0 && vertical !== 0 ? onDiagonal : onEdge);
  const least = Math.min(1, sideMin / Math.min(width, height));
  const used = Math.max(least, factor);
  return { width: width * used, height: height * used };
}

/** The angle from `center` to `point`, degrees clockwise from the top, 0 to 360. */
export function angleTo(center: Point, point: Point): number {
  const degrees = (Math.atan2(point.x - center.x, center.y - point.y) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

/** The same direction as a number above -180 and up to 180, which a layer's rotation may be. */
export function normalAngle(degrees: number): number {
  const turn = ((degrees % 360) + 360) % 360;
  return turn > 180 ? turn - 360 : turn;
}

/** Rounds a number as documents store it: to thousandths of a design pixel, and never -0. */
export function tidyNumber(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
