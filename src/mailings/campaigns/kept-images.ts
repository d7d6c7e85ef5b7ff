/** Keeps the source images of one campaign on disk: each is fetched once for all rows of a run and of later runs. */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceImage } from '#wire/render-job.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import { ImageError } from '../../images/image-error.ts';
import type { ImageLoader, LoadedImage } from '../../images/load-images.ts';
import { isRemote } from '../../render/order.ts';
import { diskReserveBytes, freeBytes } from './results/disk-space.ts';

/**
 * Upper bound in bytes of a campaign's kept images. An image beyond it, or one for which the disk has too little space,
 * is fetched for each row unless the loader's cache has it.
 */
const keptBytesMax = 4 * 1024 ** 3;

/** Upper bound of the failures that a run remembers, each of some 300 bytes. */
const failuresMax = 100_000;

/** Time in ms from which a fetch is a problem: readers wait for it, and email proxies time out after some seconds. */
const slowMs = 3000;

/** The first line of the file of a kept image, as JSON. */
type KeptFacts = Omit<SourceImage, 'bytes'> & { tookMs: number };

/** Loads images for the rows of one campaign. */
export class KeptImages implements Pick<ImageLoader, 'loadImage' | 'drawLayers'> {
  readonly #loader: ImageLoader;
  readonly #folder: string;
  readonly #flights = new SingleFlight<LoadedImage>();
  readonly #failures = new Map<string, ImageError>();
  readonly #slow = new Map<string, number>();
  #keptBytes = 0;

  /** `folder` is created if it is missing. */
  constructor(loader: ImageLoader, folder: string) {
    this.#loader = loader;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Images that earlier runs kept, or this run before a kill.
    for (const name of readdirSync(folder)) this.#keptBytes += statSync(join(folder, name)).size;
  }

  /** Deletes the kept images, so that a new proof fetches the current ones. */
  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#failures.clear();
    this.#slow.clear();
    this.#keptBytes = 0;
  }

  readonly drawLayers: ImageLoader['drawLayers'] = (...given) => this.#loader.drawLayers(...given);

  readonly loadImage: ImageLoader['loadImage'] = async (source, requester, signal) => {
    if (!isRemote(source)) return this.#loader.loadImage(source, requester, signal);
    const failure = this.#failures.get(source);
    if (failure !== undefined) throw failure;
    const { value } = await this.#flights.run(
      source,
      async () => (await this.#read(source)) ?? this.#fetch(source, requester),
      signal,
    );
    return value;
  };

  /** Milliseconds of the fetch, if it was slow in this run. */
  slowMs(source: string): number | undefined {
    return this.#slow.get(source);
  }

  async #fetch(
    source: string,
    requester: Parameters<ImageLoader['loadImage']>[1],
  ): Promise<LoadedImage> {
    const startedMs = performance.now();
    try {
      // Without the row's signal: the loader has time limits, and a row that is canceled must not fail the others.
      const loaded = await this.#loader.loadImage(source, requester, new AbortController().signal);
      const tookMs = performance.now() - startedMs;
      this.#noteTime(source, tookMs);
      await this.#keep(source, loaded.image, tookMs);
      return loaded;
    } catch (error) {
      const isSettled = error instanceof ImageError && error.reason !== 'overloaded';
      if (isSettled && this.#failures.size < failuresMax) this.#failures.set(source, error);
      throw error;
    }
  }

  #noteTime(source: string, tookMs: number): void {
    if (tookMs > slowMs && this.#slow.size < failuresMax) this.#slow.set(source, tookMs);
  }

  #pathOf(source: string): string {
    return join(this.#folder, hash('sha256', source, 'hex'));
  }

  async #keep(source: string, { bytes, ...facts }: SourceImage, tookMs: number): Promise<void> {
    if (this.#keptBytes + bytes.byteLength > keptBytesMax) return;
    if ((await freeBytes(this.#folder)) < 2 * diskReserveBytes) return;
    this.#keptBytes += bytes.byteLength;
    const path = this.#pathOf(source);
    const head = Buffer.from(`${JSON.stringify({ ...facts, tookMs })}\n`);
    // Written to a new name first, so that a kill leaves no partial file.
    await writeFile(`${path}.new`, Buffer.concat([head, bytes]), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async #read(source: string): Promise<LoadedImage | undefined> {
    const file = await readFile(this.#pathOf(source)).catch(() => undefined);
    if (file === undefined) return undefined;
    const end = file.indexOf('\n');
    const { tookMs, ...facts } = JSON.parse(file.toString('utf8', 0, end)) as KeptFacts;
    // A fetch that was slow before a kill is a problem of the later rows too.
    this.#noteTime(source, tookMs);
    const bytes = new Uint8Array(file.subarray(end + 1));
    return { image: { ...facts, bytes }, freshUntilMs: Infinity };
  }
}
