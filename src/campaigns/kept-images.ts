/** The images of one campaign on disk: each distinct one is fetched once, over all rows of a run and the runs after it. */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceImage } from '#wire/render-job.ts';
import { SingleFlight } from '../foundation/single-flight.ts';
import { ImageError } from '../images/image-error.ts';
import type { ImageLoader, LoadedImage } from '../images/load-images.ts';
import { isRemote } from '../render/order.ts';
import { diskReserveBytes, freeBytes } from './results/disk-space.ts';

/**
 * Bytes of all kept images of a campaign; those beyond, and those for which the disk has too little space, are fetched
 * for each row that the loader's cache does not serve.
 */
const keptBytesMax = 4 * 1024 ** 3;

/** Failures that are remembered in a run, each some 300 bytes. */
const failuresMax = 100_000;

/** A fetch that takes longer is a problem of the image: readers wait for it, and email proxies give up after some seconds. */
const slowMs = 3000;

/** The first line of a kept image. */
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
    // Of earlier runs, or of this one before a kill.
    for (const name of readdirSync(folder)) this.#keptBytes += statSync(join(folder, name)).size;
  }

  /** Deletes what is kept: a new proof sees the images as they are now. */
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
      // The loader has limits of its own; a row that gives up must not fail the others.
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
    // A kill must not leave a part of a file.
    await writeFile(`${path}.new`, Buffer.concat([head, bytes]), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async #read(source: string): Promise<LoadedImage | undefined> {
    const file = await readFile(this.#pathOf(source)).catch(() => undefined);
    if (file === undefined) return undefined;
    const end = file.indexOf('\n');
    const { tookMs, ...facts } = JSON.parse(file.toString('utf8', 0, end)) as KeptFacts;
    // Found before a kill, it is a problem of the rows after it too.
    this.#noteTime(source, tookMs);
    const bytes = new Uint8Array(file.subarray(end + 1));
    return { image: { ...facts, bytes }, freshUntilMs: Infinity };
  }
}
