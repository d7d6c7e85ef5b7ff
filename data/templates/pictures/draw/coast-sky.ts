/** Sky of the coast picture: sunlight scattered once in air, ozone and haze, and clouds marched through a slab. */
import { clamp, dot, fractal3, mix, noise2, normalize, smoothstep, type Triple } from './light.ts';

/** The camera: a shift lens 5 m above the water that looks along +z; sizes in pixels, metres. */
export const VIEW = {
  width: 1600,
  height: 840,
  focal: 1386,
  middle: 800,
  horizon: 488,
  eye: 5,
} as const;

/** Where the sun stands in the frame, in pixels from the top left. */
export const SUN_AT = { x: 1128, y: 419 } as const;

/** Direction from the eye through a place in the frame. */
export function rayThrough(x: number, y: number): Triple {
  return normalize([(x - VIEW.middle) / VIEW.focal, (VIEW.horizon - y) / VIEW.focal, 1]);
}

/** Direction to the sun. */
export const SUN: Triple = rayThrough(SUN_AT.x, SUN_AT.y);

/** Radii in metres of the ground and of the end of the air. */
const GROUND = 6_360_000;
const AIR_END = 6_440_000;
/** Scattering per metre at sea level for red, green, blue (Bruneton and Neyret, 2008). */
const RAYLEIGH: Triple = [5.8e-6, 13.5e-6, 33.1e-6];
/** Absorption of ozone per metre at its densest (Hillaire, 2020). */
const OZONE: Triple = [0.65e-6, 1.88e-6, 0.085e-6];
/** Scattering of haze per metre at sea level, a misty morning, and how much it prefers to go straight on. */
const HAZE = 1.5e-5;
const HAZE_FORWARD = 0.78;
/** Sunlight above the air, relative units. */
const SUNLIGHT = 20;

function densities(height: number): Triple {
  const ozone = Math.max(0, 1 - Math.abs(height - 25_000) / 15_000);
  return [Math.exp(-height / 8000), Math.exp(-height / 1200), ozone];
}

function wayOut(x: number, y: number, z: number, d: Triple, radius: number): number {
  const b = x * d[0] + y * d[1] + z * d[2];
  const c = x * x + y * y + z * z - radius * radius;
  return -b + Math.sqrt(Math.max(0, b * b - c));
}

/** Share of sunlight, per colour, that reaches a point given relative to the earth's centre. */
function sunThroughAir(x: number, y: number, z: number): Triple {
  const steps = 10;
  const length = wayOut(x, y, z, SUN, AIR_END);
  let air = 0;
  let haze = 0;
  let ozone = 0;
  for (let k = 0; k < steps; k++) {
    const t = ((k + 0.5) / steps) ** 2 * length;
    const step = ((2 * (k + 0.5)) / steps / steps) * length;
    const height = Math.hypot(x + SUN[0] * t, y + SUN[1] * t, z + SUN[2] * t) - GROUND;
    const density = densities(Math.max(0, height));
    air += density[0] * step;
    haze += density[1] * step;
    ozone += density[2] * step;
  }
  const part = (c: 0 | 1 | 2): number =>
    Math.exp(-(RAYLEIGH[c] * air + OZONE[c] * ozone + HAZE * 1.1 * haze));
  return [part(0), part(1), part(2)];
}

/** Sunlight that arrives at `height` metres above the water. */
export function sunlightAt(height: number): Triple {
  const share = sunThroughAir(0, GROUND + height, 0);
  return [share[0] * SUNLIGHT, share[1] * SUNLIGHT, share[2] * SUNLIGHT];
}

/** Phase function of Henyey and Greenstein for the cosine of the turn. */
function forwardPhase(cosine: number, g: number): number {
  return (1 - g * g) / (4 * Math.PI * (1 + g * g - 2 * g * cosine) ** 1.5);
}

/** Strength of light scattered more than once: bluer than the beam and close to even in all directions. */
const AGAIN: Triple = [0.75, 0.92, 1.2];

