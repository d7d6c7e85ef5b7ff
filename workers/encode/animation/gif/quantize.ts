/**
 * Chooses at most 255 colours for pixels of more colours. Boxes of the colour cube are cut where this reduces the
 * variance of the pixels most (X. Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics
 * Gems II, 1991). Each colour then moves to the mean of the pixels to which it is perceptually nearest (k-means).
 */
import { checkWork } from '../../../work-limit.ts';
import { createSearch, toLab } from './lab.ts';
import type { Lab } from './lab.ts';

/** Levels of a channel in the histogram. A side has one more level of zeros at the start, for sums over boxes. */
const levels = 32;
const side = levels + 1;
const stepRed = side * side;
const stepGreen = side;
const cells = side * side * side;

/** Number of k-means steps: a third step brings another tenth of the gain of the first two. */
const moves = 2;

/** A box of histogram cells: in each channel from `from`, exclusive, to `to`, inclusive. */
interface BoxBounds {
  from: Corner;
  to: Corner;
}

interface Box extends BoxBounds {
  variance: number;
}

/** Sums over pixels: their weights, and their weighted channels. */
type Sums = [weight: number, red: number, green: number, blue: number];

/** A cell with pixels, and their mean. */
interface UsedCell {
  sums: Sums;
  lab: Lab;
}

/** Weighted sums of the pixels of each cell. */
export class ColorHistogram {
  readonly #weight = new Float64Array(cells);
  readonly #red = new Float64Array(cells);
  readonly #green = new Float64Array(cells);
  readonly #blue = new Float64Array(cells);
  readonly #square = new Float64Array(cells);

  /**
   * Adds pixels as RGBA words, each with a weight; 0 is a transparent pixel, which does not count. Weights are
   * integers, so that all sums are exact.
   */
  add(words: Uint32Array, weight: number): void {
    let position = 0;
    while (position < words.length) {
      const word = words[position] ?? 0;
      let end = position + 1;
      while (end < words.length && words[end] === word) end += 1;
      if (word !== 0) this.#addColor(word, (end - position) * weight);
      position = end;
    }
  }

