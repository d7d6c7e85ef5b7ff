/** Land of the coast picture: eroded ranges and wooded shores, drawn column by column from near to far. */
import { VIEW, SUN } from './coast-sky.ts';
import { clamp, hash, mix, noise2, normalize, smoothstep, type Triple } from './light.ts';

/** One range: distance and depth in metres, and its skyline as pairs of side (x/z) and pixels above the horizon. */
interface Range {
  readonly distance: number;
  readonly depth: number;
  /** Share of the height that ridges and valleys take. */
  readonly rough: number;
  /** Metres from one large ridge to the next. */
  readonly grain: number;
  readonly skyline: readonly (readonly [number, number])[];
}

const RANGES: readonly Range[] = [
  {
    distance: 1150,
    depth: 330,
    rough: 0.3,
    grain: 420,
    skyline: [
      [-0.66, 96],
      [-0.5, 92],
      [-0.38, 66],
      [-0.27, 44],
      [-0.19, 20],
      [-0.14, 3],
      [-0.1, -12],
      [0.7, -12],
    ],
  },
  {
    distance: 2300,
    depth: 600,
    rough: 0.35,
    grain: 800,
    skyline: [
      [-0.7, -8],
      [0.3, -8],
      [0.35, 4],
      [0.4, 22],
      [0.47, 44],
      [0.55, 74],
      [0.7, 98],
    ],
  },
  {
    distance: 7000,
    depth: 2300,
    rough: 0.62,
    grain: 2600,
    skyline: [
      [-0.7, 170],
      [-0.55, 236],
      [-0.42, 290],
      [-0.33, 316],
      [-0.22, 240],
      [-0.1, 180],
      [0, 116],
      [0.09, 52],
      [0.16, 12],
      [0.22, -16],
      [0.7, -20],
    ],
  },
  {
    distance: 11_500,
    depth: 3400,
    rough: 0.6,
    grain: 3600,
    skyline: [
      [-0.7, -16],
      [0.1, -16],
      [0.22, 10],
      [0.3, 64],
      [0.4, 150],
      [0.47, 214],
      [0.54, 236],
      [0.7, 200],
    ],
  },
  {
    distance: 19_000,
    depth: 4600,
    rough: 0.55,
    grain: 5200,
    skyline: [
      [-0.7, 120],
      [-0.1, 120],
      [0.02, 132],
      [0.1, 108],
      [0.17, 60],
      [0.23, 30],
      [0.29, 52],
      [0.36, 100],
      [0.7, 140],
    ],
  },
  {
    distance: 36_000,
    depth: 7000,
    rough: 0.5,
    grain: 8000,
    skyline: [
      [-0.7, 90],
      [0.04, 96],
      [0.12, 92],
      [0.18, 66],
      [0.24, 46],
      [0.3, 70],
      [0.7, 80],
    ],
  },
];

function skylineAt(range: Range, side: number): number {
  let [left, low] = range.skyline[0] ?? [0, 0];
  for (const [right, high] of range.skyline) {
    if (side < right)
      return mix(
        low,
        high,
        smoothstep(left, right, side) * 0.5 +
          0.5 * clamp((side - left) / (right - left || 1), 0, 1),
      );
    [left, low] = [right, high];
  }
  return low;
}

/** Ridged noise whose fine layers live on the ridges of the coarse ones, 0 to about 1. */
function ridges(x: number, z: number, octaves: number, seed: number): number {
  let sum = 0;
  let weight = 0.55;
  let lead = 1;
  let px = x + 0.25 * noise2(x * 1.7, z * 1.7, seed + 50);
  let pz = z + 0.25 * noise2(x * 1.7 + 9.2, z * 1.7, seed + 51);
  for (let octave = 0; octave < octaves; octave++) {
    const crest = 1 - Math.abs(noise2(px, pz, seed + octave)) * 1.55;
    const sharp = crest * crest;
    sum += sharp * weight * lead;
    lead = clamp(sharp * 1.5, 0.15, 1);
    weight *= 0.52;
    const turned = 1.62 * px + 1.24 * pz;
    pz = -1.24 * px + 1.62 * pz;
    px = turned;
  }
  return sum;
}

/** Height in metres of conifers above their ground: cones on a jittered grid. */
function treesAt(x: number, z: number): number {
  const cell = 6.5;
  const cx = Math.floor(x / cell);
  const cz = Math.floor(z / cell);
  let top = 0;
  for (let i = -1; i <= 1; i++) {
    for (let k = -1; k <= 1; k++) {
      const a = hash(cx + i, cz + k, 7);
      const dx = x - (cx + i + hash(cx + i, cz + k, 8)) * cell;
      const dz = z - (cz + k + hash(cx + i, cz + k, 9)) * cell;
      const tall = (a < 0.12 ? 6 : 11) + 15 * a * a;
      const away = Math.sqrt(dx * dx + dz * dz) / (1.5 + tall * 0.1);
      if (away < 1) top = Math.max(top, tall * (1 - away) ** 0.85);
    }
  }
  return top;
}

