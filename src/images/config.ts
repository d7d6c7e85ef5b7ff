/** The limits of the image loader, with units and reasons, and the settings that change some of them. */
import { steadyNowMs } from '../foundation/deadline.ts';
import { Type } from 'typebox';

const mebibyte = 1024 * 1024;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every setting of the image loader; units are in the names. */
export interface ImageLoaderSettings {
  /** CIDR blocks or single addresses that are not public and may be fetched from. */
  allowedAddresses: readonly string[];
  /** The only ports that may be connected to. */
  allowedPorts: readonly number[];
  /** Public URL of this service. Images below it are never fetched. Undefined: unknown. */
  serviceUrl: string | undefined;
  /** Name servers as `address` or `address:port`; empty: the system's. */
  dnsServers: readonly string[];

  /** Time for look-up, TCP and TLS together, for each connection. */
  connectTimeoutMs: number;
  /** Time from the request (with look-up and connection) to the head of the answer, for each hop. */
  firstByteTimeoutMs: number;
  /** Time for the whole fetch of a source: all hops, all candidates of a share link. */
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
  /** SVGs that may wait for a process. */
  svgWaitingMax: number;
  /** CPU time that one SVG may take to draw. */
  svgTimeoutMs: number;
  /** Font configuration of the templates, which the one for SVG includes; undefined: the system's fonts. */
  svgFontConfigFile: string | undefined;
  /** Characters of a `data:` URL. */
  dataUrlCharactersMax: number;
  /** Characters of any other source. */
  urlCharactersMax: number;

  /** Bytes of all cached images. */
  cacheBytesMax: number;
  /** Cached images, and remembered failures. */
  cacheEntriesMax: number;
  /** Least time that fetched bytes count as fresh, regardless of the origin's headers. */
  freshMsMin: number;
  /** Most time that fetched bytes count as fresh. */
  freshMsMax: number;
  /** Time that fetched bytes count as fresh when the origin states no lifetime. */
  freshMsDefault: number;
  /** Time after freshness in which a copy is served at once and refreshed (RFC 5861 section 3). */
  staleWhileRevalidateMs: number;
  /** Time after freshness in which a copy is served if the origin fails or answers 5xx (RFC 5861 section 4). */
  staleIfErrorMs: number;
  /** How long a settled refusal (404, no image, too large) is remembered. */
  refusalMs: number;
  /** How long a passing failure (time-out, 5xx, connection) is remembered. */
  failureMs: number;

  /** Consecutive failures of one host that open its circuit. */
  circuitFailures: number;
  /** How long an open circuit blocks requests to its host. */
  circuitOpenMs: number;

  /** Monotonic clock, in milliseconds since the epoch; tests replace it. */
  now: () => number;
}

/** Any of the settings; the rest are the defaults. */
export type ImageLoaderOptions = Partial<ImageLoaderSettings>;

/** The defaults; some are settings (src/images/config.ts). */
export const imageLoaderDefaults: Readonly<ImageLoaderSettings> = {
  allowedAddresses: [],
  allowedPorts: [80, 443],
  serviceUrl: undefined,
  dnsServers: [],

  // TCP sends a lost packet again after 1 s: this allows one loss, not two.
  connectTimeoutMs: 2 * second,
  // An origin that resizes on demand answers in 1 to 2 s.
  firstByteTimeoutMs: firstByteTimeoutOf(5 * second),
  totalTimeoutMs: 5 * second,
  // Share links need two (service, content host, signed address), and one may add TLS.
  redirectsMax: 3,

  // One organization has at most three quarters of these fetches, one template half.
  // If every fetch stalls for 5 s, 12.8 fetches a second still pass.
  fetchesMax: 64,
  fetchesPerHostMax: 8,
  // Four times the running fetches: more could not be served in time.
  fetchesWaitingMax: 256,
  // This wait and the fetch (5 s) together fit a render's deadline.
  queueWaitMs: 2 * second,
  // 64 bodies of 10 MiB would take 640 MiB; images for email are below 1 MiB.
  bytesInFlightMax: 256 * mebibyte,

  sourceBytesMax: 10 * mebibyte,
  // 200 MB when decoded; photographs have 12 to 48 MP.
  sourcePixelsMax: 50_000_000,
  // A WebP has at most 16,383 px a side.
  sourceSidePxMax: 16_384,
  // AVIF takes the most memory: 17 MP of 8 bits, or 12 MP of 10 bits.
  // A render with canvas and images stays below 512 MiB.
  decodeBytesMax: 340_000_000,
  // Logos have kilobytes; drawings that contain images have a few megabytes.
  svgBytesMax: 4 * mebibyte,
  svgProcessesMax: 2,
  // Two processes draw this many within `queueWaitMs`, at 0.1 s each.
  svgWaitingMax: 40,
  // CPU time. Logos take 0.1 s. This time and the fetch (5 s) together fit a render's deadline.
  svgTimeoutMs: 2 * second,
  svgFontConfigFile: undefined,
  // A link has at most 16 KiB, so only template documents hold longer data URLs.
  dataUrlCharactersMax: 64 * 1024,
  // Signed storage URLs have 1–2 thousand characters.
  urlCharactersMax: 8192,

  cacheBytesMax: 256 * mebibyte,
  // At 25 KiB an image, `cacheBytesMax` is reached first.
  cacheEntriesMax: 10_000,
  // The readers of one email open it within minutes.
  freshMsMin: minute,
  // A replaced image appears within a day.
  freshMsMax: 24 * hour,
  freshMsDefault: 10 * minute,
  staleWhileRevalidateMs: minute,
  staleIfErrorMs: hour,
  // A user who has just corrected a link should not wait long.
  refusalMs: 30 * second,
  failureMs: 5 * second,

  // High enough that a few broken URLs do not block a healthy host.
  circuitFailures: 10,
  circuitOpenMs: 10 * second,

  now: steadyNowMs,
};

/** Time-out for the head of an answer: three fifths of the whole fetch, so that time remains for the body. */
export function firstByteTimeoutOf(totalTimeoutMs: number): number {
  return 0.6 * totalTimeoutMs;
}

export function resolveImageLoaderOptions(options: ImageLoaderOptions): ImageLoaderSettings {
  return { ...imageLoaderDefaults, ...options };
}

// Settings that an operator can set.

/**
 * The section `images` of the configuration, with the names and units of `ImageLoaderSettings`. Every other limit is a
 * constant in `imageLoaderDefaults`, with its reason.
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
