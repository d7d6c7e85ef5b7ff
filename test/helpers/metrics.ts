/** Reads the Prometheus text format with a parser of somebody else's, and checks what no parser asks. */
import { createRequire } from 'node:module';

// It brings no types. It forgets the labels of histograms, so that samples are read without their types.
const parse = createRequire(import.meta.url)('parse-prometheus-text-format') as (
  text: string,
) => ParsedFamily[];

export interface ParsedSample {
  labels?: Record<string, string>;
  value: string;
}

export interface ParsedFamily {
  name: string;
  help: string;
  type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
  /** Of a histogram, what is counted is in `samples`. */
  metrics: ParsedSample[];
}

/** A page of metrics. */
export interface ParsedMetrics {
  families: ParsedFamily[];
  /** By the name that a query uses; of a histogram `_bucket`, `_sum` and `_count`. Families without samples are there, too. */
  samples: ReadonlyMap<string, ParsedSample[]>;
}

/** Throws for a line that is not of the text format 0.0.4. */
export function parseMetrics(text: string): ParsedMetrics {
  const families = parse(text);
  const samples = new Map<string, ParsedSample[]>();
  for (const { name, type } of families) {
    const suffixes = type === 'HISTOGRAM' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) samples.set(name + suffix, []);
  }
  for (const { name, metrics } of parse(text.replaceAll(/^#.*\n/gm, ''))) {
    const known = samples.get(name);
    if (known === undefined) throw new Error(`${name} has no type`);
    known.push(...metrics);
  }
  return { families, samples };
}

/** The value of the first sample with these labels; 0 when there is none. */
export function sampleValue(
  { samples }: ParsedMetrics,
  name: string,
  labels: Record<string, string> = {},
): number {
  const sample = samples
    .get(name)
    ?.find(({ labels: found = {} }) =>
      Object.entries(labels).every(([label, value]) => found[label] === value),
    );
  return Number(sample?.value ?? 0);
}

/** What `promtool check metrics` and the naming rules of Prometheus would complain about. */
export function metricComplaints({ families }: ParsedMetrics): string[] {
  const complaints: string[] = [];
  const seen = new Set<string>();
  for (const { name, help, type } of families) {
    if (seen.has(name)) complaints.push(`${name} is there twice`);
    seen.add(name);
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name)) complaints.push(`${name} is no name`);
    if (help === '') complaints.push(`${name} has no help`);
    if ((type === 'COUNTER') !== name.endsWith('_total')) {
      complaints.push(`${name}: counters, and nothing else, end in _total`);
    }
    if (/_(ms|milliseconds|mb|kb|percent)(_|$)/.test(name)) {
      complaints.push(`${name} is not in base units`);
    }
  }
  return complaints;
}
