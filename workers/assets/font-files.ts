/** Finds the file of an installed font family: the packages of all families have one layout. */
import { readdirSync, closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagePath } from '#paths.ts';
import type { FontFile } from '#wire/font-facts.ts';
import { LRUCache } from 'lru-cache';
import { isVariableForm } from './font-axes.ts';
import { emojiFamily, outlineEmojiFamily } from './fonts.ts';
import { readDirectory } from './font-collection.ts';
import { checkOrganizationFontFile, findOrganizationFontFile } from './organization-fonts.ts';
import { writeFont } from './font-tables.ts';

/** Contains `InterVariable.ttf` and similar files. */
const variableFolder = packagePath('data/fonts');

const svgFolder = packagePath('data/svg-fonts');

/** Files of the most recently used families. The capacity exceeds the number of bundled families. */
const filesByFamily = new LRUCache<string, FontFile[]>({ max: 200 });

/**
 * Returns the file of a family with the nearest weight, italic if requested and available. Undefined for a family that
 * is neither bundled nor registered for the job. Reads the package's folder once. Throws a `FontFileError` if an
 * organization's file is missing or damaged.
 */
export function findFontFile(
  family: string,
  weight: number,
  italic: boolean,
): FontFile | undefined {
  const uploaded = findOrganizationFontFile(family, weight, italic);
  if (uploaded !== undefined) {
    // The engine has the font in memory, but its file may have been deleted since.
    checkOrganizationFontFile(uploaded);
    return uploaded;
  }
  const files = familyFiles(family);
  const styled = files.filter((file) => file.italic === italic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: { weight: number }): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Weights and styles of the static files of a bundled family. */
export function bundledFiles(family: string): readonly FontFile[] {
  return familyFiles(family);
}

function familyFiles(family: string): FontFile[] {
  const known = filesByFamily.get(family);
  if (known !== undefined) return known;
  const files = readFamily(family);
  filesByFamily.set(family, files);
  return files;
}

function readFamily(family: string): FontFile[] {
  if (family === emojiFamily) {
    const path = fileURLToPath(import.meta.resolve('twemoji-colr-font/twemoji.woff2'));
    return [{ path, weight: 400, italic: false }];
  }
  if (family === outlineEmojiFamily) {
    return [{ path: join(svgFolder, 'NotoEmoji-Regular.ttf'), weight: 400, italic: false }];
  }
  if (isVariableForm(family)) {
    const name = family.replaceAll(' ', '');
    return [
      { path: join(variableFolder, `${name}.ttf`), weight: 400, italic: false },
      { path: join(variableFolder, `${name}-Italic.ttf`), weight: 400, italic: true },
    ];
  }
  const folder = packageFolder(family);
  if (folder === undefined) return [];
  // Only a release has fonts in collections.
  const { face } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Pick<
    FontFile,
    'face'
  >;
  return readdirSync(folder).flatMap((name) => {
    // The folder `700Bold_Italic` contains `Inter_700Bold_Italic.ttf`.
    const style = /^(\d{3})[A-Za-z]+?(_Italic)?$/.exec(name);
    if (style === null) return [];
    const file = readdirSync(join(folder, name)).find((one) => /\.tt[cf]$/.test(one));
    if (file === undefined) return [];
    const path = join(folder, name, file);
    return [{ path, face, weight: Number(style[1]), italic: style[2] !== undefined }];
  });
}

function packageFolder(family: string): string | undefined {
  const name = family.toLowerCase().replaceAll(' ', '-');
  if (!/^[a-z0-9-]+$/.test(name)) return undefined;
  try {
    const manifest = import.meta.resolve(`@expo-google-fonts/${name}/package.json`);
    return dirname(fileURLToPath(manifest));
  } catch {
    return undefined;
  }
}

// Reads the tables of a large font that a shaper needs to position its glyphs, without their outlines.

/** Characters, advances, substitutions, positions, and the variations of these (OpenType 1.9). */
const shapingTables: ReadonlySet<string> = new Set(
  'cmap head hhea hmtx maxp GDEF GSUB GPOS fvar avar HVAR'.split(' '),
);
/** Size limit of a table. All of them have 0.25 MB in a bundled pan-CJK font, whose file has 5 to 11 MB. */
const tableBytesMax = 4 * 1024 * 1024;

/** Returns a font with the shaping tables of a valid TrueType or OpenType file. Reads nothing else of it. */
export function readShapingFile(font: FontFile): Uint8Array<ArrayBuffer> {
  const file = openSync(font.path, 'r');
  try {
    const read = (position: number, length: number): DataView => {
      if (length > tableBytesMax) throw new Error(`${font.path}: a table has ${length} bytes`);
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, position);
      return new DataView(bytes.buffer);
    };
    const { head, tables } = readDirectory(font, read);
    const shaping = [...tables].filter(([tag]) => shapingTables.has(tag));
    return writeFont(
      head,
      new Map(shaping.map(([tag, { offset, length }]) => [tag, read(offset, length)])),
    );
  } finally {
    closeSync(file);
  }
}