  #addColor(word: number, weight: number): void {
    const red = word & 255;
    const green = (word >>> 8) & 255;
    const blue = (word >>> 16) & 255;
    const cell = ((red >>> 3) + 1) * stepRed + ((green >>> 3) + 1) * stepGreen + (blue >>> 3) + 1;
    this.#weight[cell] = (this.#weight[cell] ?? 0) + weight;
    this.#red[cell] = (this.#red[cell] ?? 0) + red * weight;
    this.#green[cell] = (this.#green[cell] ?? 0) + green * weight;
    this.#blue[cell] = (this.#blue[cell] ?? 0) + blue * weight;
    const square = red * red + green * green + blue * blue;
    this.#square[cell] = (this.#square[cell] ?? 0) + square * weight;
  }

  /** Returns at most `colorsMax` colours as RGB words without alpha. The histogram cannot be used afterwards. */
  toColors(colorsMax: number): number[] {
    const used = this.#usedCells();
    for (const sums of [this.#weight, this.#red, this.#green, this.#blue, this.#square]) {
      accumulate(sums);
    }
    const whole = { from: [0, 0, 0], to: [levels, levels, levels] } as const;
    const boxes: Box[] = [{ ...whole, variance: this.#variance(whole) }];
    while (boxes.length < colorsMax) {
      const widest = boxes.reduce((best, box) => (box.variance > best.variance ? box : best));
      if (widest.variance <= 0) break;
      const parts = this.#cut(widest);
      if (parts === undefined) widest.variance = 0;
      else boxes.splice(boxes.indexOf(widest), 1, ...parts);
    }
    const colors = boxes.flatMap((box) => {
      const weight = sumOf(this.#weight, box);
      if (weight <= 0) return [];
      const [red, green, blue] = [this.#red, this.#green, this.#blue];
      return [meanColor([weight, sumOf(red, box), sumOf(green, box), sumOf(blue, box)])];
    });
    for (let move = 0; move < moves; move += 1) moveColors(colors, used);
    return colors;
  }

  #usedCells(): UsedCell[] {
    const used: UsedCell[] = [];
    for (let cell = 0; cell < cells; cell += 1) {
      const weight = this.#weight[cell] ?? 0;
      if (weight === 0) continue;
      const sums: Sums = [
        weight,
        this.#red[cell] ?? 0,
        this.#green[cell] ?? 0,
        this.#blue[cell] ?? 0,
      ];
      used.push({ sums, lab: toLab(meanColor(sums)) });
    }
    return used;
  }

  #variance(box: BoxBounds): number {
    const weight = sumOf(this.#weight, box);
    if (weight <= 0) return 0;
    const [red, green, blue] = [this.#red, this.#green, this.#blue].map((sums) => sumOf(sums, box));
    return sumOf(this.#square, box) - meanSquare(weight, red, green, blue);
  }

  /** Cuts a box where the two parts vary least; undefined for a box of a single cell. */
  #cut(box: Box): [Box, Box] | undefined {
    const { from, to } = box;
    const weightOfBox = sumOf(this.#weight, box);
    const redOfBox = sumOf(this.#red, box);
    const greenOfBox = sumOf(this.#green, box);
    const blueOfBox = sumOf(this.#blue, box);
    let best: { axis: Axis; at: number } | undefined;
    let most = 0;
    for (const axis of [0, 1, 2] as const) {
      const face = faceOf(box, axis);
      const weightBefore = faceSum(this.#weight, face, from[axis]);
      const redBefore = faceSum(this.#red, face, from[axis]);
      const greenBefore = faceSum(this.#green, face, from[axis]);
      const blueBefore = faceSum(this.#blue, face, from[axis]);
      for (let at = from[axis] + 1; at < to[axis]; at += 1) {
        const weight = faceSum(this.#weight, face, at) - weightBefore;
        if (weight <= 0) continue;
        if (weight >= weightOfBox) break;
        const red = faceSum(this.#red, face, at) - redBefore;
        const green = faceSum(this.#green, face, at) - greenBefore;
        const blue = faceSum(this.#blue, face, at) - blueBefore;
        const square =
          meanSquare(weight, red, green, blue) +
          meanSquare(weightOfBox - weight, redOfBox - red, greenOfBox - green, blueOfBox - blue);
        if (square <= most) continue;
        most = square;
        best = { axis, at };
      }
    }
    if (best === undefined) return undefined;
    const low = { from, to: replaceAt(to, best.axis, best.at) };
    const high = { from: replaceAt(from, best.axis, best.at), to };
    return [
      { ...low, variance: this.#variance(low) },
      { ...high, variance: this.#variance(high) },
    ];
  }
}

function meanColor([weight, red, green, blue]: Sums): number {
  const mean = (sum: number): number => Math.round(sum / weight);
  return mean(red) | (mean(green) << 8) | (mean(blue) << 16);
}

/** Moves each colour to the mean of the cells for which it is the nearest one. */
function moveColors(colors: number[], used: readonly UsedCell[]): void {
  checkWork();
  const search = createSearch(colors.map(toLab));
  const ofColor = colors.map((): Sums => [0, 0, 0, 0]);
  for (const { sums, lab } of used) {
    const total = ofColor[search(lab)];
    if (total === undefined) continue;
    for (const channel of [0, 1, 2, 3] as const) total[channel] += sums[channel];
  }
  for (const [index, total] of ofColor.entries())
    if (total[0] > 0) colors[index] = meanColor(total);
}

/** Returns the squared length of a sum of colours, divided by weight: the part of the variance that a cut changes. */
function meanSquare(weight: number, red = 0, green = 0, blue = 0): number {
  return (red * red + green * green + blue * blue) / weight;
}

type Axis = 0 | 1 | 2;
type Corner = readonly [red: number, green: number, blue: number];

function replaceAt([red, green, blue]: Corner, axis: Axis, at: number): Corner {
  if (axis === 0) return [at, green, blue];
  return axis === 1 ? [red, at, blue] : [red, green, at];
}

/** Replaces the sum of each cell by the sum of all cells up to it in the three channels. */
function accumulate(sums: Float64Array): void {
  const ofPlane = new Float64Array(side);
  for (let red = 1; red < side; red += 1) {
    ofPlane.fill(0);
    for (let green = 1; green < side; green += 1) {
      let ofRow = 0;
      const row = red * stepRed + green * stepGreen;
      for (let blue = 1; blue < side; blue += 1) {
        ofRow += sums[row + blue] ?? 0;
        ofPlane[blue] = (ofPlane[blue] ?? 0) + ofRow;
        sums[row + blue] = (sums[row + blue - stepRed] ?? 0) + (ofPlane[blue] ?? 0);
      }
    }
  }
}

/** Accumulated sums from black up to each position on an axis, over the other two sides of a box. */
interface Face {
  step: number;
  /** Cells of the corners at position 0: the first two are added, the last two are subtracted. */
  corners: readonly [number, number, number, number];
}

const steps = [stepRed, stepGreen, 1] as const;
const otherAxes = [
  [1, 2],
  [0, 2],
  [0, 1],
] as const;

function faceOf({ from, to }: BoxBounds, axis: Axis): Face {
  const [first, second] = otherAxes[axis];
  const cell = (a: number, b: number): number => a * steps[first] + b * steps[second];
  return {
    step: steps[axis],
    corners: [
      cell(to[first], to[second]),
      cell(from[first], from[second]),
      cell(to[first], from[second]),
      cell(from[first], to[second]),
    ],
  };
}

function faceSum(sums: Float64Array, { step, corners: [a, b, c, d] }: Face, at: number): number {
  const cell = at * step;
  return (
    (sums[a + cell] ?? 0) + (sums[b + cell] ?? 0) - (sums[c + cell] ?? 0) - (sums[d + cell] ?? 0)
  );
}

/** The sum over a box. */
function sumOf(sums: Float64Array, box: BoxBounds): number {
  const face = faceOf(box, 0);
  return faceSum(sums, face, box.to[0]) - faceSum(sums, face, box.from[0]);
}
