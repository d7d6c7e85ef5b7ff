/** Remembers what layers were bound to: the same values give the same object, whose layout is known. */
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

/** What a layer was bound to. */
interface RecentlyBound {
  names: readonly string[];
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

/** A number of the countdown has as many values in a minute or an hour: every animation counts through the same ones. */
const countsMax = 60;

/** Most values of a campaign are the same in every link, or other ones in each. */
const resultsMaxOf = (names: readonly string[]): number =>
  names.every((name) => name.startsWith('countdown.')) ? countsMax : 1;

/** What `bind` returned for these values, or returns now. `namesOf` gives the names on which that depends. */
export function bindAgain(
  layer: Layer,
  binder: Binder,
  namesOf: (layer: Layer, binder: Binder) => readonly string[],
  bind: (layer: Layer, binder: Binder) => BoundLayer,
): BoundLayer {
  let recent = layers.get(layer);
  if (recent === undefined) {
    const names = namesOf(layer, binder);
    layers.set(layer, (recent = { names, results: [], resultsMax: resultsMaxOf(names) }));
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
  if (known !== undefined) return known.bound;
  const bound = bind(layer, binder);
  if (results.length === resultsMax) results.shift();
  results.push({ inputs, lang, timeMs, bound });
  return bound;
}
