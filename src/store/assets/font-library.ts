/** The font library: open families that come with the service, and that an organization adds to its fonts. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

/** A family of the library; each weight is a file. */
export interface LibraryFamily {
  /** Stands in addresses and in the names of files. */
  id: string;
  family: string;
  kind: 'sans' | 'serif' | 'display' | 'hand' | 'mono';
  /** Rising. */
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

/** Reads the list at the first use, and files whenever they are asked for. */
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
