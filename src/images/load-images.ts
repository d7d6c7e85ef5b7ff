/** Loads the images that templates and links name: by URL, share link, asset id or data URL. */
import type { SourceImage } from '#wire/render-job.ts';
import type { SvgDrawing } from '#wire/render-job.ts';
import { inShortTurn } from '../foundation/deadline.ts';
import { admitImage } from './admit-image.ts';
import type { ImageRequester } from './turns.ts';
import { ImageError } from './image-error.ts';
import type { ImageStats } from './remote-images.ts';
import { resolveImageLoaderOptions } from './config.ts';
import type { ImageLoaderOptions } from './config.ts';
import { RemoteImages } from './remote-images.ts';
import { SvgLayers } from './svg/layers.ts';
import type { DrawnLayers } from './svg/layers.ts';
import { SvgPool } from './svg/pool.ts';

export { ImageError } from './image-error.ts';
export type { ImageErrorReason } from './image-error.ts';
export { imageLoaderDefaults } from './config.ts';
export type { ImageLoaderOptions } from './config.ts';

/** An image and its lifetime. */
export interface LoadedImage {
  image: SourceImage;
  /** End of the lifetime, ms since the epoch: a day ahead for an asset, Infinity for data URLs. */
  freshUntilMs: number;
}

/** Lifetime of an asset, in ms. Its bytes never change, but a render cached for longer would not record its use. */
const assetFreshMs = 24 * 60 * 60 * 1000;

export interface ImageLoader {
  /**
   * Loads one source; a fetch counts in the requester's share of all fetches. Sources are:
   * - `http://…`, `https://…`, and public share links of Google Drive, Dropbox, OneDrive, SharePoint,
   *   Box and GitHub, from public addresses only;
   * - `asset:<sha256>`, an image that the requester's organization has stored;
   * - `data:…` of at most 64 KiB.
   *
   * Returns an image of a supported format within the limits; an SVG file becomes its drawing. The bytes are shared and
   * read-only. `signal` rejects this caller with the signal's reason, and the fetch continues. Rejects with an
   * `ImageError`, whose message continues a sentence that starts with the variable's name.
   */
  loadImage(source: string, requester: ImageRequester, signal: AbortSignal): Promise<LoadedImage>;
  /**
   * Checks an uploaded file in the same way as a fetched file. An SVG file becomes its drawing, whose digest differs
   * from the file's. If `signal` aborts, an SVG that waits is not drawn. `bytes` are copied. Rejects with an
   * `ImageError`.
   */
  admitFile(
    bytes: Uint8Array,
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<SourceImage>;
  /**
   * Draws the SVG layers of one image, with the processes and the fairness rules of SVG files. `signal` rejects this
   * caller with the signal's reason. Rejects with an `ImageError`: `overloaded`, or `network` when the service stops.
   */
  drawLayers(
    drawings: readonly SvgDrawing[],
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<DrawnLayers>;
  /** Figures of fetches and of the cache of fetched files. */
  readonly stats: ImageStats;
  /** Aborts all fetches and closes all connections; pending calls reject. */
  close(): Promise<void>;
}

/** Finds an asset of an organization. Returns a promise if the file comes from the shared database. */
export type FindAsset = (
  organizationUid: string,
  id: string,
) => SourceImage | undefined | Promise<SourceImage | undefined>;

const assetPattern = /^asset:[0-9a-f]{64}$/;

/**
 * Creates a loader with its own caches, connections and limits. Omitted options have the values of
 * `imageLoaderDefaults`. Throws an Error that names an invalid `allowedAddresses` or `dnsServers` entry.
 */
export function createImageLoader(
  options: ImageLoaderOptions & {
    /** Finds an asset by its full id (`asset:<sha256>`); undefined if the organization does not have it. */
    findAsset: FindAsset;
    /** The only hosts that an organization allows (`example.com`, `*.example.com`); undefined: any. */
    findImageHosts?: (organizationUid: string) => readonly string[] | undefined;
  },
): ImageLoader {
  const { findAsset, findImageHosts, ...rest } = options;
  const settings = resolveImageLoaderOptions(rest);
  const rasteriser = new SvgPool(settings);
  const remote = new RemoteImages(settings, rasteriser);
  const layers = new SvgLayers(rasteriser, settings.svgTimeoutMs);

  return {
    stats: remote.stats,
    async loadImage(source, requester, signal) {
      const { organizationUid } = requester;
      signal.throwIfAborted();
      if (source.startsWith('asset:')) {
        // Finding an asset may read and check a file, for up to 200 in a render: a link blocked the thread for 0.3 s.
        const image = await inShortTurn(() => {
          signal.throwIfAborted();
          return assetPattern.test(source) ? findAsset(organizationUid, source) : undefined;
        });
        if (image === undefined)
          throw new ImageError('url', 'names an asset that this organization does not have');
        return { image, freshUntilMs: settings.now() + assetFreshMs };
      }
      if (/^data:/i.test(source)) {
        const bytes = parseDataUrl(source, settings.dataUrlCharactersMax);
        const isWanted = (): boolean => !signal.aborted;
        const image = await admitImage(bytes, settings, rasteriser, requester, isWanted);
        return { image, freshUntilMs: Infinity };
      }
      const { image, freshness } = await remote.load(
        source,
        requester,
        findImageHosts?.(organizationUid),
        signal,
      );
      // A stale copy stays valid for the time of its refresh.
      const momentMs = settings.now() + settings.failureMs;
      return { image, freshUntilMs: Math.max(freshness.freshUntilMs, momentMs) };
    },
    admitFile(bytes, requester, signal) {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
      shared.set(bytes);
      return admitImage(shared, settings, rasteriser, requester, () => !signal.aborted);
    },
    drawLayers: (drawings, requester, signal) => layers.draw(drawings, requester, signal),
    async close() {
      rasteriser.close();
      await remote.close();
    },
  };
}

// Reads `data:` URLs (RFC 2397).

/**
 * The bytes of a `data:` URL of at most `charactersMax` characters, in shared memory that the caller
 * owns. The media type is ignored: the bytes decide the format. Throws an `ImageError`: `too_large`, or `url` without
 * a comma.
 */
function parseDataUrl(text: string, charactersMax: number): Uint8Array<SharedArrayBuffer> {
  if (text.length > charactersMax) {
    const limit = Math.floor(charactersMax / 1024);
    throw new ImageError('too_large', `is a data URL of more than ${limit} KiB, the limit`);
  }
  const comma = text.indexOf(',');
  if (comma === -1) throw new ImageError('url', 'is a data URL without a comma before its data');
  const data = Buffer.from(unescapeBytes(text.slice(comma + 1)), 'latin1');
  const decoded = /;\s*base64\s*$/i.test(text.slice(0, comma)) ? fromBase64(data) : data;
  const shared = new Uint8Array(new SharedArrayBuffer(decoded.byteLength));
  shared.set(decoded);
  return shared;
}

/** Decodes percent-escapes to one Latin-1 character for each byte; a `%` that starts no escape remains. */
function unescapeBytes(data: string): string {
  return data.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Decodes Base64 and base64url; skips all other characters. */
function fromBase64(data: Buffer): Buffer {
  // In a query string, `+` means a space, so unescaped Base64 arrives with spaces.
  return Buffer.from(data.toString('latin1').replaceAll(' ', '+'), 'base64');
}
