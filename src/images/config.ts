/** The limits of the image loader, with units and reasons, and the settings that change some of them. */
import { steadyNowMs } from '../foundation/deadline.ts';
import { Type } from 'typebox';

const mebibyte = 1024 * 1024;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every setting of the image loader; units are in the names. */
export interface ImageLoaderSettings {
  /** CIDR blocks or single addresses that may be fetched from although they are not public. */
  allowedAddresses: readonly string[];
  /** Ports that may be connected to, and no others. */
  allowedPorts: readonly number[];
  /** The address of the service itself, which no image may be fetched from; undefined: unknown. */
  serviceUrl: string | undefined;
  /** Name servers as `address` or `address:port`; empty: the system's. */
  dnsServers: readonly string[];

  /** Look-up, TCP and TLS together, for each connection. */
  connectTimeoutMs: number;
  /** From the request (look-up and connection included) to the head of the answer, for each hop. */
  firstByteTimeoutMs: number;
  /** The whole fetch of a source: all hops, all candidates of a share link. */
  totalTimeoutMs: number;
  /** Redirects followed for one candidate. */
  redirectsMax: number;

  /** Fetches that run at a time. */
  fetchesMax: number;
  /** Fetches that run at a time for one host. */
  fetchesPerHostMax: number;
  /** Fetches that may wait for their turn. */
  fetchesWaitingMax: number;
  /** How long a fetch waits for its turn. */
  queueWaitMs: number;
  /** Bytes that all running fetches may hold together. */
  bytesInFlightMax: number;

  /** Bytes of one source. */
  sourceBytesMax: number;
  /** Pixels of one source. */
  sourcePixelsMax: number;
  /** Pixels of either side of a source. */
  sourceSidePxMax: number;
  /** Estimated bytes of decoding a source. */
  decodeBytesMax: number;
  /** Bytes of an SVG, whose text is parsed whole. */
  svgBytesMax: number;
  /** Processes that draw SVG at a time. */
  svgProcessesMax: number;
  /** SVGs that may wait for one. */
  svgWaitingMax: number;
  /** How long one SVG may take to draw. */
  svgTimeoutMs: number;
  /** Font configuration of the templates, on which that for SVG is built; undefined: the system's fonts. */
  svgFontConfigFile: string | undefined;
  /** Characters of a `data:` URL. */
  dataUrlCharactersMax: number;
  /** Characters of any other source. */
  urlCharactersMax: number;

  /** Bytes of all cached images. */
  cacheBytesMax: number;
  /** Cached images, and remembered failures. */
  cacheEntriesMax: number;
  /** Least time that fetched bytes count as fresh, whatever the origin says. */
  freshMsMin: number;
  /** Most time that fetched bytes count as fresh. */
  freshMsMax: number;
  /** The time when the origin says nothing. */
  freshMsDefault: number;
  /** After that: served at once while being asked for again (RFC 5861 section 3). */
  staleWhileRevalidateMs: number;
  /** After that: served when the origin cannot be reached or answers 5xx (RFC 5861 section 4). */
  staleIfErrorMs: number;
  /** How long a settled refusal (404, no image, too large) is remembered. */
  refusalMs: number;
  /** How long a passing failure (time-out, 5xx, connection) is remembered. */
  failureMs: number;

  /** Failures of one host in a row before it is no longer asked. */
  circuitFailures: number;
  /** How long it is then left alone. */
  circuitOpenMs: number;

  /** Milliseconds since the epoch, on a clock that nobody sets; tests turn it by hand. */
  now: () => number;
}

/** What a caller gives: any of the settings; the rest are the defaults. */
export type ImageLoaderOptions = Partial<ImageLoaderSettings>;

