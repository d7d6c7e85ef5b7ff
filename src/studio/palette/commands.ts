/** Registers the commands of the page that is shown for the command palette. */
import type { ShortcutTarget } from '../shortcuts.ts';

/** An action that the palette finds by its name. */
export interface Command {
  /** Unique among the offered commands. */
  id: string;
  /** Shown beside the name. */
  kind: 'Action' | 'Layer' | 'Variable' | 'Property' | 'Template' | 'Page';
  name: string;
  /** Distinguishes commands of one name, such as the id of a layer. */
  detail?: string;
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
