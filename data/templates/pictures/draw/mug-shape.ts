/** Shape of the mug: signed distances of its turned wall and its handle, kept in tables for fast marching. */
import { clamp, mix, normalize, smoothstep, type Triple } from './light.ts';

/** Sizes in centimetres: heights from the table, radii from the axis. */
export const MUG = {
  height: 9.2,
  radius: 4.25,
  wall: 0.36,
  floor: 0.75,
  coffee: 7.75,
  handleReach: 7.2,
} as const;

/** Table resolution: samples a centimetre, and the region it covers. */
const FINE = 24;

interface Table {
  readonly left: number;
  readonly low: number;
  readonly columns: number;
  readonly rows: number;
  readonly values: Float32Array;
}

function tabulate(
  left: number,
  right: number,
  low: number,
  high: number,
  measure: (x: number, y: number) => number,
): Table {
  const columns = Math.ceil((right - left) * FINE) + 1;
  const rows = Math.ceil((high - low) * FINE) + 1;
  const values = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      values[row * columns + column] = measure(left + column / FINE, low + row / FINE);
    }
  }
  return { left, low, columns, rows, values };
}

function lookUp(table: Table, x: number, y: number): number {
  const { columns, values } = table;
  const px = clamp((x - table.left) * FINE, 0, columns - 1.001);
  const py = clamp((y - table.low) * FINE, 0, table.rows - 1.001);
  const ix = px | 0;
  const iy = py | 0;
  const u = px - ix;
  const v = py - iy;
  const at = iy * columns + ix;
  const top = (values[at] ?? 0) * (1 - u) + (values[at + 1] ?? 0) * u;
  const bottom = (values[at + columns] ?? 0) * (1 - u) + (values[at + columns + 1] ?? 0) * u;
  return top * (1 - v) + bottom * v;
}

/** Outer radius in centimetres at a height: a foot drawn in, a nearly straight wall, a lip that opens a little. */
export function outerRadius(y: number): number {
  const foot = 1.05 * (1 - smoothstep(-0.9, 1.9, y)) ** 1.6;
  const lip = 0.1 * smoothstep(6.5, MUG.height, y);
  const waist = 0.09 * Math.sin((clamp(y, 0, MUG.height) / MUG.height) * Math.PI);
  return MUG.radius - foot + lip - waist;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

/** Middle line of the wall from the axis along the floor and up to the lip, with half its thickness. */
function wallLine(): readonly Point[] {
  const points: Point[] = [];
  const floorHalf = MUG.floor / 2;
  for (let k = 0; k <= 24; k++) {
    const x = (k / 24) * (outerRadius(0.6) - 0.75);
    points.push({ x, y: floorHalf - 0.03, half: floorHalf });
  }
  for (let k = 0; k <= 90; k++) {
    const t = k / 90;
    const y = mix(0.62, MUG.height - 0.2, t);
    const half = mix(0.3, MUG.wall / 2, smoothstep(0, 0.12, t));
    points.push({ x: outerRadius(y) - half, y, half: half * mix(1, 0.9, smoothstep(0.93, 1, t)) });
  }
  return points;
}

/** Middle line of the handle in its plane: leaves the wall high, sweeps out and returns low. */
function handleLine(): readonly Point[] {
  const points: Point[] = [];
  const from = { x: MUG.radius - 0.15, y: 7.5 };
  const to = { x: MUG.radius - 0.3, y: 2.3 };
  for (let k = 0; k <= 120; k++) {
    const t = k / 120;
    const s = 1 - t;
    const reach = MUG.handleReach + 0.85;
    const bow = (a: number, b: number, c: number, d: number): number =>
      s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
    points.push({
      x: bow(from.x, reach, reach - 0.25, to.x),
      y: bow(from.y, 8.5, 2.5, to.y),
      half: 0,
    });
  }
  return points;
}

function distanceToLine(line: readonly Point[], x: number, y: number): number {
  let best = 1e9;
  for (let k = 1; k < line.length; k++) {
    const [a, b] = [line[k - 1], line[k]];
    if (!a || !b) continue;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const t = clamp(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0, 1);
    const away = Math.hypot(x - a.x - dx * t, y - a.y - dy * t) - mix(a.half, b.half, t);
    best = Math.min(best, away);
  }
  return best;
}

const wall = wallLine();
const handle = handleLine();
const WALL = tabulate(0, 6, -1, 10.5, (x, y) => distanceToLine(wall, x, y));
const HANDLE = tabulate(2.5, 8.6, 0, 10, (x, y) => distanceToLine(handle, x, y));

/** Half sizes of the handle's oval cross-section: in its plane and across. */
const GRIP = { along: 0.36, across: 0.62 } as const;
/** Width of the soft joint between wall and handle. */
const JOINT = 0.55;

/** Distance in centimetres from a point to the mug's clay, negative inside; y is up, the handle lies along +x. */
export function mugDistance(x: number, y: number, z: number): number {
  const radius = Math.sqrt(x * x + z * z);
  // Outside its table the wall is at least as far as the way back to the table.
  const beyond = Math.max(radius - 6, y - 10.5, 0);
  const body = lookUp(WALL, radius, y) + beyond;
  if (x < 2.5) return body;
  const inPlane = lookUp(HANDLE, x, y);
  const ratio = GRIP.along / GRIP.across;
  const oval = Math.sqrt(inPlane * inPlane + z * z * ratio * ratio) - GRIP.along;
  // The oval is squeezed space: its value may be too small across, never too large along.
  const grip = radius < MUG.radius - MUG.wall ? oval + (MUG.radius - MUG.wall - radius) * 3 : oval;
  const h = clamp(0.5 + (0.5 * (grip - body)) / JOINT, 0, 1);
  return mix(grip, body, h) - JOINT * h * (1 - h) * 0.9;
}

/** Unit normal of the clay near a point on its surface. */
export function mugNormal(x: number, y: number, z: number): Triple {
  const e = 0.03;
  return normalize([
    mugDistance(x + e, y, z) - mugDistance(x - e, y, z),
    mugDistance(x, y + e, z) - mugDistance(x, y - e, z),
    mugDistance(x, y, z + e) - mugDistance(x, y, z - e),
  ]);
}
