/** The service's SVG processes as a case of the law uses them, with all that their drawings take. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImageError } from '../../src/images/image-error.ts';
import type { ImageLoader } from '../../src/images/load-images.ts';
import { imageLoaderDefaults } from '../../src/images/config.ts';
import { SvgLayers } from '../../src/images/svg/layers.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import { cpuMsOf, residentOf } from '../../src/foundation/process-usage.ts';
import { peakBytesOf, resetPeak } from '../../bench/harness/peak-memory.ts';

const requester = { organizationUid: 'law', templateUid: 'law' };
/** How often memory is looked at while a drawing is made. */
const lookEveryMs = 10;
/** The law bounds work: a case waits for a process as long as a busy machine takes to start one. */
const queueWaitMs = 300_000;
/** What failed for lack of time is remembered for less than this. */
const retryAfterMs = 11_000;
const attemptsMax = 20;
/** Of a clock tick of `/proc/<pid>/stat`. */
const tickMs = 10;

/** What the drawings of a case took. */
export interface DrawingsUse {
  /** CPU time of all processes, those that ended and those that started in their place included. */
  cpuMs: number;
  /** Growth of resident memory at its peak, with what the rest of the case held then, bytes. */
  peakBytes: number;
  /** Growth that is left, bytes. */
  keptBytes: number;
}

export class SvgProcesses {
  readonly #rasteriser: SvgPool;
  #layers: SvgLayers;
  #warmed = 0;

  constructor(svgFontConfigFile: string) {
    this.#rasteriser = new SvgPool({ ...imageLoaderDefaults, queueWaitMs, svgFontConfigFile });
    this.#layers = new SvgLayers(this.#rasteriser, imageLoaderDefaults.svgTimeoutMs);
  }

  /** Makes a process ready, so that the next case does not pay for its start. */
  async warm(): Promise<void> {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="w${(this.#warmed += 1)}"/></svg>`;
    await this.draw([{ svg, widthPx: 9, heightPx: 9 }]);
  }

  /** Asks again where the machine gave a process no time to start, which says nothing about the drawing. */
  async draw(
    drawings: Parameters<ImageLoader['drawLayers']>[0],
  ): ReturnType<ImageLoader['drawLayers']> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#layers.draw(drawings, requester, new AbortController().signal);
      } catch (error) {
        const isPassing = error instanceof ImageError && error.reason === 'overloaded';
        if (!isPassing || attempt === attemptsMax) throw error;
      }
      await sleep(retryAfterMs);
    }
  }

  /** Does `work` with a loader of drawings, and measures what these take until a process is ready again. */
  async measure<Result>(
    work: (loader: Pick<ImageLoader, 'drawLayers'>) => Promise<Result>,
  ): Promise<{ result: Result; use: DrawingsUse }> {
    // A case pays for its drawings whatever was drawn before it.
    this.#layers = new SvgLayers(this.#rasteriser, imageLoaderDefaults.svgTimeoutMs);
    await this.warm();
    const beforeCpuMs = childrenCpuMs();
    for (const pid of childrenOf()) resetPeak(pid);
    const beforeBytes = sum(childrenOf(), peakBytesOf);
    const parentBytes = residentBytesOf(process.pid);
    let peakBytes = 0;
    let isUsed = false;
    const look = (): void => {
      const parent = residentBytesOf(process.pid) - parentBytes;
      peakBytes = Math.max(peakBytes, parent + sum(childrenOf(), peakBytesOf) - beforeBytes);
    };
    const drawLayers: ImageLoader['drawLayers'] = async (drawings) => {
      isUsed = true;
      const timer = setInterval(look, lookEveryMs);
      const drawn = await this.draw(drawings);
      look();
      clearInterval(timer);
      return drawn;
    };
    const result = await work({ drawLayers });
    if (!isUsed) return { result, use: { cpuMs: 0, peakBytes: 0, keptBytes: 0 } };
    const keptBytes = sum(childrenOf(), residentBytesOf) - beforeBytes;
    await this.warm();
    const cpuMs = childrenCpuMs() - beforeCpuMs;
    return { result, use: { cpuMs, peakBytes, keptBytes: Math.max(0, keptBytes) } };
  }
}

function residentBytesOf(pid: number): number {
  const { private: memory = 0, files = 0 } = residentOf(pid) ?? {};
  return memory + files;
}

/** CPU time of all children, those that have ended included. */
function childrenCpuMs(): number {
  const text = readFileSync('/proc/self/stat', 'latin1');
  // Fields 16 and 17 of proc(5): of the children that were waited for.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * tickMs;
  return ended + sum(childrenOf(), (pid) => cpuMsOf(pid) ?? 0);
}

function childrenOf(): number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
