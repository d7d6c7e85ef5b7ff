/** Draws many cases in child processes and holds each to the law: 2 s of processor time and 512 MB, whatever is asked for. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { lawCases } from './documents.ts';
import type { LawCase } from './documents.ts';
import type { LawResult } from './render-child.ts';
import { nodeOptions, memoryEnvironment } from '../../src/scheduling/hosts/node-options.ts';

export const cpuMsMax = 2000;
export const growthBytesMax = 512 * 1024 * 1024;
/**
 * Of wall time: a process that does not answer is ended. Work is what the law bounds: at the lowest priority of a busy
 * machine it takes a hundred times as long.
 */
const answerMsMax = 900_000;
/** Measurements of a case that takes too long: other work on the machine only adds to processor time, up to a half. */
const attemptsMax = 3;

export interface Measured {
  lawCase: LawCase;
  /** Undefined when the process ended or did not answer. */
  result: LawResult | undefined;
}

/** Draws as many cases of a seed as wanted. */
export async function runLaw(
  { documents, seed, processes }: { documents: number; seed: number; processes: number },
  onMeasured: (measured: Measured) => void,
): Promise<void> {
  const cases = generate(seed, documents);
  await Promise.all(Array.from({ length: processes }, () => work(cases, onMeasured)));
}

/** In portions: 20,000 documents at once take a gigabyte. */
function* generate(seed: number, documents: number): Generator<LawCase> {
  const portion = 100;
  for (let made = 0; made < documents; made += portion) {
    yield* fc.sample(lawCases, { seed: seed + made, numRuns: Math.min(portion, documents - made) });
  }
}

async function work(
  cases: Generator<LawCase>,
  onMeasured: (measured: Measured) => void,
): Promise<void> {
  const renderer = createRenderer();
  for (const lawCase of cases) onMeasured({ lawCase, result: await renderer.measure(lawCase) });
  renderer.close();
}

/** A process that draws one case after another. */
export interface Renderer {
  /** Undefined when the process ended or did not answer; the next case has a new one. */
  measure(lawCase: LawCase): Promise<LawResult | undefined>;
  close(): void;
}

export function createRenderer(): Renderer {
  let child: ChildProcess | undefined;
  const measureOnce = async (lawCase: LawCase): Promise<LawResult | undefined> => {
    child ??= await start();
    const result = await ask(child, lawCase);
    if (result === undefined) {
      child.kill('SIGKILL');
      child = undefined;
    }
    return result;
  };
  return {
    async measure(lawCase) {
      let result = await measureOnce(lawCase);
      for (let attempt = 1; attempt < attemptsMax && isSlow(result); attempt += 1)
        result = await measureOnce(lawCase);
      return result;
    },
    close() {
      child?.kill('SIGKILL');
    },
  };
}

async function start(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'render-child.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...memoryEnvironment(1) },
    execArgv: nodeOptions(),
  });
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return child;
}

async function ask(child: ChildProcess, lawCase: LawCase): Promise<LawResult | undefined> {
  const stop = new AbortController();
  const { signal } = stop;
  const timer = setTimeout(() => stop.abort(), answerMsMax);
  try {
    if (child.exitCode !== null || !child.connected) return undefined;
    child.send(lawCase);
    const [answer] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [undefined]),
    ])) as [LawResult | undefined];
    return answer;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function isSlow(result: LawResult | undefined): boolean {
  if (result === undefined) return false;
  // A render ends itself before it exceeds the law: on a slow moment of the machine as well.
  if (result.outcome === 'failed' && result.detail.includes('processor time')) return true;
  return result.checkMs > cpuMsMax || result.renderMs + result.drawingsMs > cpuMsMax;
}

/** What of the law a case breaks, in words; undefined when it holds. */
export function offence({ result }: Measured): string | undefined {
  if (result === undefined) return 'ends the process';
  const { outcome, detail, checkMs, renderMs, drawingsMs, peakBytes } = result;
  if (outcome === 'failed') return `fails: ${detail}`;
  if (checkMs > cpuMsMax) return `takes ${Math.round(checkMs)} ms to check`;
  if (renderMs + drawingsMs > cpuMsMax)
    return `takes ${Math.round(renderMs)} ms, and its drawings ${Math.round(drawingsMs)} ms`;
  return peakBytes > growthBytesMax ? `takes ${Math.round(peakBytes / 1e6)} MB` : undefined;
}