/** Ground height in metres at a place; below 0 is lake. `octaves` sets the detail. */
function groundAt(x: number, z: number, octaves: number): number {
  const side = x / z;
  let ground = -20;
  for (const [index, range] of RANGES.entries()) {
    const off = (z - range.distance) / range.depth;
    if (off < -2.2 || off > 2.2) continue;
    const peak = (skylineAt(range, side) * range.distance) / VIEW.focal;
    const body = Math.exp(-off * off * 1.4) * 1.12 - 0.1;
    const full = peak * body;
    if (full <= ground) continue;
    const shape = ridges(x / range.grain, z / range.grain, octaves, index * 20 + 3);
    ground = Math.max(ground, full * (1 - range.rough + range.rough * 1.25 * shape) - 4);
  }
  return ground;
}

/** How much of the ground at a place bears trees, 0 to 1. */
function woodsAt(x: number, z: number, ground: number): number {
  const line = 620 + 260 * noise2(x / 700, z / 700, 77);
  return smoothstep(line, line - 160, ground) * smoothstep(0.2, 2.5, ground);
}

/** What a ray met: distance along z and height in metres; `distance` 0 is open sky. */
export interface Meeting {
  readonly distance: Float32Array;
  readonly height: Float32Array;
}

/** Marches one column (`side` = x/z) outwards and fills `rows` samples, the last one at the horizon. */
export function marchColumn(side: number, rows: number, rowsPerPixel: number): Meeting {
  const distance = new Float32Array(rows);
  const height = new Float32Array(rows);
  let filled = 0;
  for (let z = 560; z < 52_000; z *= z < 3200 ? 1.0007 : 1.0016) {
    const x = side * z;
    let top = groundAt(x, z, z < 3200 ? 7 : 10);
    if (top <= -4) continue;
    if (z < 3200 || top < 900) {
      const woods = woodsAt(x, z, top);
      if (woods > 0.3) top += treesAt(x, z) * woods;
    }
    const row = ((top - VIEW.eye) / z) * VIEW.focal * rowsPerPixel;
    for (; filled < row && filled < rows; filled++) {
      distance[rows - 1 - filled] = z;
      height[rows - 1 - filled] = (filled * z) / (VIEW.focal * rowsPerPixel) + VIEW.eye;
    }
  }
  return { distance, height };
}

/** Light that lands on the scene: the sun's beam, the open sky above and the sky behind the camera. */
export interface LandLights {
  readonly sun: Triple;
  readonly above: Triple;
  readonly behind: Triple;
}

function sunReaches(x: number, y: number, z: number): number {
  let open = 1;
  for (let step = 40; step < 9000; step *= 1.35) {
    const gap = y + SUN[1] * step - groundAt(x + SUN[0] * step, z + SUN[2] * step, 5);
    open = Math.min(open, 0.5 + gap / (0.02 * step + 6));
    if (open <= 0) return 0;
  }
  return open;
}

/** Light from a piece of land at distance `z`, before haze. */
export function landLight(x: number, y: number, z: number, lights: LandLights): Triple {
  const reach = Math.max(1.5, (z / VIEW.focal) * 0.8);
  const octaves = 10;
  const ground = groundAt(x, z, octaves);
  const slopeX = (groundAt(x + reach, z, octaves) - groundAt(x - reach, z, octaves)) / (2 * reach);
  const slopeZ = (groundAt(x, z + reach, octaves) - groundAt(x, z - reach, octaves)) / (2 * reach);
  const normal = normalize([-slopeX, 1, -slopeZ]);
  const woods =
    woodsAt(x, z, ground) * smoothstep(0.35, 0.6, normal[1] + 0.1 * noise2(x / 60, z / 60, 33));
  const snow =
    smoothstep(950, 1300, ground + 220 * noise2(x / 500, z / 500, 21)) *
    smoothstep(0.36, 0.86, normal[1]);
  const rock = 0.1 + 0.05 * noise2(x / 90, y / 30, 5);
  // Fine relief above the coarse shape stands in the open, below it lies in shade.
  const open = clamp(0.62 + (ground - groundAt(x, z, 4)) / (0.012 * z + 10), 0.25, 1.25);
  const facing = clamp(normal[0] * SUN[0] + normal[1] * SUN[1] + normal[2] * SUN[2], 0, 1);
  const beam = facing > 0 ? facing * sunReaches(x, Math.max(y, ground) + 4, z) : 0;
  const up = 0.5 + 0.5 * normal[1];
  const back = 0.5 - 0.5 * normal[2];
  const crown = woods > 0.3 ? clamp((y - ground) / 18, 0, 1) : 0;
  const albedo = (bare: number, leaf: number, white: number): number =>
    mix(mix(bare, white, snow), leaf * (0.35 + crown), woods);
  const lit = (c: 0 | 1 | 2, colour: number): number =>
    colour *
    (lights.sun[c] * beam * 0.32 +
      open * (lights.above[c] * up * 0.6 + lights.behind[c] * back * 0.6));
  return [
    lit(0, albedo(rock * 1.05, 0.035, 0.5)),
    lit(1, albedo(rock, 0.042, 0.52)),
    lit(2, albedo(rock * 0.95, 0.03, 0.55)),
  ];
}
