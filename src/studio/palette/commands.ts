/** What the command palette offers: the commands of the page that is shown, and a search among them. */

/** Something that is done by its name. */
export interface Command {
  /** Unique among those that are offered. */
  id: string;
  /** What kind it is: shown beside the name. */
  kind: 'Action' | 'Layer' | 'Property' | 'Template' | 'Page';
  name: string;
  /** Further words that find it. */
  words?: string;
  /** Combinations that do the same, as `matchesKeys` reads them. */
  keys?: readonly string[];
  run: () => void;
}

const providers = new Set<() => readonly Command[]>();

/** Offers commands for as long as a page is shown: `provide` is called when the palette opens. Returns the end of it. */
export function offerCommands(provide: () => readonly Command[]): () => void {
  providers.add(provide);
  return () => void providers.delete(provide);
}

/** All that is offered now. */
export function offeredCommands(): Command[] {
  return Array.from(providers).flatMap((provide) => provide());
}

/** Commands that are shown at most. */
const shownMax = 60;

/** Those that hold every word, names that begin with the search first; else in their order. */
export function findCommands(commands: readonly Command[], search: string): Command[] {
  const sought = fold(search).trim();
  const words = sought.split(/\s+/).filter(Boolean);
  const rank = ({ name }: Command): number => {
    const text = fold(name);
    if (text.startsWith(sought)) return 0;
    return words.every((word) => text.includes(word)) ? 1 : 2;
  };
  return commands
    .filter(({ name, kind, words: more = '' }) => {
      const text = fold(`${name} ${kind} ${more}`);
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, shownMax);
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
