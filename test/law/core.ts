/**
 * How fast the core is just now. The milliseconds of a law are those of a core that does `referenceWork` in `referenceMs`.
 * Virtual machines whose cores other machines share take twice as long in some seconds as in others.
 */

/** CPU time in ms of the reference work on the machine on which the laws were set, in its fast seconds. */
const referenceMs = 12;
/** On a slower core than that nothing is said of the law, and its bounds hold. */
const slownessMax = 4;
const repeats = 5;

const text = JSON.stringify(
  Array.from({ length: 400 }, (_, index) => ({
    id: `layer${index}`,
    type: 'text',
    x: index,
    y: index,
    width: 100,
    text: 'Hello {{name}} of {{city}}'.repeat(4),
  })),
);

/** What the thread that answers does for a document, again and again: it reads JSON, goes through it and finds names. */
function referenceWork(): void {
  const known = new Map<string, number>();
  for (let round = 0; round < 8; round += 1) {
    const layers = JSON.parse(text) as Record<string, unknown>[];
    for (const [name, value] of layers.flatMap(Object.entries)) {
      for (const part of String(value).split(/\{\{|\}\}/)) {
        const key = name + part;
        known.set(key, (known.get(key) ?? 0) + 1);
      }
    }
    JSON.stringify(layers);
  }
}

/** So often does the reference work run before it is compiled. */
const roundsUntilCompiled = 30;
let roundsRun = 0;

/** By how much the core is slower than the one of the law just now, at least 1. Takes about 0.1 s. */
export function slownessOfCore(): number {
  for (; roundsRun < roundsUntilCompiled; roundsRun += 1) referenceWork();
  const started = process.threadCpuUsage();
  for (let round = 0; round < repeats; round += 1) referenceWork();
  const { user, system } = process.threadCpuUsage(started);
  const slowness = (user + system) / 1000 / repeats / referenceMs;
  return Math.min(slownessMax, Math.max(1, slowness));
}
