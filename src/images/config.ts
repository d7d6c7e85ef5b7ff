/** The settings of images from links: what an operator may change, within which bounds, and why the default is what it is. */
import type { TInteger, TOptional } from 'typebox';
import { Type } from 'typebox';
import { imageLoaderDefaults } from './loader-options.ts';
import type { ImageLoaderSettings } from './loader-options.ts';

const mebibyte = 1024 * 1024;
const second = 1000;

/** Names of the loader's settings that are whole numbers. */
type AmountName = {
  [Name in keyof ImageLoaderSettings]: ImageLoaderSettings[Name] extends number ? Name : never;
}[keyof ImageLoaderSettings];

interface Amount {
  /** Environment variable, with the unit at its end. */
  env: string;
  minimum: number;
  maximum: number;
  /** What the number counts, for people. */
  unit: string;
  /** One of the unit in that of the loader's setting: bytes, pixels, milliseconds. Default: 1. */
  factor?: number;
  description: string;
}

/** A whole number; the program gets it multiplied by `factor`. */
function amount(defaultValue: number, { unit, factor = 1, ...keywords }: Amount): TInteger {
  const expected = `${unit} from ${keywords.minimum} to ${keywords.maximum}`;
  return Type.Integer({ ...keywords, factor, default: defaultValue / factor, expected });
}

/** The same without a default of its own: that depends on the machine. */
function optionalAmount({ unit, factor = 1, ...keywords }: Amount): TOptional<TInteger> {
  const expected = `${unit} from ${keywords.minimum} to ${keywords.maximum}`;
  return Type.Optional(Type.Integer({ ...keywords, factor, expected }));
}

/** A number of the loader; its default is the loader's own. */
function loaderAmount(name: AmountName, keywords: Amount): TInteger {
  return amount(imageLoaderDefaults[name], keywords);
}

const milliseconds = { unit: 'milliseconds' } as const;
const seconds = { unit: 'seconds', factor: second } as const;
const mebibytes = { unit: 'mebibytes', factor: mebibyte } as const;
const count = { unit: 'a whole number' } as const;

