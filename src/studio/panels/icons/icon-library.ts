/** The icons that designers insert as SVG layers: names, words and markup. */

/** A line icon with a view box of 24 by 24. */
export interface LibraryIcon {
  name: string;
  /** The name and search words, in lower case. */
  words: string;
  /** Content of the `svg` element. */
  markup: string;
}

let icons: Promise<readonly LibraryIcon[]> | undefined;

/** Loads all icons once: 190 KB with gzip. */
export function loadIcons(): Promise<readonly LibraryIcon[]> {
  icons ??= import('../../../../data/icons/lucide.json', { with: { type: 'json' } }).then(
    ({ default: lines }) => lines.map(readIcon),
  );
  // The next call tries a failed load again.
  icons.catch(() => {
    icons = undefined;
  });
  return icons;
}

function readIcon(line: string): LibraryIcon {
  const [name = '', words = '', markup = ''] = line.split('|');
  return { name, words: `${name.replaceAll('-', ' ')} ${words.toLowerCase()}`, markup };
}

/** Returns the icons that match every word of the search, matches by name first. */
export function findIcons(all: readonly LibraryIcon[], search: string): LibraryIcon[] {
  const words = search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  const found = all.filter((icon) => words.every((word) => icon.words.includes(word)));
  const rank = ({ name }: LibraryIcon): number => {
    if (name === words.join('-')) return -1;
    if (words.every((word) => name.split('-').includes(word))) return 0;
    return words.every((word) => name.includes(word)) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the markup of an SVG layer, with lines in `currentColor`. */
export function svgOf({ markup }: LibraryIcon): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${markup}</svg>`;
}
