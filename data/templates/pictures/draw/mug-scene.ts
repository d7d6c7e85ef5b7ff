/** What a ray meets in the mug's studio: the clay, the coffee, the paper sweep and the lamps. */
import {
  blend,
  clamp,
  dot,
  fractal3,
  fromHex,
  hash,
  mix,
  noise2,
  noise3,
  normalize,
  scale,
  smoothstep,
  type Triple,
} from './light.ts';
import { MUG, mugDistance, mugNormal, outerRadius } from './mug-shape.ts';

/** Colours of one mug and of the paper it stands on, linear. */
export interface Colourway {
  readonly glaze: Triple;
  /** Where the glaze is thin: lip and handle edges. */
  readonly thin: Triple;
  readonly clay: Triple;
  readonly inside: Triple;
  readonly paper: Triple;
}

/** Count of the parts a surface can belong to. */
export const PARTS = 6;

/** A place where a ray ends: what is there and how it sends light on. */
export interface Surface {
  readonly away: number;
  readonly point: Triple;
  readonly normal: Triple;
  readonly albedo: Triple;
  /** Mirror share at a right angle; 0 for a matte surface. */
  readonly gloss: number;
  /** Spread of mirrored light, 0 for a mirror. */
  readonly rough: number;
  /** Number of the part, below `PARTS`: light may be smoothed within one part only. */
  readonly part: number;
}

/** A flat lamp: middle, half edges as vectors, light it sends from its front. */
export interface Lamp {
  readonly middle: Triple;
  readonly right: Triple;
  readonly up: Triple;
  readonly front: Triple;
  readonly area: number;
  readonly light: Triple;
}

function lampAt(middle: Triple, aim: Triple, width: number, height: number, light: Triple): Lamp {
  const front = normalize([aim[0] - middle[0], aim[1] - middle[1], aim[2] - middle[2]]);
  const side = normalize([front[2], 0, -front[0]]);
  const rise: Triple = [
    front[1] * side[2] - front[2] * side[1],
    front[2] * side[0] - front[0] * side[2],
    front[0] * side[1] - front[1] * side[0],
  ];
  return {
    middle,
    right: scale(side, width / 2),
    up: scale(rise, height / 2),
    front,
    area: width * height,
    light,
  };
}

/** A large softbox from the left and a narrow strip from behind on the right; sizes in centimetres. */
export const LAMPS: readonly Lamp[] = [
  lampAt([-42, 28, 9], [0, 5, 0], 26, 40, [17.5, 16.3, 14.6]),
  lampAt([34, 17, -15], [0, 5, 0], 9, 40, [9, 8.9, 8.8]),
];

/** Even light of the studio from a direction that meets nothing. */
export function roomLight(d: Triple): Triple {
  const up = clamp(0.5 + 0.5 * d[1], 0, 1);
  return [0.06 + 0.2 * up, 0.058 + 0.195 * up, 0.06 + 0.195 * up];
}

/** Radians by which the handle is turned to the camera. */
const TURN = 0.5;
const TURN_COSINE = Math.cos(TURN);
const TURN_SINE = Math.sin(TURN);

function toMug(v: Triple): Triple {
  return [TURN_COSINE * v[0] + TURN_SINE * v[2], v[1], -TURN_SINE * v[0] + TURN_COSINE * v[2]];
}

function fromMug(v: Triple): Triple {
  return [TURN_COSINE * v[0] - TURN_SINE * v[2], v[1], TURN_SINE * v[0] + TURN_COSINE * v[2]];
}

/** Box around the mug in its own directions. */
const BOX_LOW: Triple = [-4.6, 0, -4.6];
const BOX_HIGH: Triple = [7.9, 9.4, 4.6];

