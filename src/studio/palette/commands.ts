/** Registers the commands of the page that is shown for the command palette, and searches them. */
import type { ShortcutTarget } from '../shortcuts.ts';

/** An action that the palette finds by its name. */
export interface Command {
  /** Unique among the offered commands. */
  id: string;
  /** Shown beside the name. */
  kind: 'Action' | 'Layer' | 'Variable' | 'Property' | 'Template' | 'Page';
  name: string;
  /** Further words by which a search finds the command. */
  words?: string;
  /** Key combinations of the command, in the form that `matchesKeys` reads. */
  keys?: readonly string[];
  run: () => void;
}

/** The editor and the dialogs that its commands open. */
export interface CommandTarget extends ShortcutTarget {
  openShare: () => void;
  openIcons: () => void;
}

/** Code of the palette that makes commands. */
interface CommandMakers {
  editorCommands: (target: CommandTarget) => Command[];
}

type Provider = (code: CommandMakers) => readonly Command[];

const providers = new Set<Provider>();

/**
 * Registers the commands of a page. The palette calls `provide` when it opens, with its own code. Returns a function that
 * unregisters.
 */
export function offerCommands(provide: Provider): () => void {
  providers.add(provide);
  return () => void providers.delete(provide);
}

/** Returns the commands of all registered providers. */
export function offeredCommands(code: CommandMakers): Command[] {
  return Array.from(providers).flatMap((provide) => provide(code));
}

/** Commands shown at most. */
const shownMax = 60;

/**
 * Returns the commands that contain every word of the search. Names that begin with the search come first, then names
 * that contain every word.
 */
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

/** Removes case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
