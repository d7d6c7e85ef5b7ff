/** Warm images: campaigns store them on disk before sending, for the burst of requests after sending. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderFormat } from '#wire/render-job.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { NamedWarning, Render } from './cache.ts';
import type { RenderOrder } from './order.ts';

/** Requests for images of a campaign that were not in memory. `hits` were answered from the disk. */
export interface WarmUse {
  hits: number;
  misses: number;
}

/** The warm images of one campaign. */
export interface WarmFolder {
  campaignId: string;
  templateUid: string;
  version: number;
  folder: string;
}

/** The head of a file, before the bytes of its image. */
interface Head {
  format: RenderFormat;
  etag: string;
  warnings: readonly NamedWarning[];
  /** Bytes of the image, to detect a file that a power failure has truncated. */
  bytes: number;
}

/** The data of a warm image, which is never degraded. */
export type WarmImage = Pick<Render, 'bytes' | 'format' | 'warnings'> & { etag: string };

/** The path of an image in the folder of its campaign; `key` is the key of its order. */
export function warmPath(folder: string, key: string): string {
  // A folder with a million entries is slow on some file systems.
  return join(folder, key.slice(0, 2), key);
}

/** Returns the file of an image: its head as a line of JSON, then its bytes. */
export function toWarmFile({ bytes, format, etag, warnings }: WarmImage): Buffer {
  const head: Head = { format, etag, warnings, bytes: bytes.byteLength };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

/** The image of a file; undefined for a damaged one. */
export function fromWarmFile(file: Buffer): WarmImage | undefined {
  const end = file.indexOf('\n');
  if (end === -1) return undefined;
  try {
    const { bytes: length, ...head } = JSON.parse(file.toString('utf8', 0, end)) as Head;
    const bytes = new Uint8Array(file.subarray(end + 1));
    return bytes.byteLength === length ? { ...head, bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** Finds warm images by their orders. */
export class WarmRenders {
  readonly #find: () => readonly WarmFolder[];
  #folders = new Map<string, WarmFolder[]>();
  #use = new Map<string, WarmUse>();

  /** `find` lists the folders; only `refresh` calls it. */
  constructor(find: () => readonly WarmFolder[]) {
    this.#find = find;
  }

  /** Must be called at the start, and when a campaign has made images or was deleted. */
  refresh(): void {
    this.#folders = Map.groupBy(this.#find(), ({ templateUid, version }) =>
      nameOf(templateUid, version),
    );
  }

  /** Whether any campaign has images of this version; most versions have none, which saves a read from disk. */
  has({ uid, version }: PublishedTemplate): boolean {
    return this.#folders.has(nameOf(uid, version));
  }

  /** The image of an order; undefined if no campaign has made it. Never rejects. */
  async read({ key, template }: RenderOrder): Promise<Render | undefined> {
    const folders = this.#folders.get(nameOf(template.uid, template.version)) ?? [];
    const startedMs = performance.now();
    for (const { folder, campaignId } of folders) {
      const file = await readFile(warmPath(folder, key)).catch(() => undefined);
      const image = file && fromWarmFile(file);
      if (image === undefined) continue;
      this.#count(campaignId, 'hits');
      const stages = { disk: performance.now() - startedMs };
      // The proved image is served unchanged: its remote images are not refreshed.
      return { ...image, stages, drawn: 'warm', freshUntilMs: Infinity };
    }
    const [newest] = folders;
    if (newest !== undefined) this.#count(newest.campaignId, 'misses');
    return undefined;
  }

  /** Returns the hits and misses since the last call, by campaign. */
  takeUse(): ReadonlyMap<string, WarmUse> {
    const use = this.#use;
    this.#use = new Map();
    return use;
  }

  #count(campaignId: string, what: keyof WarmUse): void {
    const use = this.#use.get(campaignId) ?? { hits: 0, misses: 0 };
    use[what] += 1;
    this.#use.set(campaignId, use);
  }
}

function nameOf(uid: string, version: number): string {
  return `${uid}@${version}`;
}
