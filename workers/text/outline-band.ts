/** Computes the reach of glyph outlines within a band along the baseline. Plain numbers. */

/** Left and right edge. */
export type Reach = readonly [left: number, right: number];

/** Straight parts of a curve: the error is less than one unit in a glyph of 1,000 units. */
const curveParts = 8;
const commandPattern = /([MLQCZ])([^MLQCZ]*)/g;
const numberPattern = /-?[\d.]+(?:e-?\d+)?/g;

type Point = readonly [x: number, y: number];

/**
 * Returns the reach of an outline between the heights `low` and `high`; undefined if it has no point there. `data` is
 * SVG path data with absolute commands. Takes linear time.
 */
export function reachInBand(data: string, low: number, high: number): Reach | undefined {
  let left = Infinity;
  let right = -Infinity;
  const addLine = ([fromX, fromY]: Point, [toX, toY]: Point): void => {
    if (Math.max(fromY, toY) < low || Math.min(fromY, toY) > high) return;
    const xAt = (y: number): number => {
      const inside = Math.min(Math.max(y, low), high);
      return toY === fromY ? fromX : fromX + ((inside - fromY) / (toY - fromY)) * (toX - fromX);
    };
    const ends = toY === fromY ? [fromX, toX] : [xAt(fromY), xAt(toY)];
    left = Math.min(left, ...ends);
    right = Math.max(right, ...ends);
  };
  let start: Point = [0, 0];
  let pen: Point = start;
  for (const [, command, numbers = ''] of data.matchAll(commandPattern)) {
    const points = toPoints(numbers);
    if (command === 'Z') points.push(start);
    const end = points.at(-1) ?? pen;
    if (command === 'M') start = end;
    else {
      const curve = [pen, ...points];
      const parts = curve.length > 2 ? curveParts : 1;
      for (let part = 1; part <= parts; part += 1) {
        const next = pointAt(curve, part / parts);
        addLine(pen, next);
        pen = next;
      }
    }
    pen = end;
  }
  return left <= right ? [left, right] : undefined;
}

function toPoints(numbers: string): Point[] {
  const values = (numbers.match(numberPattern) ?? []).map(Number);
  const points: Point[] = [];
  for (let index = 0; index + 1 < values.length; index += 2) {
    points.push([values[index] ?? 0, values[index + 1] ?? 0]);
  }
  return points;
}

/** Returns a point of a line or a Bézier curve with these control points (de Casteljau). */
function pointAt(controls: readonly Point[], part: number): Point {
  let points = controls;
  while (points.length > 1) {
    points = points.slice(1).map(([x, y], index): Point => {
      const [fromX, fromY] = points[index] ?? [0, 0];
      return [fromX + (x - fromX) * part, fromY + (y - fromY) * part];
    });
  }
  return points[0] ?? [0, 0];
}
