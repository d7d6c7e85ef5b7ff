/** Remembers what layers were bound to: the same values give the same object, whose layout is known. */
import { LRUCache } from 'lru-cache';
import type { Layer } from '../schema/layers.ts';
import type { Binder } from './binder.ts';

/** A concrete layer; `invalid` when a value was out of its property's range and the default stands in. */
export interface BoundLayer {
  /** Undefined when not even the defaults give a valid layer. */
  layer: Layer | undefined;
  invalid: boolean;
  /** A sentence for each value that a format did not take. */
  problems: readonly string[];
}

/** What binding a layer depends on. */
export interface LayerReads {
  /** Of the values, each once. */
  names: readonly string[];
  /** Of the values that are written into its strings, as often as they are. */
  written: readonly string[];
  /** Of its strings, before they are bound. */
  characters: number;
}

/** What a layer was bound to. */
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

/** What the results of all layers take in a thread: a usual one takes 1 to 2 KB. */
const keptBytesMax = 32 * 1024 * 1024;
const resultBytes = 1000;
const characterBytes = 2;

/** The results by their age; each belongs to a layer. */
const kept = new LRUCache<BindResult, { recent: RecentlyBound; bytes: number }>({
  maxSize: keptBytesMax,
  sizeCalculation: ({ bytes }) => bytes,
  dispose: ({ recent }, result) => {
    recent.results = recent.results.filter((each) => each !== result);
  },
});

/** A number of the countdown has as many values in a minute or an hour: every animation counts through the same ones. */
const countsMax = 60;

/** Most values of a campaign are the same in every link, or other ones in each. */
const resultsMaxOf = (names: readonly string[]): number =>
  names.every((name) => name.startsWith('countdown.')) ? countsMax : 1;

/** What `bind` returned for these values, or returns now. `readsOf` says on which values that depends. */
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

/** Most bytes that a layer takes with its values. */
function bytesOf({ written, characters }: LayerReads, { values }: Binder): number {
  let length = characters;
  for (const name of written) length += values.get(name)?.length ?? 0;
  return resultBytes + length * characterBytes;
}
