/** Targets of the benchmarks, as data. Every bar is a ratio measured side by side, unless its unit is another. */

/** One line of the report. It has a bar, or a reason why it is there without one. */
export type Budget = {
  /** The measured quantity, and what it is compared with. */
  claim: string;
  /** Printed after the number. */
  unit: '×' | ' s' | ' ms' | ' renders' | ' errors';
} & ({ bar: Bar; why?: never } | { bar?: never; why: string });

export interface Bar {
  is: 'at least' | 'at most' | 'exactly';
  value: number;
}

export const budgets = {
  hit: {
    claim: 'hit, 48 KB JPEG, against a bare uWebSockets.js server that sends the same bytes',
    bar: { is: 'at least', value: 0.85 },
    unit: '×',
  },
  'not-modified': {
    claim: '304 by `If-None-Match`, against a bare 304',
    bar: { is: 'at least', value: 0.8 },
    unit: '×',
  },
  'text-jpeg': {
    claim:
      "one text changed, `welcome-banner` JPEG, a thread, against skia-canvas draw + `toBuffer('jpg')`",
    bar: { is: 'at least', value: 6 },
    unit: '×',
  },
  'text-png-card': {
    claim:
      "one text changed, `product-card` PNG, a thread, against skia-canvas draw + `toBuffer('png')`",
    bar: { is: 'at least', value: 6 },
    unit: '×',
  },
  'text-png-banner': {
    claim:
      "one text changed, `welcome-banner.png`, a thread, against skia-canvas draw + `toBuffer('png')`",
    bar: { is: 'at least', value: 4 },
    unit: '×',
  },
  'photo-jpeg': {
    claim:
      "whole image changes (photo replaced, decoded in advance by both), `welcome-banner` JPEG, a thread, against skia-canvas draw + `toBuffer('jpg')`",
    bar: { is: 'at least', value: 2 },
    unit: '×',
  },
  'new-photo-jpeg': {
    claim: 'the same with a new photo each time, which both decode',
    why: 'to show the cost of a new photo: half of the service’s time is decoding, which neither a base render nor an encoder avoids',
    unit: '×',
  },
  'http-jpeg': {
    claim: 'HTTP end to end, JPEG, unique links, all cores, against @napi-rs/canvas in-process',
    bar: { is: 'at least', value: 3 },
    unit: '×',
  },
  'http-png': {
    claim: 'HTTP end to end, PNG, unique links, all cores, against takumi in-process',
    bar: { is: 'at least', value: 3 },
    unit: '×',
  },
  'burst-errors': {
    claim: 'burst of unique links over 200 connections: responses that are not an image',
    bar: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'burst-p99': {
    claim: 'burst: p99 latency, against queue length ÷ throughput',
    bar: { is: 'at most', value: 1.2 },
    unit: '×',
  },
  'first-burst-p99': {
    claim: 'the same for 8,000 links to a process that has just been started',
    why: 'to show the latency of a campaign right after a restart, while V8 still compiles the code and every cache is empty',
    unit: '×',
  },
  'burst-memory': {
    claim: 'burst: resident memory at its end, against that at its start',
    bar: { is: 'at most', value: 1.1 },
    unit: '×',
  },
  stampede: {
    claim: 'stampede: renders for 5,000 requests of one cold key',
    bar: { is: 'exactly', value: 1 },
    unit: ' renders',
  },
  'overload-goodput': {
    claim:
      'overload, ten times as many new links as can be rendered: images a second, against capacity while a bare uWebSockets.js server on the same cores refuses as many requests',
    bar: { is: 'at least', value: 0.9 },
    unit: '×',
  },
  'overload-undisturbed': {
    claim: 'the same against capacity without any other load on the cores',
    why: 'to show how much of the loss is the work of clients and network, which uses cores with any server',
    unit: '×',
  },
  'overload-p99': {
    claim: 'overload: p99 of admitted requests, against the deadline',
    bar: { is: 'at most', value: 1 },
    unit: '×',
  },
  'overload-hits': {
    claim: 'overload: p99 of responses from memory beside it',
    bar: { is: 'at most', value: 20 },
    unit: ' ms',
  },
  'overload-errors': {
    claim: 'overload: responses that are neither an image nor a 503 with `Retry-After`',
    bar: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'fair-expensive-p99': {
    claim:
      'two organizations: p99 of one’s cheap images, 20 a second, while the other requests five times as many expensive renders as the capacity',
    bar: { is: 'at most', value: 1000 },
    unit: ' ms',
  },
  'fair-expensive-refused': {
    claim: 'two organizations: cheap images of one that are refused or late beside that flood',
    bar: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'fair-cheap-p99': {
    claim: 'two organizations: the same p99 beside a flood of cheap renders',
    bar: { is: 'at most', value: 1000 },
    unit: ' ms',
  },
  'fair-cheap-refused': {
    claim:
      'two organizations: cheap images of one that are refused or late beside that flood of cheap renders',
    bar: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'fair-hanging-refused': {
    claim:
      'two organizations: images of one that are refused or late while 100 links a second of the other lead to paths of the same image host that hang',
    bar: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'cold-start': {
    claim: 'start of the process on a data folder in use, to its first image',
    bar: { is: 'at most', value: 1 },
    unit: ' s',
  },
  'first-start': {
    claim: 'first start ever, on an empty data folder, to its first image',
    why: 'to show the cost of storing the samples and laying out the fonts; it happens once',
    unit: ' s',
  },
  'cold-template': {
    claim: 'first image of a template that was never rendered',
    bar: { is: 'at most', value: 150 },
    unit: ' ms',
  },
  'cold-process-template': {
    claim: 'the same right after the start of the process',
    why: 'to show the latency of the first request while the threads still warm up',
    unit: ' ms',
  },
  'hostile-origins': {
    claim: 'p99 of ordinary renders beside 64 links to hostile image origins, against alone',
    bar: { is: 'at most', value: 1.25 },
    unit: '×',
  },
  'hostile-drawings': {
    claim:
      'p99 of ordinary renders beside 4 links to SVG files that are slow on purpose, against alone',
    why: 'to show how much a caller with a template can slow down others by drawings as large as the limits allow',
    unit: '×',
  },
  'studio-p50': {
    claim: 'studio: from a key to the exact pixels on the screen, median',
    bar: { is: 'at most', value: 60 },
    unit: ' ms',
  },
  'studio-p95': {
    claim: 'studio: the same, 19 of 20',
    bar: { is: 'at most', value: 120 },
    unit: ' ms',
  },
  memory: {
    claim:
      'resident memory after 200,000 unique renders, against 20,000 (`npm run bench memory long`)',
    bar: { is: 'at most', value: 1.1 },
    unit: '×',
  },
  'short-memory': {
    claim: 'the same after 20,000 unique renders, against 2,000',
    why: 'to show a large leak in the time of a usual run; it includes memory that V8 and the threads still reserve',
    unit: '×',
  },
} as const satisfies Record<string, Budget>;

export type BudgetId = keyof typeof budgets;

/** Whether a measured number meets its bar; undefined without a bar. */
export function isReached(budget: Budget, reached: number): boolean | undefined {
  const { bar } = budget;
  if (bar === undefined) return undefined;
  if (bar.is === 'at least') return reached >= bar.value;
  if (bar.is === 'at most') return reached <= bar.value;
  return reached === bar.value;
}
