/** Counters and histograms on plain numbers, written in the Prometheus text format 0.0.4. */

/** The labels of one sample by name. Names are constants; values may be any text. */
export type Labels = Readonly<Record<string, string>>;

/** One sample line of the text format. */
export interface Sample {
  /** Suffix of the family's name, such as `_bucket`. */
  suffix: '' | '_bucket' | '_sum' | '_count';
  labels: Labels;
  value: number;
}

/** One metric: its name, its help text, and its samples at the time of a scrape. */
export interface Family {
  /** Ends with its unit, in base units; a counter ends in `_total`. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: () => Sample[];
}

/** Values with their labels; a single number has no labels. */
export type Values = number | Iterable<readonly [labels: Labels, value: number]>;

/** Counts of a cache since the start, and its size. */
export interface CacheFigures {
  hits: number;
  misses: number;
  /** Evicted entries. */
  evictions: number;
  entries: number;
  bytes: number;
  bytesMax: number;
}

/** Distinct label values of a `Tally`: more than any list of constants has. */
const tallyValuesMax = 200;

/**
 * Counts by the value of one label. Values beyond the bound are counted together as `other`. Values of `expected`
 * start with 0, because Prometheus does not see the rise of a counter whose first value is 1.
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

  /** Counts one value, with one look-up and one store, because cache hits call it. */
  add(value: string | number): void {
    const count = this.#counts.get(value);
    if (count !== undefined) this.#counts.set(value, count + 1);
    else if (this.#counts.size < this.#valuesMax) this.#counts.set(value, 1);
    else this.#counts.set('other', (this.#counts.get('other') ?? 0) + 1);
  }

  /** The counts, each with `labels` and its label. */
  *values(labels: Labels = {}): Generator<[Labels, number]> {
    for (const [value, count] of this.#counts) {
      yield [{ ...labels, [this.#label]: String(value) }, count];
    }
  }
}

/** A histogram: counts values by size and sums them. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** Has one more element than `bounds`, for values over the last bound. */
  readonly #counts: Float64Array;
  readonly #sum = new Float64Array(1);

  /** `bounds` are the upper bounds of the buckets, ascending. */
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

  /** Cumulative buckets, sum and count, as the text format requires. */
  samples(labels: Labels = {}): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (const [index, bucketCount] of this.#counts.entries()) {
      count += bucketCount;
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

/** A counter; it starts at 0 with the process. */
export function counterFamily(name: string, help: string, read: () => Values): Family {
  return { name, help, type: 'counter', samples: () => toSamples(read()) };
}

/** A gauge. */
export function gaugeFamily(name: string, help: string, read: () => Values): Family {
  return { name, help, type: 'gauge', samples: () => toSamples(read()) };
}

/** A family of histograms by the value of `label`, or a single one without a label. */
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

/** The families of caches, with the name of each in the label `cache`. */
export function cacheFamilies(caches: Readonly<Record<string, () => CacheFigures>>): Family[] {
  const read = (figure: keyof CacheFigures) => (): Values =>
    Object.entries(caches).map(([cache, figures]) => [{ cache }, figures()[figure]] as const);
  return [
    counterFamily('platen_cache_hits_total', 'Look-ups that found an entry.', read('hits')),
    counterFamily('platen_cache_misses_total', 'Look-ups that found none.', read('misses')),
    counterFamily('platen_cache_evictions_total', 'Evicted entries.', read('evictions')),
    gaugeFamily('platen_cache_entries', 'Entries kept.', read('entries')),
    gaugeFamily('platen_cache_bytes', 'Bytes of the entries kept, as counted.', read('bytes')),
    gaugeFamily('platen_cache_limit_bytes', 'Bytes that the cache may take.', read('bytesMax')),
  ];
}

/**
 * Writes families in the text format 0.0.4: `# HELP`, `# TYPE` and the samples of each family, escaped, with a
 * line feed after each line.
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
