/** Loads the images that templates and links name: by URL, share link, asset id or data URL. */
import type { SourceImage, SvgDrawing } from '#wire/render-job.ts';
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

/** An image and the time for which it is the right answer. */
export interface LoadedImage {
  image: SourceImage;
  /** When the bytes should be asked for again, ms since the epoch: of an asset a day on, Infinity for data URLs. */
  freshUntilMs: number;
}

/** The bytes never change, but an image that is kept for longer would hide that its asset is in use (ms). */
const assetFreshMs = 24 * 60 * 60 * 1000;

/** Loads images for one service. */
export interface ImageLoader {
  /**
   * Resolves one source for its requester, in whose share of all fetches it is counted:
   * - `http://…`, `https://…`, and public share links of Google Drive, Dropbox, OneDrive, SharePoint,
   *   Box and GitHub, from public addresses only;
   * - `asset:<sha256>`, an image that the organization of the request has stored;
   * - `data:…` of at most 64 KiB.
   *
   * The bytes are an image of a supported format within the limits, an SVG a drawing of it. They are
   * shared: nobody may write to them. `signal` ends this caller's waiting with its own reason, never the fetch.
   * Rejects with an `ImageError`, whose message continues a sentence with the variable's name.
   */
  loadImage(source: string, requester: ImageRequester, signal: AbortSignal): Promise<LoadedImage>;
  /**
   * Judges an uploaded file as a fetched one is judged: an image of a supported format within the limits, an SVG
   * as a drawing of it (its digest is not that of the file). `signal` ends the wait for the SVG's drawing. The bytes are
   * not kept. Rejects with an `ImageError`.
   */
  admitFile(
    bytes: Uint8Array,
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<SourceImage>;
  /**
   * Draws SVG layers for one image of the template of the request: limits, processes and fairness are those of SVG files. `signal`
   * ends this caller's waiting with its reason. Rejects with an `ImageError` `overloaded`, or `network` when the service ends.
   */
  drawLayers(
    drawings: readonly SvgDrawing[],
    requester: ImageRequester,
    signal: AbortSignal,
  ): Promise<DrawnLayers>;
  /** Figures of fetches and of the cache of fetched files. */
  readonly stats: ImageStats;
  /** Ends all fetches and closes all connections; what is being waited for rejects. */
  close(): Promise<void>;
}

/** A promise where the file comes from a shared database. */
export type FindAsset = (
  organizationUid: string,
  id: string,
) => SourceImage | undefined | Promise<SourceImage | undefined>;

const assetPattern = /^asset:[0-9a-f]{64}$/;

/**
 * Creates a loader with its own caches, connections and limits; options left out are
 * `imageLoaderDefaults`. Throws an Error that names a wrong `allowedAddresses` or `dnsServers` entry.
 */
export function createImageLoader(
  options: ImageLoaderOptions & {
    /** Finds an asset by its full id (`asset:<sha256>`); undefined when the organization has none such. */
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
        // One may have to be read from the disk and checked, and a render has up to 200: a link held the thread for 0.3 s.
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
      // A stale copy is good for the moment that its refresh takes.
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
 * owns. The media type is not looked at: bytes say what they are. Throws an `ImageError`:
 * `too_large`, or `url` when there is no comma.
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

/** Each byte as one Latin-1 sign; a `%` that starts no escape stays as it is. */
function unescapeBytes(data: string): string {
  return data.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Takes Base64 and base64url; signs that are neither are passed over, and the bytes speak for themselves. */
function fromBase64(data: Buffer): Buffer {
  // In a query string `+` means a space, so Base64 that nobody escaped arrives with spaces.
  return Buffer.from(data.toString('latin1').replaceAll(' ', '+'), 'base64');
}
