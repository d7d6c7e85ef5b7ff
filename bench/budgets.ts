/** The goals of the benchmarks, as data. Ratios (×) are measured side by side. */

/** One line of the report. */
export interface Budget {
  /** The measured quantity, and what it is compared with. */
  claim: string;
  goal: Goal;
  /** Printed after the number. */
  unit: '×' | ' s' | ' ms' | ' MB' | ' KB' | ' %' | ' errors' | '';
}

export interface Goal {
  is: 'at least' | 'at most' | 'exactly';
  value: number;
}

export const budgets = {
  'http-jpeg': {
    claim:
      'HTTP end to end, unique JPEG links with full names, against @napi-rs/canvas in-process with the same texts; `welcome-banner` and a banner whose headline contains the name, the worse counts',
    goal: { is: 'at least', value: 5 },
    unit: '×',
  },
  'http-png': {
    claim: 'the same, PNG, against takumi in-process',
    goal: { is: 'at least', value: 8 },
    unit: '×',
  },
  'slow-names': {
    claim:
      'the slowest tenth of the 2,000 names against their median, CPU time of the render host, `welcome-banner` JPEG',
    goal: { is: 'at most', value: 1.6 },
    unit: '×',
  },
  'short-banner': {
    claim:
      'one short word changed, CPU time of the render host for each render, `welcome-banner` JPEG',
    goal: { is: 'at most', value: 1.2 },
    unit: ' ms',
  },
  'short-ticket': {
    claim: 'the same, `event-ticket` PNG',
    goal: { is: 'at most', value: 1.2 },
    unit: ' ms',
  },
  'short-hello': {
    claim: 'the same, `hello` PNG',
    goal: { is: 'at most', value: 0.5 },
    unit: ' ms',
  },
  'main-thread': {
    claim: 'CPU time of the main thread for each unique render, over 200 connections',
    goal: { is: 'at most', value: 0.15 },
    unit: ' ms',
  },
  'new-photo': {
    claim:
      'a new photo in a known template, JPEG, a render host against a tuned skia-canvas (4:2:0); both decode the photo',
    goal: { is: 'at least', value: 2 },
    unit: '×',
  },
  'cold-template': {
    claim: 'first image of a template in a fresh process that has warmed up, the slowest sample',
    goal: { is: 'at most', value: 60 },
    unit: ' ms',
  },
  'campaign-files': {
    claim: '10,000 images of `welcome-banner` with full names in a ZIP, from upload to the end',
    goal: { is: 'at most', value: 60 },
    unit: ' s',
  },
  hit: {
    claim: 'cache hit, 48 KB JPEG, against a bare uWebSockets.js server that sends the same bytes',
    goal: { is: 'at least', value: 0.95 },
    unit: '×',
  },
  'burst-p99': {
    claim:
      'burst of unique links over 200 connections: p99 latency against queue length ÷ throughput',
    goal: { is: 'at most', value: 1.2 },
    unit: '×',
  },
  'overload-goodput': {
    claim:
      'overload, ten times as many new links as can be rendered: images a second against the capacity while a bare uWebSockets.js server on the same cores refuses as many requests',
    goal: { is: 'at least', value: 0.95 },
    unit: '×',
  },
  memory: {
    claim:
      'resident memory after 200,000 mixed renders of six templates, two render hosts, 32 MB of render cache',
    goal: { is: 'at most', value: 500 },
    unit: ' MB',
  },
  'idle-memory': {
    claim: 'idle resident memory after the warm-up, two render hosts',
    goal: { is: 'at most', value: 150 },
    unit: ' MB',
  },
  'region-fit': {
    claim:
      'CPU time against changed pixels, 40 regions of 0.1 to 60 % of the canvas: R² of the fitted line, JPEG and PNG, the worse counts',
    goal: { is: 'at least', value: 0.95 },
    unit: '',
  },
  'region-step': {
    claim:
      'the same: largest rise between two neighbouring regions beyond that of the line, relative to the cheaper one',
    goal: { is: 'at most', value: 30 },
    unit: ' %',
  },
  'fair-expensive-p99': {
    claim:
      'two organizations: p99 of one’s cheap images, 20 a second, while the other requests five times as many expensive renders as the capacity',
    goal: { is: 'at most', value: 1000 },
    unit: ' ms',
  },
  'fair-expensive-refused': {
    claim: 'two organizations: cheap images of one that are refused or late beside that flood',
    goal: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'fair-cheap-p99': {
    claim: 'two organizations: the same p99 beside a flood of cheap renders',
    goal: { is: 'at most', value: 1000 },
    unit: ' ms',
  },
  'fair-cheap-refused': {
    claim:
      'two organizations: cheap images of one that are refused or late beside that flood of cheap renders',
    goal: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'fair-hanging-refused': {
    claim:
      'two organizations: images of one that are refused or late while 100 links a second of the other lead to paths of the same image host that hang',
    goal: { is: 'exactly', value: 0 },
    unit: ' errors',
  },
  'proof-rate': {
    claim:
      'campaigns: rows a second that are proved on two cores beside an idle service, unique full names, `quote`, `event-ticket` and `welcome-banner`, the worst counts',
    goal: { is: 'at least', value: 1500 },
    unit: '',
  },
  'proof-memory': {
    claim:
      'campaigns: additional memory while 1,000,000 unique rows are proved to the end, the peak (PSS)',
    goal: { is: 'at most', value: 512 },
    unit: ' MB',
  },
  'campaign-p99': {
    claim: 'campaigns: p99 of unique live links beside a proof, against without',
    goal: { is: 'at most', value: 1.25 },
    unit: '×',
  },
  'animation-large': {
    claim:
      'a GIF of 60 frames of `countdown-banner`, 1200 × 400 over a photograph: CPU time of a render host',
    goal: { is: 'at most', value: 150 },
    unit: ' ms',
  },
  'animation-large-size': {
    claim: 'the same: size of the file',
    goal: { is: 'at most', value: 1000 },
    unit: ' KB',
  },
  'animation-small': {
    claim: 'the same at 600 × 200: CPU time',
    goal: { is: 'at most', value: 50 },
    unit: ' ms',
  },
  'animation-small-size': {
    claim: 'the same: size of the file',
    goal: { is: 'at most', value: 300 },
    unit: ' KB',
  },
  'studio-p50': {
    claim: 'studio: from a key to the exact pixels on the screen, median',
    goal: { is: 'at most', value: 40 },
    unit: ' ms',
  },
  'studio-p95': {
    claim: 'studio: the same, 19 of 20',
    goal: { is: 'at most', value: 90 },
    unit: ' ms',
  },
  'studio-large-p95': {
    claim: 'studio: the same in a canvas of 4096 × 4096 with 200 layers, 19 of 20',
    goal: { is: 'at most', value: 150 },
    unit: ' ms',
  },
} as const satisfies Record<string, Budget>;

export type BudgetId = keyof typeof budgets;

/** Whether a measured number meets its goal; NaN never does. */
export function isReached({ goal }: Budget, reached: number): boolean {
  if (goal.is === 'at least') return reached >= goal.value;
  if (goal.is === 'at most') return reached <= goal.value;
  return reached === goal.value;
}
