/** Checks template documents in turns of the event loop, and remembers which texts of documents are valid. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate, templateSteps } from '#language/template.ts';
import type { TemplateParse } from '#language/template.ts';
import { organizationShares } from '../foundation/thread-shares.ts';
import { invalidDocument } from './template-document.ts';

/** Milliseconds of a check in one turn. The largest documents take some 40 ms. */
const sliceMs = 6;

/**
 * Checks a document as `checkTemplate` does. Waits for another turn of the event loop after each 6 ms, and for the share
 * of the organization. Rejects with OVERLOADED if too many of its requests wait.
 */
export async function checkInTurns(
  value: unknown,
  organizationUid: string,
): Promise<TemplateParse> {
  const steps = templateSteps(value);
  let startedMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - startedMs < sliceMs) continue;
    await nextTurn();
    await organizationShares.take(organizationUid, 0);
    startedMs = performance.now();
  }
}

/**
 * Content ids of documents that this process has found valid, which is 1 MB at most. The rules change with the release
 * alone, so a stored document is checked again after a start, and never twice.
 */
const validCids = new LRUCache<string, true>({ max: 10_000 });

/** Remembers that the document with this content id is valid. */
export function noteValid(cid: string): void {
  validCids.set(cid, true);
}

/** Validates a stored document against the present rules, before a transaction. Rejects as `checkAgain` throws. */
export async function requireValid(
  { cid, documentJson }: { cid: string; documentJson: string },
  organizationUid: string,
): Promise<void> {
  if (validCids.get(cid) === true) return;
  const checked = await checkInTurns(JSON.parse(documentJson), organizationUid);
  if (!checked.ok) throw invalidDocument(checked.problems);
  noteValid(cid);
}

/**
 * Validates a stored document at once, if this process has not found it valid: where `requireValid` was not called, or
 * another process has changed the document since. Throws a `StoreError` `INVALID` with every problem.
 */
export function checkAgain(cid: string, document: Template): void {
  if (validCids.get(cid) === true) return;
  const checked = checkTemplate(document);
  if (!checked.ok) throw invalidDocument(checked.problems);
  noteValid(cid);
}
