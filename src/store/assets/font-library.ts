/** The font library: open families that come with the service. An organization can add them to its fonts. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

/** A family of the library. Each weight is a separate file. */
export interface LibraryFamily {
  /** Part of URLs and of file names. */
  id: string;
  family: string;
  kind: 'sans' | 'serif' | 'display' | 'hand' | 'mono';
  /** In ascending order. */
  weights: number[];
}

export interface FontLibrary {
  /** Sorted by name. */
  list(): readonly LibraryFamily[];
  find(id: string): LibraryFamily | undefined;
  /** The WOFF2 file of a weight that the family has. */
  readFile(family: LibraryFamily, weight: number): Buffer;
}

const folder = 'data/font-library';

/** Creates the library. It reads the list at the first use, and a file at each request. */
export function createFontLibrary(): FontLibrary {
  let families: readonly LibraryFamily[] | undefined;
  const list = (): readonly LibraryFamily[] =>
    (families ??= JSON.parse(
      readFileSync(packagePath(`${folder}/families.json`), 'utf8'),
    ) as LibraryFamily[]);
  return {
    list,
    find: (id) => list().find((family) => family.id === id),
    readFile: ({ id }, weight) => readFileSync(packagePath(`${folder}/${id}-${weight}.woff2`)),
  };
}
