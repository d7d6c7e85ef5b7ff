/**
 * A model of a fleet: images a second, memory, network and database load by nodes and cores, and what it costs. Prints the
 * tables of docs/scaling.md. Each constant has its source; nothing here is measured.
 */
import { fileURLToPath } from 'node:url';

/** Measured by `bench/stages/fleet-costs.ts`: CPU time in ms on shared cores of an AMD EPYC, through HAProxy. */
export const measured = {
  /** A new JPEG of `welcome-banner` with a full name: all processes of the service. */
  newImageMs: 4.3,
  /** Of it, the thread that answers. */
  newImageMainMs: 0.89,
  /** HAProxy: a new image of 88 KB without TLS, and what TLS adds to an image of 48 KB. */
  proxyMs: 0.17 + 0.04,
  /** docs/benchmarks.md. */
  imageBytes: 88_000,
  /** The process that answers, and each render host, as the service divides memory at its start. */
  serviceMib: 128,
  renderProcessMib: 192,
  /** With a shared database, a process compares the head of changes every 250 ms, and adds its counts every 5 s. */
  looksPerSecond: 4,
  writesPerSecond: 1 / 5,
};

/** Assumed: change them to yours. */
export const assumed = {
  /** Of the cores, at the peak. */
  load: 0.7,
  /** Of the busiest hour over the mean of a day. */
  peak: 3,
  /** Bytes of memory for each core. */
  memoryMibPerCore: 2048,
  /** List price of a cloud: AWS c7a.4xlarge, 16 cores, us-east-1, on demand, as of mid-2025. */
  coreHourDollars: 0.821 / 16,
  /** Its traffic to the internet, beyond 150 TB a month. */
  gigabyteDollars: 0.05,
};

/** Cores that one process can use: with more, the thread that answers is full first. */
export const coresOfProcess = Math.floor(measured.newImageMs / measured.newImageMainMs);

/** What one node of some cores does at the assumed load, if every image is new. */
export interface NodeFigures {
  cores: number;
  processes: number;
  imagesPerSecond: number;
  /** Of one process for all cores: where the thread that answers is full. */
  oneProcessPerSecond: number;
  memoryMib: number;
  /** Seconds of new images that its caches hold. */
  cacheSeconds: number;
  megabitsPerSecond: number;
}

export function nodeFigures(cores: number): NodeFigures {
  const byCores = (1000 * cores * assumed.load) / measured.newImageMs;
  const byThread = (1000 * assumed.load) / measured.newImageMainMs;
  const processes = Math.ceil(cores / coresOfProcess);
  const imagesPerSecond = Math.min(byCores, processes * byThread);
  const fixedMib = processes * measured.serviceMib + cores * measured.renderProcessMib;
  const memoryMib = cores * assumed.memoryMibPerCore;
  // An eighth of what the processes leave, at most 4 GiB each (src/scheduling/memory-budget.ts).
  const cacheMib = Math.min((memoryMib - fixedMib) / 8, processes * 4096);
  return {
    cores,
    processes,
    imagesPerSecond,
    oneProcessPerSecond: Math.min(byCores, byThread),
    memoryMib: fixedMib + cacheMib,
    cacheSeconds: (cacheMib * 2 ** 20) / (imagesPerSecond * measured.imageBytes),
    megabitsPerSecond: (imagesPerSecond * measured.imageBytes * 8) / 1e6,
  };
}

/** What a fleet of some nodes does, after the loss of one of them if there are several. */
export interface FleetFigures {
  nodes: number;
  imagesPerSecond: number;
  /** Of all images, those that a lost node's share is: drawn again if they were in its memory. */
  movedShare: number;
  /** Of the fullest node over the mean, with 1,600 points on the ring for each. */
  fullestShare: number;
  proxyCores: number;
  gigabitsPerSecond: number;
  /** Of the shared database, without changes and first opens. */
  looksPerSecond: number;
  writesPerSecond: number;
}

export function fleetFigures(nodes: number, cores: number): FleetFigures {
  const node = nodeFigures(cores);
  const fullestShare = fullestOf(nodes);
  // The fullest node is the first one without a reserve.
  const imagesPerSecond = (Math.max(1, nodes - 1) * node.imagesPerSecond) / fullestShare;
  return {
    nodes,
    imagesPerSecond,
    movedShare: 1 / nodes,
    fullestShare,
    proxyCores: (imagesPerSecond * measured.proxyMs) / 1000 / assumed.load,
    gigabitsPerSecond: (imagesPerSecond * measured.imageBytes * 8) / 1e9,
    looksPerSecond: nodes * node.processes * measured.looksPerSecond,
    writesPerSecond: nodes * node.processes * measured.writesPerSecond,
  };
}

