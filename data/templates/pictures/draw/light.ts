/** Shared mathematics of the drawing programs: seeded numbers, noise, vectors and the tone curve. */

/** Three numbers: a point in metres, a direction, or linear light as red, green, blue. */
export type Triple = readonly [number, number, number];

/** Limits `value` to `[low, high]`. */
export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** Linear blend: `a` at `t` 0, `b` at `t` 1; `t` is not limited. */
export function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** Cubic step: 0 below `low`, 1 above `high`; the edges may be given in either order. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}

/** `a + b · factor`, part by part. */
export function addScaled(a: Triple, b: Triple, factor: number): Triple {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

/** Part-by-part product, used to filter light through a colour. */
export function multiply(a: Triple, b: Triple): Triple {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
}

/** Every part times `factor`. */
export function scale(a: Triple, factor: number): Triple {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

/** Blend of two triples: `a` at `t` 0, `b` at `t` 1. */
export function blend(a: Triple, b: Triple, t: number): Triple {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
}

/** Scalar product. */
export function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Vector product, right-handed. */
export function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The same direction with length 1; a zero vector stays zero. */
export function normalize(a: Triple): Triple {
  const length = Math.sqrt(dot(a, a));
  return length > 0 ? scale(a, 1 / length) : a;
}

/** Direction `d` mirrored at a surface with unit normal `n`. */
export function reflect(d: Triple, n: Triple): Triple {
  return addScaled(d, n, -2 * dot(d, n));
}

/** Linear light of an sRGB colour given as `0xRRGGBB`. */
export function fromHex(hex: number): Triple {
  return [toLinear((hex >> 16) & 255), toLinear((hex >> 8) & 255), toLinear(hex & 255)];
}

function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** sRGB transfer curve: linear light 0–1 to display value 0–1 (IEC 61966-2-1). */
export function toDisplay(linear: number): number {
  if (linear <= 0) return 0;
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Film-like curve with a soft toe and shoulder: linear light 0–∞ to 0–1 (fit by Narkowicz, 2015). */
export function filmCurve(light: number): number {
  const x = light < 0 ? 0 : light;
  return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0, 1);
}

/** A generator of numbers in `[0, 1)`; the same seed gives the same row (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number with mean 0 and deviation 1 from two numbers in `[0, 1)` (Box and Muller). */
export function gaussian(u: number, v: number): number {
  return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
}

/** 32 well-mixed bits for a lattice point. */
function hashBits(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(z, 0x5bd1e995);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return h ^ (h >>> 15);
}

/** A number in `[0, 1)` for a lattice point. */
export function hash(x: number, y: number, z: number): number {
  return (hashBits(x, y, z) >>> 0) / 4294967296;
}

function corner2(ix: number, iy: number, seed: number, x: number, y: number): number {
  const h = hashBits(ix, iy, seed);
  return ((h & 0xffff) / 32768 - 1) * x + ((h >>> 16) / 32768 - 1) * y;
}

/** Gradient noise in the plane, about −0.8 to 0.8, one feature per unit. */
export function noise2(x: number, y: number, seed: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  const a = corner2(ix, iy, seed, fx, fy);
  const b = corner2(ix + 1, iy, seed, fx - 1, fy);
  const c = corner2(ix, iy + 1, seed, fx, fy - 1);
  const d = corner2(ix + 1, iy + 1, seed, fx - 1, fy - 1);
  return mix(mix(a, b, u), mix(c, d, u), v);
}

function corner3(ix: number, iy: number, iz: number, x: number, y: number, z: number): number {
  const h = hashBits(ix, iy, iz);
  const gx = (h & 0x3ff) / 512 - 1;
  const gy = ((h >>> 10) & 0x3ff) / 512 - 1;
  const gz = ((h >>> 20) & 0x3ff) / 512 - 1;
  return gx * x + gy * y + gz * z;
}

/** Gradient noise in space, about −0.9 to 0.9, one feature per unit. */
export function noise3(x: number, y: number, z: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const fx = x - ix;
  const fy = y - iy;
  const fz = z - iz;
  const u = fx * fx * (3 - 2 * fx);
  const v = fy * fy * (3 - 2 * fy);
  const w = fz * fz * (3 - 2 * fz);
  const a = corner3(ix, iy, iz, fx, fy, fz);
  const b = corner3(ix + 1, iy, iz, fx - 1, fy, fz);
  const c = corner3(ix, iy + 1, iz, fx, fy - 1, fz);
  const d = corner3(ix + 1, iy + 1, iz, fx - 1, fy - 1, fz);
  const e = corner3(ix, iy, iz + 1, fx, fy, fz - 1);
  const f = corner3(ix + 1, iy, iz + 1, fx - 1, fy, fz - 1);
  const g = corner3(ix, iy + 1, iz + 1, fx, fy - 1, fz - 1);
  const h = corner3(ix + 1, iy + 1, iz + 1, fx - 1, fy - 1, fz - 1);
  return mix(mix(mix(a, b, u), mix(c, d, u), v), mix(mix(e, f, u), mix(g, h, u), v), w);
}

/** Sum of `octaves` layers of plane noise, each finer by 2 and weaker by half; about −1 to 1. */
export function fractal2(x: number, y: number, octaves: number, seed: number): number {
  let sum = 0;
  let weight = 1;
  let px = x;
  let py = y;
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise2(px, py, seed + octave);
    weight *= 0.5;
    // A turn between layers hides the lattice.
    const turned = 1.6 * px + 1.2 * py;
    py = -1.2 * px + 1.6 * py;
    px = turned;
  }
  return sum;
}

/** Sum of `octaves` layers of space noise, each finer by 2 and weaker by half; about −1 to 1. */
export function fractal3(x: number, y: number, z: number, octaves: number): number {
  let sum = 0;
  let weight = 1;
  let frequency = 1;
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise3(x * frequency + octave * 17.3, y * frequency, z * frequency);
    weight *= 0.5;
    frequency *= 2.03;
  }
  return sum;
}
