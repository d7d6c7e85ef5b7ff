/** Code lengths of optimal prefix codes with a length limit, for JPEG and deflate. */

/** Upper bound of the symbols of a code; deflate has 286, JPEG 257. */
const symbolsMax = 320;
// Arrays of the current call, reused because small arrays take longer to create than to fill.
const keys = new Float64Array(symbolsMax);
const nodes = new Float64Array(2 * symbolsMax);
const parents = new Uint16Array(2 * symbolsMax);
const nodeDepths = new Uint16Array(2 * symbolsMax);

/**
 * Returns the code length of each symbol in an optimal prefix code of at most `lengthMax` bits; 0 for frequency 0. At
 * least two symbols, and at most 2 ^ `lengthMax`, must have a frequency.
 */
export function codeLengths(frequencies: ArrayLike<number>, lengthMax: number): Uint8Array {
  const symbolCount = frequencies.length;
  if (symbolCount > symbolsMax) throw new RangeError(`${symbolCount} symbols`);
  // Frequency and symbol in one number: numbers sort without a compare function, in a fifth of the time.
  let count = 0;
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    const frequency = frequencies[symbol] ?? 0;
    if (frequency === 0) continue;
    keys[count] = frequency * symbolCount + symbolCount - 1 - symbol;
    count += 1;
  }
  const sorted = keys.subarray(0, count).toSorted();
  for (let index = 0; index < count; index += 1) {
    nodes[index] = Math.floor((sorted[index] ?? 0) / symbolCount);
  }
  const depths = treeDepths(count);
  limitDepths(depths, lengthMax);
  const lengths = new Uint8Array(symbolCount);
  for (let index = 0; index < count; index += 1) {
    lengths[symbolCount - 1 - ((sorted[index] ?? 0) % symbolCount)] = depths[index] ?? 0;
  }
  return lengths;
}

/**
 * Returns the depths of the leaves of a Huffman tree. The first `leaves` nodes hold the weights of the leaves in rising
 * order. Inner nodes are created in rising order too, so no heap is needed. The result is valid until the next call.
 */
function treeDepths(leaves: number): Uint16Array {
  const count = 2 * leaves - 1;
  nodes.fill(Infinity, leaves, count);
  let leaf = 0;
  let inner = leaves;
  for (let made = leaves; made < count; made += 1) {
    let weight = 0;
    for (let child = 0; child < 2; child += 1) {
      const isLeaf = leaf < leaves && (nodes[leaf] ?? 0) <= (nodes[inner] ?? 0);
      const lightest = isLeaf ? leaf++ : inner++;
      parents[lightest] = made;
      weight += nodes[lightest] ?? 0;
    }
    nodes[made] = weight;
  }
  nodeDepths[count - 1] = 0;
  for (let node = count - 2; node >= 0; node -= 1) {
    nodeDepths[node] = (nodeDepths[parents[node] ?? 0] ?? 0) + 1;
  }
  return nodeDepths.subarray(0, leaves);
}

/**
 * Limits depths, which are in falling order, to `depthMax`. This exceeds the code space, so the longest of the shorter
 * codes become longer. The space left over then shortens the most frequent codes.
 */
function limitDepths(depths: Uint16Array, depthMax: number): void {
  const space = 2 ** depthMax;
  let taken = 0;
  for (let index = 0; index < depths.length; index += 1) {
    const kept = Math.min(depths[index] ?? 0, depthMax);
    depths[index] = kept;
    taken += space >>> kept;
  }
  for (let index = 0; taken > space; index += 1) {
    while (taken > space && (depths[index] ?? depthMax) < depthMax) {
      depths[index] = (depths[index] ?? 0) + 1;
      taken -= space >>> (depths[index] ?? 0);
    }
  }
  for (let index = depths.length - 1; taken < space && index >= 0; index -= 1) {
    while (taken + (space >>> (depths[index] ?? 0)) <= space) {
      taken += space >>> (depths[index] ?? 0);
      depths[index] = (depths[index] ?? 0) - 1;
    }
  }
}
