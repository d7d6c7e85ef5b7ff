/** Caches bound layers. The same values give the same object, whose layout later steps cache. */
import { LRUCache } from 'lru-cache';
import type { Layer } from '../schema/layers.ts';
import type { Binder } from './binder.ts';

/** A concrete layer. `invalid`: a value was out of its property's range and the default replaces it. */
export interface BoundLayer {
  /** Undefined for a layer that is left out, as one without a value that it needs, and if even the defaults give no valid layer. */
  layer: Layer | undefined;
  invalid: boolean;
  /** A sentence for each value that a format cannot take. */
  problems: readonly string[];
}

/** The inputs that the result of binding a layer depends on. */
export interface LayerReads {
  /** Names of the values, without duplicates. */
  names: readonly string[];
  /** Names of the values that the layer's strings bind, one for each use. */
  written: readonly string[];
  /** Total length of the layer's strings before binding, in UTF-16 units. */
  characters: number;
}

/** The cached results of one layer. */
interface RecentlyBound extends LayerReads {
  results: BindResult[];
  resultsMax: number;
}

interface BindResult {
  /** Value, default and type of each name. */
  inputs: readonly (string | undefined)[];
  lang: string;
  timeMs: number;
  bound: BoundLayer;
}

const layers = new WeakMap<Layer, RecentlyBound>();

/** Maximum memory of the results of all layers in a thread. A typical result takes 1 to 2 KB. */
const keptBytesMax = 32 * 1024 * 1024;
const resultBytes = 1000;
const characterBytes = 2;

/** All results in order of use. Eviction removes a result from its layer's entry. */
const kept = new LRUCache<BindResult, { recent: RecentlyBound; bytes: number }>({
  maxSize: keptBytesMax,
  sizeCalculation: ({ bytes }) => bytes,
  dispose: ({ recent }, result) => {
    recent.results = recent.results.filter((each) => each !== result);
  },
});

/** Maximum results of a layer that binds only countdown numbers: they have up to 60 values in each animation. */
const countsMax = 60;

/** Maximum results of a layer. In a campaign, most values are the same in all links or differ in each. */
const resultsMaxOf = (names: readonly string[]): number =>
  names.every((name) => name.startsWith('countdown.')) ? countsMax : 1;

/** The cached result of `bind` for these values, or a new one. `readsOf` lists the inputs of the result. */
export function bindAgain(
  layer: Layer,
  binder: Binder,
  readsOf: (layer: Layer, binder: Binder) => LayerReads,
  bind: (layer: Layer, binder: Binder) => BoundLayer,
): BoundLayer {
  let recent = layers.get(layer);
  if (recent === undefined) {
    const reads = readsOf(layer, binder);
    layers.set(layer, (recent = { ...reads, results: [], resultsMax: resultsMaxOf(reads.names) }));
  }
  const { names, results, resultsMax } = recent;
  const { lang, timeMs } = binder.context;
  const inputs = names.flatMap((name) => [
    binder.values.get(name),
    binder.defaults.get(name),
    binder.types.get(name),
  ]);
  const known = results.find(
    (result) =>
      result.lang === lang &&
      result.timeMs === timeMs &&
      result.inputs.every((input, index) => input === inputs[index]),
  );
  if (known !== undefined) {
    kept.get(known);
    return known.bound;
  }
  const bound = bind(layer, binder);
  const [oldest] = results;
  if (oldest !== undefined && results.length === resultsMax) kept.delete(oldest);
  const result = { inputs, lang, timeMs, bound };
  const isKept = kept.set(result, { recent, bytes: bytesOf(recent, binder) }).has(result);
  if (isKept) recent.results.push(result);
  return bound;
}

/** Upper bound of the bytes of a bound layer. */
function bytesOf({ written, characters }: LayerReads, { values }: Binder): number {
  let length = characters;
  for (const name of written) length += values.get(name)?.length ?? 0;
  return resultBytes + length * characterBytes;
}