/** Which origins are asked, and for how long. */
const originSettings = {
  allowedAddresses: Type.Array(Type.String(), {
    env: 'PLATEN_IMAGES_ALLOWED_ADDRESSES',
    maxItems: 100,
    default: [],
    expected: 'comma-separated CIDR ranges such as 10.1.0.0/16',
    description: 'Ranges that images may be fetched from although they are not public.',
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
  connectTimeoutMs: loaderAmount('connectTimeoutMs', {
    ...milliseconds,
    env: 'PLATEN_IMAGES_CONNECT_TIMEOUT_MS',
    minimum: 50,
    maximum: 60_000,
    description:
      'Name look-up, TCP and TLS together, for each connection. A lost packet is sent again after 1 s: one loss is survived, two are not.',
  }),
  firstByteTimeoutMs: loaderAmount('firstByteTimeoutMs', {
    ...milliseconds,
    env: 'PLATEN_IMAGES_FIRST_BYTE_TIMEOUT_MS',
    minimum: 50,
    maximum: 60_000,
    description:
      'From the request, its connection included, to the head of the answer, for each redirect anew. An origin that resizes on demand answers in 1–2 s.',
  }),
  totalTimeoutMs: loaderAmount('totalTimeoutMs', {
    ...milliseconds,
    env: 'PLATEN_IMAGES_TOTAL_TIMEOUT_MS',
    minimum: 50,
    maximum: 60_000,
    description:
      'One image with all its redirects, to the last byte. Half of a render’s deadline, so that drawing still fits.',
  }),
  redirectsMax: loaderAmount('redirectsMax', {
    ...count,
    env: 'PLATEN_IMAGES_REDIRECTS_MAX',
    minimum: 0,
    maximum: 10,
    description:
      'Redirects followed. Share links need two (service, content host, signed address), and one may add TLS.',
  }),
};

/** How much is fetched at a time. */
const loadSettings = {
  fetchesMax: loaderAmount('fetchesMax', {
    ...count,
    env: 'PLATEN_IMAGES_FETCHES_MAX',
    minimum: 1,
    maximum: 1024,
    description:
      'Fetches at a time, of which one organization has at most three quarters, and one template half. Stalled for 5 s each, 64 still leave room for 12.8 others a second.',
  }),
  fetchesPerHostMax: loaderAmount('fetchesPerHostMax', {
    ...count,
    env: 'PLATEN_IMAGES_FETCHES_PER_HOST_MAX',
    minimum: 1,
    maximum: 1024,
    description: 'Fetches at a time from one host, so that a slow one holds an eighth of them.',
  }),
  fetchesWaitingMax: loaderAmount('fetchesWaitingMax', {
    ...count,
    env: 'PLATEN_IMAGES_FETCHES_WAITING_MAX',
    minimum: 0,
    maximum: 10_000,
    description:
      'Fetches that wait for their turn, shared like those that run; the next one is refused with 503. Four rounds of all that run: more could not be served in time.',
  }),
  queueWaitMs: loaderAmount('queueWaitMs', {
    ...milliseconds,
    env: 'PLATEN_IMAGES_FETCH_WAIT_MS',
    minimum: 10,
    maximum: 60_000,
    description: 'How long one waits. With the fetch (5 s) it must fit a render’s deadline.',
  }),
  bytesInFlightMax: loaderAmount('bytesInFlightMax', {
    ...mebibytes,
    env: 'PLATEN_IMAGES_FETCHES_MIB',
    minimum: 1,
    maximum: 65_536,
    description:
      'Memory of all bodies that are being received. 64 of 10 MiB would be 640; pictures for mail are below 1 MiB.',
  }),
  circuitFailures: loaderAmount('circuitFailures', {
    ...count,
    env: 'PLATEN_IMAGES_HOST_FAILURES_MAX',
    minimum: 1,
    maximum: 10_000,
    description:
      'Time-outs, broken connections and 5xx of one host in a row, after which it is left alone. Enough that a handful of broken addresses does not shut a healthy host off.',
  }),
  circuitOpenMs: loaderAmount('circuitOpenMs', {
    ...seconds,
    env: 'PLATEN_IMAGES_HOST_PAUSE_S',
    minimum: 1,
    maximum: 3600,
    description: 'How long a failing host is left alone; then one attempt is made.',
  }),
};

/** What a picture may be. */
const sizeSettings = {
  sourceBytesMax: loaderAmount('sourceBytesMax', {
    ...mebibytes,
    env: 'PLATEN_IMAGES_SOURCE_MIB',
    minimum: 1,
    maximum: 256,
    description: 'Size of one file, unpacked. A JPEG of a 24 MP camera has 6–9 MiB.',
  }),
  sourcePixelsMax: loaderAmount('sourcePixelsMax', {
    unit: 'megapixels',
    factor: 1_000_000,
    env: 'PLATEN_IMAGES_SOURCE_MP',
    minimum: 1,
    maximum: 250,
    description: 'Pixels of one picture. 50 MP are 200 MB when decoded.',
  }),
  sourceSidePxMax: loaderAmount('sourceSidePxMax', {
    unit: 'pixels',
    env: 'PLATEN_IMAGES_SOURCE_SIDE_PX',
    minimum: 16,
    maximum: 32_767,
    description: 'Either side of a picture. WebP ends at 16,383.',
  }),
  decodeBytesMax: optionalAmount({
    unit: 'megabytes (of 1,000,000 bytes)',
    factor: 1_000_000,
    env: 'PLATEN_IMAGES_DECODE_MB',
    minimum: 1,
    maximum: 4000,
    description:
      'Estimated memory of decoding one image. Bytes a pixel: AVIF 20, of 10 or 12 bits 27; BMP and ICO 20; PNG 2, of 16 bits 4, interlaced 5 and 10; JPEG 1, progressive 6; WebP 4.5; GIF 6; TIFF 2.5 for each byte of its samples. Default: 340, in which an AVIF of 17 megapixels fits (12 of 10 bits), or a quarter of the memory if that is less.',
  }),
  decodesBytesMax: optionalAmount({
    ...mebibytes,
    env: 'PLATEN_IMAGES_DECODES_MIB',
    minimum: 1,
    maximum: 65_536,
    description:
      'The same of all render processes together; a render waits until there is memory for its largest image. Default: 1024, three of the most expensive images, or a quarter of the memory if that is less.',
  }),
  svgBytesMax: loaderAmount('svgBytesMax', {
    ...mebibytes,
    env: 'PLATEN_IMAGES_SVG_MIB',
    minimum: 1,
    maximum: 16,
    description:
      'Size of an SVG. Logos have kilobytes, drawings with pictures inside of them a few megabytes.',
  }),
  svgProcessesMax: loaderAmount('svgProcessesMax', {
    ...count,
    env: 'PLATEN_IMAGES_SVG_PROCESSES_MAX',
    minimum: 1,
    maximum: 64,
    description:
      'Processes that draw SVG, of 80 MiB each and 608 MiB at most; they end after a minute without work. Of two, long drawings have one, so that a drawing made to be slow stops no other.',
  }),
  svgTimeoutMs: loaderAmount('svgTimeoutMs', {
    ...milliseconds,
    env: 'PLATEN_IMAGES_SVG_TIMEOUT_MS',
    minimum: 100,
    maximum: 10_000,
    description:
      'CPU time of drawing one SVG; all SVG layers of one image together have at most 0.8 s of it. Logos take 100; beside it the fetch (5 s) still fits a render’s deadline.',
  }),
};

/** What is remembered. */
const memorySettings = {
  cacheBytesMax: optionalAmount({
    ...mebibytes,
    env: 'PLATEN_IMAGES_CACHE_MIB',
    minimum: 1,
    maximum: 65_536,
    description:
      'Memory for fetched files. Default: a 32nd of what processes leave, 16 to 1024 MiB.',
  }),
  freshMsMin: loaderAmount('freshMsMin', {
    ...seconds,
    env: 'PLATEN_IMAGES_FRESH_MIN_S',
    minimum: 0,
    maximum: 604_800,
    description:
      'Least time that a file is used without asking its origin again, whatever that says. A mail to many readers opens within minutes.',
  }),
  freshMsMax: loaderAmount('freshMsMax', {
    ...seconds,
    env: 'PLATEN_IMAGES_FRESH_MAX_S',
    minimum: 0,
    maximum: 604_800,
    description: 'The most. A picture that was replaced is drawn within a day.',
  }),
  freshMsDefault: loaderAmount('freshMsDefault', {
    ...seconds,
    env: 'PLATEN_IMAGES_FRESH_DEFAULT_S',
    minimum: 0,
    maximum: 604_800,
    description: 'The time when the origin says nothing.',
  }),
  staleWhileRevalidateMs: loaderAmount('staleWhileRevalidateMs', {
    ...seconds,
    env: 'PLATEN_IMAGES_STALE_S',
    minimum: 0,
    maximum: 604_800,
    description: 'After that: still drawn at once, while the origin is asked (RFC 5861).',
  }),
  staleIfErrorMs: loaderAmount('staleIfErrorMs', {
    ...seconds,
    env: 'PLATEN_IMAGES_STALE_IF_ERROR_S',
    minimum: 0,
    maximum: 604_800,
    description: 'And still drawn when the origin cannot be reached or answers 5xx (RFC 5861).',
  }),
  refusalMs: loaderAmount('refusalMs', {
    ...seconds,
    env: 'PLATEN_IMAGES_REFUSAL_S',
    minimum: 0,
    maximum: 3600,
    description:
      'How long 404, “no image” and “too large” are remembered. Someone who has just mended the link should not wait long.',
  }),
  failureMs: loaderAmount('failureMs', {
    ...seconds,
    env: 'PLATEN_IMAGES_FAILURE_S',
    minimum: 0,
    maximum: 3600,
    description: 'How long a time-out, a broken connection or a 5xx is remembered.',
  }),
};

/** The section `images` of the configuration, by the loader's names and in its units. */
export const imagesSchema = Type.Object({
  ...originSettings,
  ...loadSettings,
  ...sizeSettings,
  ...memorySettings,
});