/** Way along a ray to the clay in centimetres, or −1; `o` and `d` are in the mug's directions. */
function marchMug(o: Triple, d: Triple, limit: number): number {
  let near = 0.02;
  let far = limit;
  for (const axis of [0, 1, 2] as const) {
    const inverse = 1 / (Math.abs(d[axis]) < 1e-9 ? 1e-9 : d[axis]);
    const a = (BOX_LOW[axis] - o[axis]) * inverse;
    const b = (BOX_HIGH[axis] - o[axis]) * inverse;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  let t = near;
  for (let step = 0; step < 160 && t < far; step++) {
    const gap = mugDistance(o[0] + d[0] * t, o[1] + d[1] * t, o[2] + d[2] * t);
    if (gap < 0.0025) return t;
    t += gap * 0.95 + 0.0008;
  }
  return -1;
}

/** Way along a ray to the coffee, or −1; `o` and `d` are in the mug's directions. */
function meetCoffee(o: Triple, d: Triple): number {
  const t = (MUG.coffee - o[1]) / d[1];
  if (!(t > 0.01)) return -1;
  return Math.hypot(o[0] + d[0] * t, o[2] + d[2] * t) < MUG.radius - 0.2 ? t : -1;
}

/** The paper: flat to `bend` behind the mug, then a quarter circle up, then a wall. */
const SWEEP = { bend: -26, radius: 30 } as const;

function meetPaper(o: Triple, d: Triple): { away: number; normal: Triple } {
  const floor = d[1] < 0 ? -o[1] / d[1] : -1;
  if (floor > 0 && o[2] + d[2] * floor > SWEEP.bend) return { away: floor, normal: [0, 1, 0] };
  const [y, z] = [o[1] - SWEEP.radius, o[2] - SWEEP.bend];
  const a = d[1] * d[1] + d[2] * d[2];
  const b = y * d[1] + z * d[2];
  const root = b * b - a * (y * y + z * z - SWEEP.radius * SWEEP.radius);
  const t = root > 0 ? (-b + Math.sqrt(root)) / a : -1;
  const [hitY, hitZ] = [y + d[1] * t, z + d[2] * t];
  if (t > 0 && hitY <= 0 && hitZ <= 0)
    return { away: t, normal: [0, -hitY / SWEEP.radius, -hitZ / SWEEP.radius] };
  const wall = d[2] < 0 ? (SWEEP.bend - SWEEP.radius - o[2]) / d[2] : -1;
  return wall > 0 && o[1] + d[1] * wall < 90
    ? { away: wall, normal: [0, 0, 1] }
    : { away: -1, normal: [0, 1, 0] };
}

/** Whether nothing stands between a point and a place `limit` centimetres away. */
export function isOpen(point: Triple, d: Triple, limit: number): boolean {
  const [o, turned] = [toMug(point), toMug(d)];
  const coffee = meetCoffee(o, turned);
  return !(coffee > 0 && coffee < limit) && marchMug(o, turned, limit) < 0;
}

/** Dark iron specks in the clay, 0 to 1. */
function specks(p: Triple, cell: number): number {
  const [x, y, z] = [Math.floor(p[0] / cell), Math.floor(p[1] / cell), Math.floor(p[2] / cell)];
  const chance = hash(x, y, z);
  if (chance > 0.42) return 0;
  const size = cell * (0.06 + 0.22 * hash(x, y, z + 500) ** 3);
  const part = (value: number, seed: number): number =>
    value / cell - Math.floor(value / cell) - 0.3 - 0.4 * hash(x, y + seed, z);
  const away = Math.hypot(part(p[0], 71), part(p[1], 72), part(p[2], 73)) * cell;
  return smoothstep(size, size * 0.55, away) * (0.35 + 0.65 * hash(x, y, z + 900));
}

function claySurface(p: Triple, colours: Colourway): Omit<Surface, 'away' | 'point'> {
  const radius = Math.hypot(p[0], p[2]);
  const smooth = mugNormal(p[0], p[1], p[2]);
  const within = p[1] > MUG.floor * 0.9 && radius < outerRadius(p[1]) - MUG.wall * 0.55;
  const edge =
    3.25 + 0.16 * noise3(p[0] * 0.55, 3, p[2] * 0.55) + 0.03 * noise3(p[0] * 2.5, 9, p[2] * 2.5);
  const glazed = within ? 1 : smoothstep(edge - 0.025, edge + 0.025, p[1]);
  // Rings from the wheel and the hand, and a bead where the glaze ends.
  const rings =
    0.022 * noise2(p[1] * 1.9, Math.atan2(p[2], p[0]) * 0.7, 4) + 0.012 * noise2(p[1] * 6, 0.5, 5);
  const bead = glazed > 0 ? -0.35 * Math.exp(-(((p[1] - edge) / 0.07) ** 2)) : 0;
  const grit = glazed < 0.5 ? 0.09 : 0.012;
  const normal = normalize([
    smooth[0] + grit * noise3(p[0] * 14, p[1] * 14, p[2] * 14),
    smooth[1] + rings + (within ? 0 : bead) + grit * noise3(p[0] * 14 + 40, p[1] * 14, p[2] * 14),
    smooth[2] + grit * noise3(p[0] * 14, p[1] * 14, p[2] * 14 + 40),
  ]);
  const lip = smoothstep(
    MUG.height - 0.24,
    MUG.height - 0.02,
    p[1] + 0.1 * noise3(p[0], p[1], p[2]),
  );
  const cloud = 0.5 + 0.5 * fractal3(p[0] * 0.5, p[1] * 0.5, p[2] * 0.5, 3);
  const glaze = blend(
    within ? colours.inside : colours.glaze,
    colours.thin,
    clamp(lip * 0.6 + 0.1 * cloud, 0, 1),
  );
  const bare = scale(colours.clay, 0.9 + 0.2 * cloud + 0.12 * noise3(p[0] * 9, p[1] * 9, p[2] * 9));
  const dark = Math.max(specks(p, 0.42), 0.7 * specks([p[0] + 5, p[1], p[2]], 0.23));
  const body = blend(bare, glaze, glazed);
  const albedo = scale(body, 1 - dark * mix(0.7, 0.5, glazed));
  return {
    normal,
    albedo,
    gloss: glazed * 0.05,
    rough: 0.16,
    part: within ? 2 : glazed > 0.5 ? 1 : 3,
  };
}

const COFFEE = fromHex(0x2a1408);
const CREMA = fromHex(0x8a5a2c);

function coffeeSurface(p: Triple): Omit<Surface, 'away' | 'point'> {
  const radius = Math.hypot(p[0], p[2]);
  const swirl = Math.atan2(p[2], p[0]) + radius * 0.5;
  const foam = fractal3(p[0] * 1.1 + Math.cos(swirl), p[2] * 1.1, 2, 4);
  const ring = smoothstep(2.85, 3.95, radius + 0.35 * foam);
  const rise = 0.5 * smoothstep(3.55, 4, radius) ** 3;
  const normal = normalize([(-p[0] / radius) * rise, 1, (-p[2] / radius) * rise]);
  return {
    normal,
    albedo: blend(COFFEE, CREMA, 0.85 * ring + 0.2 * clamp(foam, 0, 1)),
    gloss: 0.012,
    rough: 0.03,
    part: 4,
  };
}

/** Nearest surface along a ray, or `undefined` when it leaves the studio. */
export function meetSurface(o: Triple, d: Triple, colours: Colourway): Surface | undefined {
  const [mugO, mugD] = [toMug(o), toMug(d)];
  const clay = marchMug(mugO, mugD, 200);
  const coffee = meetCoffee(mugO, mugD);
  const liquid = coffee > 0 && (clay < 0 || coffee < clay);
  const away = liquid ? coffee : clay;
  if (away > 0) {
    const p: Triple = [
      mugO[0] + mugD[0] * away,
      mugO[1] + mugD[1] * away,
      mugO[2] + mugD[2] * away,
    ];
    const found = liquid ? coffeeSurface(p) : claySurface(p, colours);
    return { ...found, normal: fromMug(found.normal), away, point: fromMug(p) };
  }
  const paper = meetPaper(o, d);
  if (paper.away <= 0) return undefined;
  const point: Triple = [
    o[0] + d[0] * paper.away,
    o[1] + d[1] * paper.away,
    o[2] + d[2] * paper.away,
  ];
  return {
    away: paper.away,
    point,
    normal: paper.normal,
    albedo: colours.paper,
    gloss: 0,
    rough: 1,
    part: 5,
  };
}

/** Light of the lamp a ray meets first within `limit` centimetres, or black. */
export function lampLight(o: Triple, d: Triple, limit: number): Triple {
  for (const lamp of LAMPS) {
    const facing = -dot(d, lamp.front);
    if (facing <= 0) continue;
    const toLamp: Triple = [lamp.middle[0] - o[0], lamp.middle[1] - o[1], lamp.middle[2] - o[2]];
    const t = dot(toLamp, lamp.front) / -facing;
    if (t <= 0 || t > limit) continue;
    const off: Triple = [d[0] * t - toLamp[0], d[1] * t - toLamp[1], d[2] * t - toLamp[2]];
    const u = Math.abs(dot(off, lamp.right) / dot(lamp.right, lamp.right));
    const v = Math.abs(dot(off, lamp.up) / dot(lamp.up, lamp.up));
    // A softbox is brightest in its middle and fades at the cloth's edge.
    if (u < 1 && v < 1)
      return scale(
        lamp.light,
        (1.1 - 0.35 * (u * u + v * v)) * smoothstep(1, 0.86, Math.max(u, v)),
      );
  }
  return [0, 0, 0];
}