/** Light of the clear sky from direction `d`, without the sun's disc. */
export function skyLight(d: Triple): Triple {
  const steps = 28;
  const length = wayOut(0, GROUND + 20, 0, d, AIR_END);
  const cosine = dot(d, SUN);
  const airPhase = (3 / (16 * Math.PI)) * (1 + cosine * cosine);
  const hazePhase = 0.82 * forwardPhase(cosine, HAZE_FORWARD) + 0.18 * forwardPhase(cosine, 0.2);
  const sum: [number, number, number] = [0, 0, 0];
  const depth: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < steps; k++) {
    const share = (k + 0.5) / steps;
    const t = share ** 2.5 * length;
    const step = ((2.5 * share ** 1.5) / steps) * length;
    const [x, y, z] = [d[0] * t, GROUND + 20 + d[1] * t, d[2] * t];
    const density = densities(Math.max(0, Math.hypot(x, y, z) - GROUND));
    const sun = sunThroughAir(x, y, z);
    const haze = HAZE * density[1];
    for (const c of [0, 1, 2] as const) {
      const air = RAYLEIGH[c] * density[0];
      const out = (air + OZONE[c] * density[2] + 1.1 * haze) * step;
      const again = (air + haze) * (0.035 + 0.05 * sun[c]) * AGAIN[c];
      const turned = sun[c] * (air * airPhase + haze * hazePhase) + again;
      sum[c] += SUNLIGHT * Math.exp(-depth[c] - out / 2) * step * turned;
      depth[c] += out;
    }
  }
  return sum;
}

/** Cloud slab: heights in metres of its base and top, and its thickness to light per metre. */
const CLOUD = { base: 2900, top: 3900, thickness: 0.0062 } as const;

function cloudDensity(x: number, y: number, z: number, octaves: number): number {
  const level = (y - CLOUD.base) / (CLOUD.top - CLOUD.base);
  const rounded = smoothstep(0, 0.18, level) * smoothstep(1, 0.35, level);
  if (rounded <= 0) return 0;
  const fields = noise2(x / 16_000 + 3.1, z / 9_000, 91) + 0.5 * noise2(x / 6_000, z / 4_000, 92);
  // Fewer clouds on the left, where text stands, and a gap around the sun.
  const side = 0.14 * smoothstep(-0.35, 0.25, x / z);
  const gap = 0.3 * Math.exp(-(((x / z - 0.237) / 0.11) ** 2) - ((y / z - 0.045) / 0.045) ** 2);
  const lumps = fractal3(x / 1700, y / 800, z / 1500, octaves);
  return clamp(rounded * (0.55 * fields + side - gap - 0.13 + 0.7 * lumps) - 0.05, 0, 0.25) * 4;
}

/** Light of the clouds in one direction and the share of the sky behind that still shows. */
export interface CloudLight {
  readonly light: Triple;
  readonly clear: number;
}

/** Marches one ray through the slab; `start` 0–1 moves the first step, `sun` and `shade` light it. */
export function cloudLight(d: Triple, start: number, sun: Triple, shade: Triple): CloudLight {
  const near = CLOUD.base / d[1];
  const far = Math.min(CLOUD.top / d[1], 90_000);
  const steps = 64;
  const step = (far - near) / steps;
  const light: [number, number, number] = [0, 0, 0];
  const cosine = dot(d, SUN);
  const phase = 0.75 * forwardPhase(cosine, 0.8) + 0.25 * forwardPhase(cosine, -0.05);
  let clear = 1;
  if (step <= 0) return { light, clear };
  for (let k = 0; k < steps && clear > 0.02; k++) {
    const t = near + (k + start) * step;
    const [x, y, z] = [d[0] * t, d[1] * t, d[2] * t];
    const density = cloudDensity(x, y, z, 6);
    if (density <= 0) continue;
    let before = 0;
    let last = 0;
    for (const reach of [90, 240, 520, 1000, 1900]) {
      const at = (reach + last) / 2;
      before += cloudDensity(x + SUN[0] * at, y + SUN[1] * at, z + SUN[2] * at, 3) * (reach - last);
      last = reach;
    }
    const beam = mix(
      Math.exp(-CLOUD.thickness * before),
      Math.exp(-CLOUD.thickness * 0.22 * before),
      0.28,
    );
    const open = 0.45 + 0.55 * smoothstep(CLOUD.base, CLOUD.top, y);
    const lost = 1 - Math.exp(-density * CLOUD.thickness * Math.min(step, 260));
    const air = Math.exp(-t / 60_000);
    for (const c of [0, 1, 2] as const) {
      light[c] += clear * lost * air * (sun[c] * beam * phase * 1.5 + shade[c] * open);
    }
    clear *= 1 - lost * air;
  }
  return { light, clear };
}
