/** What an editor keeps for itself as long as its tab is open: locked layers, sample values, and a draft that is not saved. */
import type { Template } from '#language/schema/template.ts';
import type { Values } from './frames.ts';

interface Kept {
  locked: readonly string[];
  values: Values;
}

/** What was kept for a template; empty when there is nothing, or nothing that can be read. */
export function readKept(uid: string): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(uid)) ?? '{}') as Partial<Kept>;
    return { locked: kept.locked ?? [], values: kept.values ?? {} };
  } catch {
    return { locked: [], values: {} };
  }
}

/** A document that the service does not have yet, and the draft that it follows. */
export interface UnsavedDraft {
  document: Template;
  cid: string;
}

/** Keeps what could not be saved over a reload or a new sign-in; undefined: there is nothing to keep. */
export function keepDraft(uid: string, draft: UnsavedDraft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(draftKeyOf(uid));
    else sessionStorage.setItem(draftKeyOf(uid), JSON.stringify(draft));
  } catch {
    // Full, or forbidden: the guard of the page has asked before this.
  }
}

/** What `keepDraft` kept. */
export function readDraft(uid: string): UnsavedDraft | undefined {
  try {
    const text = sessionStorage.getItem(draftKeyOf(uid));
    return text === null ? undefined : (JSON.parse(text) as UnsavedDraft);
  } catch {
    return undefined;
  }
}

/** Keeps it; where a browser has no room, the tab goes without. */
export function keepValues(uid: string, kept: Kept): void {
  try {
    sessionStorage.setItem(keyOf(uid), JSON.stringify(kept));
  } catch {
    // Full, or forbidden: neither is worth a word to a designer.
  }
}

function keyOf(uid: string): string {
  return `platen-studio:${uid}`;
}

function draftKeyOf(uid: string): string {
  return `platen-studio-draft:${uid}`;
}
