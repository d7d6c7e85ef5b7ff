/** Gives the workers their fonts: a private font set, so that every machine draws the same pixels. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** npm packages whose TrueType files the workers see; nothing of the system's is. */
const fontPackages = [
  '@expo-google-fonts/caveat',
  '@expo-google-fonts/fraunces',
  '@expo-google-fonts/inter',
  '@expo-google-fonts/noto-sans',
  '@expo-google-fonts/noto-sans-arabic',
  '@expo-google-fonts/noto-sans-devanagari',
  '@expo-google-fonts/noto-sans-hebrew',
  '@expo-google-fonts/noto-sans-jp',
  '@expo-google-fonts/noto-sans-kr',
  '@expo-google-fonts/noto-sans-sc',
  '@expo-google-fonts/noto-sans-tc',
  '@expo-google-fonts/noto-sans-thai',
  '@expo-google-fonts/playfair-display',
  '@expo-google-fonts/space-grotesk',
  '@expo-google-fonts/space-mono',
  'twemoji-colr-font',
];

/** The files of both styles claim the weight 250, so that 100 and 200 came out as one. */
const lightWeights = { Thin: 'thin', ExtraLight: 'extralight' };

/**
 * Writes the private font configuration below `dataDirectory` and points fontconfig at it. Must run
 * before the first worker loads skia-canvas, which reads the variable once. Eight workers that each
 * registered the fonts themselves took 960 MB; through fontconfig they share the files (196 MB).
 * Returns the configuration's path, for processes that do not inherit the environment.
 */
export function prepareFontEnvironment(dataDirectory: string): string {
  const directory = resolve(dataDirectory, 'fonts');
  // fontconfig keeps what a scan found: rules for scanning need a folder of their own.
  const cacheFolder = join(directory, 'cache-weights');
  mkdirSync(cacheFolder, { recursive: true });
  const path = join(directory, 'fonts.conf');
  const directories = fontPackages.map(
    (name) => `  <dir>${escapeXml(dirname(packageFile(name)))}</dir>\n`,
  );
  const cache = `  <cachedir>${escapeXml(cacheFolder)}</cachedir>\n`;
  const weights = Object.entries(lightWeights).map(
    ([style, weight]) =>
      `  <match target="scan"><test name="style" compare="contains"><string>${style}</string></test>` +
      `<edit name="weight" mode="assign"><const>${weight}</const></edit></match>\n`,
  );
  writeFileSync(
    path,
    `<?xml version="1.0"?>\n<fontconfig>\n${directories.join('')}${cache}${weights.join('')}</fontconfig>\n`,
  );
  // oxlint-disable-next-line node/no-process-env -- not read: handed to the native library
  process.env['FONTCONFIG_FILE'] = path;
  return path;
}

function packageFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`${name}/package.json`));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
