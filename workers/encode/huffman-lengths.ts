/** Lengths of optimal prefix codes, as every format that codes symbols by how often they come wants them. */

/**
 * The length of each symbol's code in an optimal prefix code, no longer than `lengthMax` bits; 0 for a symbol of
 * frequency 0. At least two symbols must have a frequency, and no more than 2 ^ `lengthMax` may.
 */
export function codeLengths(frequencies: ArrayLike<number>, lengthMax: number): Uint8Array {
  const symbols = Array.from({ length: frequencies.length }, (_, symbol) => symbol)
    .filter((symbol) => (frequencies[symbol] ?? 0) > 0)
    .toSorted((a, b) => (frequencies[a] ?? 0) - (frequencies[b] ?? 0) || b - a);
  const depths = treeDepths(symbols.map((symbol) => frequencies[symbol] ?? 0));
  limitDepths(depths, lengthMax);
  const lengths = new Uint8Array(frequencies.length);
  for (const [index, symbol] of symbols.entries()) lengths[symbol] = depths[index] ?? 0;
  return lengths;
}

/** Depths of the leaves of a Huffman tree over rising weights. Inner nodes are made in rising order, so no heap is needed. */
function treeDepths(weights: readonly number[]): number[] {
  const leaves = weights.length;
  const nodes = [...weights];
  const parents: number[] = [];
  let leaf = 0;
  let inner = leaves;
  const takeLightest = (): number => {
    const isLeaf = leaf < leaves && (nodes[leaf] ?? 0) <= (nodes[inner] ?? Infinity);
    return isLeaf ? leaf++ : inner++;
  };
  while (nodes.length < 2 * leaves - 1) {
    const [a, b] = [takeLightest(), takeLightest()];
    parents[a] = nodes.length;
    parents[b] = nodes.length;
    nodes.push((nodes[a] ?? 0) + (nodes[b] ?? 0));
  }
  const depths: number[] = [];
  for (let node = nodes.length - 2; node >= 0; node -= 1) {
    depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1;
  }
  return depths.slice(0, leaves);
}

/**
 * Cuts depths, which fall, to `depthMax`: what that takes too much of the code space is given back by the
 * longest of the shorter codes, and what is then left over makes the most frequent ones shorter again.
 */
function limitDepths(depths: number[], depthMax: number): void {
  const space = 2 ** depthMax;
  let taken = 0;
  for (const [index, depth] of depths.entries()) {
    const kept = Math.min(depth, depthMax);
    depths[index] = kept;
    taken += space / 2 ** kept;
  }
  for (let index = 0; taken > space; index += 1) {
    while (taken > space && (depths[index] ?? depthMax) < depthMax) {
      depths[index] = (depths[index] ?? 0) + 1;
      taken -= space / 2 ** (depths[index] ?? 0);
    }
  }
  for (let index = depths.length - 1; taken < space && index >= 0; index -= 1) {
    while (taken + space / 2 ** (depths[index] ?? 0) <= space) {
      taken += space / 2 ** (depths[index] ?? 0);
      depths[index] = (depths[index] ?? 0) - 1;
    }
  }
}
