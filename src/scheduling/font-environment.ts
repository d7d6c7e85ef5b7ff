/** Provides the fonts of the render hosts: a private font set, so that every machine renders the same pixels. */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packagePath, programPath } from '#paths.ts';
import { directoryError } from '../foundation/errors.ts';

const runFile = promisify(execFile);

/** npm packages whose TrueType files the processes see. They see no system fonts. */
const fontPackages = [
  '@expo-google-fonts/caveat',
  '@expo-google-fonts/fraunces',
  '@expo-google-fonts/inter',
  '@expo-google-fonts/noto-sans',
  '@expo-google-fonts/noto-sans-arabic',
  '@expo-google-fonts/noto-sans-armenian',
  '@expo-google-fonts/noto-sans-bengali',
  '@expo-google-fonts/noto-sans-devanagari',
  '@expo-google-fonts/noto-sans-ethiopic',
  '@expo-google-fonts/noto-sans-georgian',
  '@expo-google-fonts/noto-sans-gujarati',
  '@expo-google-fonts/noto-sans-gurmukhi',
  '@expo-google-fonts/noto-sans-hebrew',
  '@expo-google-fonts/noto-sans-jp',
  '@expo-google-fonts/noto-sans-kannada',
  '@expo-google-fonts/noto-sans-khmer',
  '@expo-google-fonts/noto-sans-kr',
  '@expo-google-fonts/noto-sans-lao',
  '@expo-google-fonts/noto-sans-malayalam',
  '@expo-google-fonts/noto-sans-myanmar',
  '@expo-google-fonts/noto-sans-sc',
  '@expo-google-fonts/noto-sans-sinhala',
  '@expo-google-fonts/noto-sans-tamil',
  '@expo-google-fonts/noto-sans-tc',
  '@expo-google-fonts/noto-sans-telugu',
  '@expo-google-fonts/noto-sans-thai',
  '@expo-google-fonts/noto-serif-tibetan',
  '@expo-google-fonts/playfair-display',
  '@expo-google-fonts/space-grotesk',
  '@expo-google-fonts/space-mono',
  'twemoji-colr-font',
];

/** The folder of the variable fonts, by its README, which has the version of each font, as a package manifest has. */
const variableFonts = packagePath('data/fonts/README.md');

/**
 * Monochrome emoji, for text in SVG: the SVG renderer does not draw glyphs of coloured layers, and prefers monochrome
 * ones if both are available. Text layers select their emoji font by name.
 */
const svgFonts = packagePath('data/svg-fonts/README.md');

/** Weights by style. The files of both styles claim the weight 250, so 100 and 200 would look the same. */
const lightWeights = { Thin: 'thin', ExtraLight: 'extralight' };

/** Bytes of a decompressed font; the emoji font has 1.4 million. */
const fontBytesMax = 64 * 1024 * 1024;

/** Increased when the same packages are laid out differently in the data directory. */
const layoutRevision = 1;

/**
 * Lays the font files out in `dataDirectory`, once for each set of packages, and sets the path of fontconfig's
 * configuration. Must run before the first process loads skia-canvas, which reads the variable once. Eight workers that
 * each registered the fonts themselves took 960 MB; through fontconfig they share the files (196 MB). Returns the
 * configuration's path, for processes that do not inherit the environment.
 *
 * All fonts are links in one folder, because every process reads fontconfig's cache of every folder. The packages have
 * a folder for each file: 36 ms for 170 folders, 10 ms for one. Emoji are a TrueType file: WOFF2 is decompressed three
 * times whenever a typeface is prepared, 14 ms each (measured on 2 cores).
 */
export async function prepareFontEnvironment(dataDirectory: string): Promise<string> {
  const packages = [...fontPackages.map((name) => packageFile(name)), variableFonts, svgFonts];
  const key = layoutKey(packages);
  const directory = resolve(dataDirectory, 'fonts', key);
  const path = join(directory, 'fonts.conf');
  if (!existsSync(path)) await createLayout(dataDirectory, directory, packages);
  // oxlint-disable-next-line node/no-process-env -- not read: handed to the native library
  process.env['FONTCONFIG_FILE'] = path;
  return path;
}

/**
 * Name of a layout. Other versions, or the same ones at another path, need a new folder: fontconfig would not notice
 * the change.
 */
function layoutKey(packages: readonly string[]): string {
  const facts = packages.map((path) => [path, readFileSync(path, 'utf8')]);
  return hash('sha256', JSON.stringify([layoutRevision, lightWeights, facts])).slice(0, 16);
}

/**
 * Writes a layout to a temporary name first: a concurrent start, also in this process, finds all of it or nothing. If
 * another start has renamed its layout before, the folder is not empty, and this start uses what it finds.
 */
async function createLayout(
  dataDirectory: string,
  directory: string,
  packages: readonly string[],
): Promise<void> {
  let draft: string | undefined;
  try {
    mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
    draft = mkdtempSync(`${directory}-`);
    mkdirSync(join(draft, 'files'), { mode: 0o700 });
    for (const [index, path] of packages.entries()) await linkFonts(dirname(path), draft, index);
    writeFileSync(join(draft, 'fonts.conf'), configuration(directory));
    renameSync(draft, directory);
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(directory, 'fonts.conf'))) throw directoryError(dataDirectory, error);
  }
}

/** The names keep the order of packages, which decides between fonts that fit a character equally well. */
async function linkFonts(packageFolder: string, draft: string, index: number): Promise<void> {
  const order = String(index).padStart(2, '0');
  for (const entry of readdirSync(packageFolder, { recursive: true, withFileTypes: true })) {
    const { name } = entry;
    const target = join(draft, 'files', `${order}-${name}`);
    const source = join(entry.parentPath, name);
    // A collection has one file, and links to it in the packages of its other families.
    if (entry.isFile() && /\.tt[cf]$/.test(name)) symlinkSync(source, target);
    if (name.endsWith('.woff2')) {
      // Only the first start has something to decompress.
      const program = programPath('decompress-font');
      const { stdout } = await runFile(process.execPath, [program, source], {
        encoding: 'buffer',
        maxBuffer: fontBytesMax,
      });
      writeFileSync(target.replace(/woff2$/, 'ttf'), stdout);
    }
  }
}

function configuration(directory: string): string {
  const folder = (name: string): string => escapeXml(join(directory, name));
  const weights = Object.entries(lightWeights).map(
    ([style, weight]) =>
      `  <match target="scan"><test name="style" compare="contains"><string>${style}</string></test>` +
      `<edit name="weight" mode="assign"><const>${weight}</const></edit></match>\n`,
  );
  return `<?xml version="1.0"?>\n<fontconfig>\n  <dir>${folder('files')}</dir>\n  <cachedir>${folder('cache')}</cachedir>\n${weights.join('')}</fontconfig>\n`;
}

function packageFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`${name}/package.json`));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
