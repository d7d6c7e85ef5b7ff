/** Counters and histograms on plain numbers, and the Prometheus text format 0.0.4 that they are written in. */

/** The labels of one sample by name. Names are words of this code; values may be anything. */
export type Labels = Readonly<Record<string, string>>;

/** One line of the text format. */
export interface Sample {
  /** What follows the family's name. */
  suffix: '' | '_bucket' | '_sum' | '_count';
  labels: Labels;
  value: number;
}

/** One metric: what it is called, what it says, and its lines at the moment of asking. */
export interface Family {
  /** With its unit, in base units; a counter ends in `_total`. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: () => Sample[];
}

/** Values by their labels; a single number has none. */
export type Values = number | Iterable<readonly [labels: Labels, value: number]>;

/** What a cache has done since the start, and what it holds. */
export interface CacheFigures {
  hits: number;
  misses: number;
  /** Entries that went because there was no room for them. */
  evictions: number;
  entries: number;
  bytes: number;
  bytesMax: number;
}

/** Label values that a `Tally` tells apart: far more than any list of words of this code has. */
const tallyValuesMax = 200;

/**
 * Counts by the value of one label. Values beyond the bound are counted together, as `other`. Those of `expected`
 * are there from the start, with 0: Prometheus does not see the rise of a count whose first value is 1.
 */
export class Tally {
  readonly #label: string;
  readonly #valuesMax: number;
  readonly #counts = new Map<string | number, number>();

  constructor(
    label: string,
    expected: readonly (string | number)[] = [],
    valuesMax = tallyValuesMax,
  ) {
    this.#label = label;
    this.#valuesMax = valuesMax;
    for (const value of expected) this.#counts.set(value, 0);
  }

  /** Cheap enough for the hit path: one look-up and one store. */
  add(value: string | number): void {
    const count = this.#counts.get(value);
    if (count !== undefined) this.#counts.set(value, count + 1);
    else if (this.#counts.size < this.#valuesMax) this.#counts.set(value, 1);
    else this.#counts.set('other', (this.#counts.get('other') ?? 0) + 1);
  }

  /** The counts, each with its label after `labels`. */
  *values(labels: Labels = {}): Generator<[Labels, number]> {
    for (const [value, count] of this.#counts) {
      yield [{ ...labels, [this.#label]: String(value) }, count];
    }
  }
}

/** Counts values by size, and sums them up. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** One more than bounds: what is over the last one. */
  readonly #counts: Float64Array;
  readonly #sum = new Float64Array(1);

  /** `bounds` are the upper ends of the buckets, rising. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** Counts one value; allocates nothing. */
  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum[0] = (this.#sum[0] ?? 0) + value;
  }

  /** Cumulative buckets, sum and count, as the text format wants them. */
  samples(labels: Labels = {}): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (const [index, own] of this.#counts.entries()) {
      count += own;
      const le = String(this.#bounds[index] ?? '+Inf');
      samples.push({ suffix: '_bucket', labels: { ...labels, le }, value: count });
    }
    samples.push(
      { suffix: '_sum', labels, value: this.#sum[0] ?? 0 },
      { suffix: '_count', labels, value: count },
    );
    return samples;
  }
}

/** A family that only rises; starts at 0 with the process. */
export function counterFamily(name: string, help: string, read: () => Values): Family {
  return { name, help, type: 'counter', samples: () => toSamples(read()) };
}

/** A family that says how much of something there is now. */
export function gaugeFamily(name: string, help: string, read: () => Values): Family {
  return { name, help, type: 'gauge', samples: () => toSamples(read()) };
}

/** A family of histograms, by the value of `label`; all of them together when there is none. */
export function histogramFamily(
  name: string,
  help: string,
  histograms: Histogram | { label: string; by: ReadonlyMap<string, Histogram> },
): Family {
  const samples = (): Sample[] => {
    if (histograms instanceof Histogram) return histograms.samples();
    const { label, by } = histograms;
    return [...by].flatMap(([value, histogram]) => histogram.samples({ [label]: value }));
  };
  return { name, help, type: 'histogram', samples };
}

/** The families of caches, each by its name in the label `cache`. */
export function cacheFamilies(caches: Readonly<Record<string, () => CacheFigures>>): Family[] {
  const read = (figure: keyof CacheFigures) => (): Values =>
    Object.entries(caches).map(([cache, figures]) => [{ cache }, figures()[figure]] as const);
  return [
    counterFamily('platen_cache_hits_total', 'Look-ups that found an entry.', read('hits')),
    counterFamily('platen_cache_misses_total', 'Look-ups that found none.', read('misses')),
    counterFamily(
      'platen_cache_evictions_total',
      'Entries that went because there was no room for them.',
      read('evictions'),
    ),
    gaugeFamily('platen_cache_entries', 'Entries kept.', read('entries')),
    gaugeFamily('platen_cache_bytes', 'Bytes of the entries kept, as counted.', read('bytes')),
    gaugeFamily('platen_cache_limit_bytes', 'Bytes that the cache may take.', read('bytesMax')),
  ];
}

/**
 * Writes families in the text format, version 0.0.4: `# HELP`, `# TYPE` and the samples of each family
 * together, escaped as the format says, with a line feed at the end of each line.
 */
export function writeFamilies(families: readonly Family[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    for (const { suffix, labels, value } of samples()) {
      text += `${name}${suffix}${writeLabels(labels)} ${value}\n`;
    }
  }
  return text;
}

function toSamples(values: Values): Sample[] {
  if (typeof values === 'number') return [{ suffix: '', labels: {}, value: values }];
  return Array.from(values, ([labels, value]) => ({ suffix: '', labels, value }));
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
