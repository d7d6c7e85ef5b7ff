/** The image loader's limits: one plain type, and its defaults with unit and reason. */
import { steadyNowMs } from '../foundation/clocks.ts';

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
  ownUrl: string | undefined;
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

/** The defaults. Where no reason stands here, it stands beside the setting's variable in src/images/config.ts. */
export const imageLoaderDefaults: Readonly<ImageLoaderSettings> = {
  allowedAddresses: [],
  allowedPorts: [80, 443],
  ownUrl: undefined,
  dnsServers: [],

  connectTimeoutMs: 2 * second,
  firstByteTimeoutMs: 3 * second,
  totalTimeoutMs: 5 * second,
  redirectsMax: 3,

  fetchesMax: 64,
  fetchesPerHostMax: 8,
  fetchesWaitingMax: 256,
  queueWaitMs: 2 * second,
  bytesInFlightMax: 256 * mebibyte,

  sourceBytesMax: 10 * mebibyte,
  sourcePixelsMax: 50_000_000,
  sourceSidePxMax: 16_384,
  // 17 megapixels of AVIF, which takes the most: 12 of 10 bits. With canvas and images a render stays below 512 MiB.
  decodeBytesMax: 340_000_000,
  svgBytesMax: 4 * mebibyte,
  svgProcessesMax: 2,
  // As many as two processes draw within `queueWaitMs` at 0.1 s each.
  svgWaitingMax: 40,
  svgTimeoutMs: 2 * second,
  svgFontConfigFile: undefined,
  // Links end at 16 KiB, so that only template documents hold longer ones.
  dataUrlCharactersMax: 64 * 1024,
  // Signed storage URLs have 1–2 thousand characters.
  urlCharactersMax: 8192,

  cacheBytesMax: 256 * mebibyte,
  // At 25 KiB a picture the bytes bind first.
  cacheEntriesMax: 10_000,
  freshMsMin: minute,
  freshMsMax: 24 * hour,
  freshMsDefault: 10 * minute,
  staleWhileRevalidateMs: minute,
  staleIfErrorMs: hour,
  refusalMs: 30 * second,
  failureMs: 5 * second,

  circuitFailures: 10,
  circuitOpenMs: 10 * second,

  now: steadyNowMs,
};

/** Fills the defaults in. */
export function resolveImageLoaderOptions(options: ImageLoaderOptions): ImageLoaderSettings {
  return { ...imageLoaderDefaults, ...options };
}
