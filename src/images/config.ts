/** The settings of images from links: what an operator can choose better than a constant. */
import { Type } from 'typebox';
import { imageLoaderDefaults } from './loader-options.ts';

const mebibyte = 1024 * 1024;
const megapixel = 1_000_000;

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
  sourcePixelsMax: Type.Integer({
    env: 'PLATEN_IMAGES_SOURCE_MP',
    minimum: 1,
    maximum: 250,
    factor: megapixel,
    default: imageLoaderDefaults.sourcePixelsMax / megapixel,
    expected: 'megapixels from 1 to 250',
    description: 'Pixels of one image. 50 MP are 200 MB when decoded.',
  }),
  svgProcessesMax: Type.Integer({
    env: 'PLATEN_IMAGES_SVG_PROCESSES_MAX',
    minimum: 1,
    maximum: 64,
    default: imageLoaderDefaults.svgProcessesMax,
    expected: 'a whole number from 1 to 64',
    description:
      'Processes that draw SVG, of 80 MiB each and 608 MiB at most; they end after a minute without work. Of two, long drawings have one, so that a slow drawing stops no other.',
  }),
  svgTimeoutMs: Type.Integer({
    env: 'PLATEN_IMAGES_SVG_TIMEOUT_MS',
    minimum: 100,
    maximum: 10_000,
    default: imageLoaderDefaults.svgTimeoutMs,
    expected: 'milliseconds from 100 to 10000',
    description:
      'CPU time of drawing one SVG; all SVG layers of one image together have at most 0.8 s of it. Logos take 100. With the fetch (5 s) it fits a render’s deadline.',
  }),
  cacheBytesMax: Type.Optional(
    Type.Integer({
      env: 'PLATEN_IMAGES_CACHE_MIB',
      minimum: 1,
      maximum: 65_536,
      factor: mebibyte,
      expected: 'mebibytes from 1 to 65536',
      description:
        'Memory for fetched files. Default: a 32nd of what processes leave, 16 to 1024 MiB.',
    }),
  ),
});
