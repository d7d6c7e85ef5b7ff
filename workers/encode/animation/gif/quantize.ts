/**
 * Chooses at most 255 colours for pixels of many: boxes of the colour cube are cut where the variance of the pixels falls
 * most (X. Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II, 1991).
 */

/** Levels of a channel in the histogram, and one of zeros in front for sums over boxes. */
const levels = 32;
const side = levels + 1;
const stepRed = side * side;
const stepGreen = side;
const cells = side * side * side;

/** A box of histogram cells: above `from`, up to and with `to`, in each channel. */
interface Box {
  from: readonly [red: number, green: number, blue: number];
  to: readonly [red: number, green: number, blue: number];
  variance: number;
}

/** Weighted sums of the pixels of each cell. */
export class ColorHistogram {
  readonly #weight = new Float64Array(cells);
  readonly #red = new Float64Array(cells);
  readonly #green = new Float64Array(cells);
  readonly #blue = new Float64Array(cells);
  readonly #square = new Float64Array(cells);

  /** Adds pixels as RGBA words, each with a weight; 0 is a transparent one, which does not count. */
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

  /** The colours as RGB words without alpha, at most `colorsMax`. The histogram cannot be used afterwards. */
  toColors(colorsMax: number): number[] {
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
    return boxes.flatMap((box) => {
      const weight = sumOf(this.#weight, box);
      if (weight <= 0) return [];
      const mean = (sums: Float64Array): number => Math.round(sumOf(sums, box) / weight);
      return [mean(this.#red) | (mean(this.#green) << 8) | (mean(this.#blue) << 16)];
    });
  }

  #variance(box: Pick<Box, 'from' | 'to'>): number {
    const weight = sumOf(this.#weight, box);
    return weight <= 0 ? 0 : sumOf(this.#square, box) - this.#meanSquare(box);
  }

  /** The squared length of the sum of a box's colours by its weight: its part of the variance that the cut changes. */
  #meanSquare(box: Pick<Box, 'from' | 'to'>): number {
    const weight = sumOf(this.#weight, box);
    if (weight <= 0) return 0;
    const red = sumOf(this.#red, box);
    const green = sumOf(this.#green, box);
    const blue = sumOf(this.#blue, box);
    return (red * red + green * green + blue * blue) / weight;
  }

  /** Cuts a box where the two parts vary least; undefined for a box of a single cell. */
  #cut(box: Box): [Box, Box] | undefined {
    let best: [Pick<Box, 'from' | 'to'>, Pick<Box, 'from' | 'to'>] | undefined;
    let most = 0;
    for (const axis of [0, 1, 2] as const) {
      for (let at = box.from[axis] + 1; at < box.to[axis]; at += 1) {
        const low = { from: box.from, to: replaceAt(box.to, axis, at) };
        const high = { from: replaceAt(box.from, axis, at), to: box.to };
        const lowSquare = this.#meanSquare(low);
        const highSquare = this.#meanSquare(high);
        if (lowSquare === 0 && sumOf(this.#weight, low) <= 0) continue;
        if (highSquare === 0 && sumOf(this.#weight, high) <= 0) continue;
        if (lowSquare + highSquare <= most) continue;
        most = lowSquare + highSquare;
        best = [low, high];
      }
    }
    if (best === undefined) return undefined;
    const [low, high] = best;
    return [
      { ...low, variance: this.#variance(low) },
      { ...high, variance: this.#variance(high) },
    ];
  }
}

type Corner = readonly [red: number, green: number, blue: number];

function replaceAt([red, green, blue]: Corner, axis: 0 | 1 | 2, at: number): Corner {
  if (axis === 0) return [at, green, blue];
  return axis === 1 ? [red, at, blue] : [red, green, at];
}

/** Turns the sums of cells into sums of all cells up to each, in all three channels. */
function accumulate(sums: Float64Array): void {
  for (const step of [1, stepGreen, stepRed]) {
    for (let cell = step; cell < cells; cell += 1) {
      // Where the channel of this step is 0, the cell before belongs to another row.
      if (Math.floor(cell / step) % side === 0) continue;
      sums[cell] = (sums[cell] ?? 0) + (sums[cell - step] ?? 0);
    }
  }
}

/** The sum over a box, from the eight corners of its accumulated sums. */
function sumOf(sums: Float64Array, { from, to }: Pick<Box, 'from' | 'to'>): number {
  const redFrom = from[0] * stepRed;
  const redTo = to[0] * stepRed;
  const greenFrom = from[1] * stepGreen;
  const greenTo = to[1] * stepGreen;
  const at = (cell: number): number => sums[cell] ?? 0;
  return (
    at(redTo + greenTo + to[2]) -
    at(redTo + greenTo + from[2]) -
    at(redTo + greenFrom + to[2]) +
    at(redTo + greenFrom + from[2]) -
    at(redFrom + greenTo + to[2]) +
    at(redFrom + greenTo + from[2]) +
    at(redFrom + greenFrom + to[2]) -
    at(redFrom + greenFrom + from[2])
  );
}