/** The defaults; some are settings (src/images/config.ts). */
export const imageLoaderDefaults: Readonly<ImageLoaderSettings> = {
  allowedAddresses: [],
  allowedPorts: [80, 443],
  serviceUrl: undefined,
  dnsServers: [],

  // A lost packet is sent again after 1 s: one loss is survived, two are not.
  connectTimeoutMs: 2 * second,
  // An origin that resizes on demand answers in 1 to 2 s.
  firstByteTimeoutMs: firstByteTimeoutOf(5 * second),
  totalTimeoutMs: 5 * second,
  // Share links need two (service, content host, signed address), and one may add TLS.
  redirectsMax: 3,

  // One organization has at most three quarters of them, one template half. Stalled for 5 s each, 12.8 others a second fit.
  fetchesMax: 64,
  fetchesPerHostMax: 8,
  // Four rounds of all that run: more could not be served in time.
  fetchesWaitingMax: 256,
  // With the fetch (5 s) it fits a render's deadline.
  queueWaitMs: 2 * second,
  // 64 bodies of 10 MiB would be 640; images for email are below 1 MiB.
  bytesInFlightMax: 256 * mebibyte,

  sourceBytesMax: 10 * mebibyte,
  // 200 MB when decoded; photographs have 12 to 48.
  sourcePixelsMax: 50_000_000,
  // WebP ends at 16,383.
  sourceSidePxMax: 16_384,
  // 17 megapixels of AVIF, which takes the most: 12 of 10 bits. With canvas and images a render stays below 512 MiB.
  decodeBytesMax: 340_000_000,
  // Logos have kilobytes, drawings with images inside of them a few megabytes.
  svgBytesMax: 4 * mebibyte,
  svgProcessesMax: 2,
  // As many as two processes draw within `queueWaitMs` at 0.1 s each.
  svgWaitingMax: 40,
  // CPU time. Logos take 0.1 s; beside it the fetch (5 s) still fits a render's deadline.
  svgTimeoutMs: 2 * second,
  svgFontConfigFile: undefined,
  // Links end at 16 KiB, so that only template documents hold longer ones.
  dataUrlCharactersMax: 64 * 1024,
  // Signed storage URLs have 1–2 thousand characters.
  urlCharactersMax: 8192,

  cacheBytesMax: 256 * mebibyte,
  // At 25 KiB an image the bytes bind first.
  cacheEntriesMax: 10_000,
  // The readers of one email open it within minutes.
  freshMsMin: minute,
  // An image that was replaced is drawn within a day.
  freshMsMax: 24 * hour,
  freshMsDefault: 10 * minute,
  staleWhileRevalidateMs: minute,
  staleIfErrorMs: hour,
  // Someone who has just repaired the link should not wait long.
  refusalMs: 30 * second,
  failureMs: 5 * second,

  // Enough that a handful of broken addresses does not shut a healthy host off.
  circuitFailures: 10,
  circuitOpenMs: 10 * second,

  now: steadyNowMs,
};

/** The time to the head of an answer that leaves enough of a whole fetch for its body. */
export function firstByteTimeoutOf(totalTimeoutMs: number): number {
  return 0.6 * totalTimeoutMs;
}

/** Fills the defaults in. */
export function resolveImageLoaderOptions(options: ImageLoaderOptions): ImageLoaderSettings {
  return { ...imageLoaderDefaults, ...options };
}

// The settings: what an operator can choose better than a constant.

/**
 * The section `images` of the configuration, by the loader's names and in its units. Every other limit of the loader is
 * a constant with its reason in `imageLoaderDefaults`.
 */
export const imagesSchema = Type.Object({
  allowedAddresses: Type.Array(Type.String(), {
    env: 'PLATEN_IMAGES_ALLOWED_ADDRESSES',
    maxItems: 100,
    default: [],
    expected: 'comma-separated CIDR ranges such as 10.1.0.0/16',
    description: 'Address ranges that images may be fetched from although they are not public.',
  }),
  allowedPorts: Type.Array(Type.Integer({ minimum: 1, maximum: 65535 }), {
    env: 'PLATEN_IMAGES_ALLOWED_PORTS',
    minItems: 1,
    maxItems: 100,
    default: [80, 443],
    expected: 'comma-separated ports from 1 to 65535',
    description: 'Ports that images may be fetched from.',
  }),
  dnsServers: Type.Array(Type.String(), {
    env: 'PLATEN_IMAGES_DNS_SERVERS',
    maxItems: 10,
    default: [],
    expected: 'comma-separated address[:port], IPv6 as [address]:port',
    description: "Name servers for image hosts; empty: the system's.",
  }),
  totalTimeoutMs: Type.Integer({
    env: 'PLATEN_IMAGES_TOTAL_TIMEOUT_MS',
    minimum: 50,
    maximum: 60_000,
    default: imageLoaderDefaults.totalTimeoutMs,
    expected: 'milliseconds from 50 to 60000',
    description:
      'One image with all its redirects, to the last byte. Its answer must begin within three fifths of this time. Half of a render’s deadline, so that the render still fits.',
  }),
  fetchesPerHostMax: Type.Integer({
    env: 'PLATEN_IMAGES_FETCHES_PER_HOST_MAX',
    minimum: 1,
    maximum: 1024,
    default: imageLoaderDefaults.fetchesPerHostMax,
    expected: 'a whole number from 1 to 1024',
    description: `Concurrent fetches from one host, of ${imageLoaderDefaults.fetchesMax} in all: a slow host holds an eighth of them. Raise it if most images come from one host.`,
  }),
  sourceBytesMax: Type.Integer({
    env: 'PLATEN_IMAGES_SOURCE_MIB',
    minimum: 1,
    maximum: 256,
    factor: mebibyte,
    default: imageLoaderDefaults.sourceBytesMax / mebibyte,
    expected: 'mebibytes from 1 to 256',
    description: 'Size of one file, unpacked. A JPEG of a 24 MP camera has 6–9 MiB.',
  }),
});