const pointsPerNode = 1600;

/** The fullest of some nodes on a ring of pseudo-random points, over the mean. */
export function fullestOf(nodes: number): number {
  const points: { at: number; node: number }[] = [];
  for (let node = 0; node < nodes; node += 1) {
    for (let point = 0; point < pointsPerNode; point += 1) {
      points.push({ at: mix(node * pointsPerNode + point), node });
    }
  }
  points.sort((a, b) => a.at - b.at);
  const shares = Array<number>(nodes).fill(0);
  let before = (points.at(-1)?.at ?? 0) - 2 ** 32;
  for (const { at, node } of points) {
    shares[node] = (shares[node] ?? 0) + at - before;
    before = at;
  }
  return (Math.max(...shares) * nodes) / 2 ** 32;
}

/** Spreads numbers over 32 bits (the finaliser of MurmurHash3). */
function mix(value: number): number {
  let mixed = value + 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The fleet for so many images a day, all of them new, with a reserve of one node. */
export interface DayFigures {
  imagesPerDay: number;
  peakPerSecond: number;
  nodes: number;
  gigabitsPerSecond: number;
  terabytesPerMonth: number;
  computeDollars: number;
  trafficDollars: number;
}

export function dayFigures(imagesPerDay: number, cores = 16): DayFigures {
  const peakPerSecond = (imagesPerDay / 86_400) * assumed.peak;
  let nodes = 2;
  while (fleetFigures(nodes, cores).imagesPerSecond < peakPerSecond) nodes += 1;
  const proxies = 2 * Math.max(2, Math.ceil(fleetFigures(nodes, cores).proxyCores));
  const bytesPerMonth = imagesPerDay * 30 * measured.imageBytes;
  return {
    imagesPerDay,
    peakPerSecond,
    nodes,
    gigabitsPerSecond: (peakPerSecond * measured.imageBytes * 8) / 1e9,
    terabytesPerMonth: bytesPerMonth / 1e12,
    computeDollars: (nodes * cores + proxies) * 730 * assumed.coreHourDollars,
    trafficDollars: (bytesPerMonth / 1e9) * assumed.gigabyteDollars,
  };
}

/** The tables of docs/scaling.md, as Markdown. */
export function scalingTables(): string[] {
  const nodes = [2, 4, 8, 16, 32, 64].map(nodeFigures);
  const fleets = [1, 2, 3, 4, 8, 16, 32, 64].map((count) => fleetFigures(count, 16));
  const days = [1e6, 1e7, 1e8, 1e9].map((count) => dayFigures(count));
  return [
    table(
      [
        'cores',
        'processes',
        'new images a second',
        'with one process',
        'memory',
        'cache holds',
        'network',
      ],
      nodes.map((node) => [
        node.cores,
        node.processes,
        rounded(node.imagesPerSecond),
        rounded(node.oneProcessPerSecond),
        `${(node.memoryMib / 1024).toFixed(1)} GiB`,
        `${node.cacheSeconds.toFixed(0)} s`,
        `${(node.megabitsPerSecond / 1000).toFixed(1)} Gbit/s`,
      ]),
    ),
    table(
      [
        'nodes',
        'new images a second, one node lost',
        'share that moves',
        'fullest node',
        'proxy cores',
        'network',
        'looks at the database',
        'writes to it',
      ],
      fleets.map((fleet) => [
        fleet.nodes,
        rounded(fleet.imagesPerSecond),
        fleet.nodes === 1 ? 'all' : `1/${fleet.nodes}`,
        fleet.fullestShare.toFixed(2),
        fleet.proxyCores.toFixed(1),
        `${fleet.gigabitsPerSecond.toFixed(1)} Gbit/s`,
        `${fleet.looksPerSecond}/s`,
        `${fleet.writesPerSecond.toFixed(1)}/s`,
      ]),
    ),
    table(
      [
        'images a day',
        'peak a second',
        'nodes',
        'network at the peak',
        'traffic a month',
        'price of compute',
        'price of traffic',
      ],
      days.map((day) => [
        rounded(day.imagesPerDay),
        rounded(day.peakPerSecond),
        day.nodes,
        `${day.gigabitsPerSecond.toFixed(2)} Gbit/s`,
        `${rounded(day.terabytesPerMonth)} TB`,
        `$${rounded(day.computeDollars)}`,
        `$${rounded(day.trafficDollars)}`,
      ]),
    ),
  ];
}

/** Two or three digits that count. */
function rounded(value: number): string {
  return Number(value.toPrecision(value < 100 ? 2 : 3)).toLocaleString('en-US');
}

function table(head: readonly string[], rows: readonly (readonly (number | string)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(scalingTables().join('\n\n'));
}
