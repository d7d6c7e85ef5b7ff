/** Identifies, checks and parses stored template documents. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkTemplate, templateSteps } from '#language/template.ts';
import type { TemplateParse } from '#language/template.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { organizationShares } from '../foundation/thread-shares.ts';
import { StoreError } from './database/store-error.ts';

/** Content id: the first 32 hexadecimal digits of the SHA-256 of the document's text. */
export function documentCid(documentJson: string): string {
  return createHash('sha256').update(documentJson).digest('hex').slice(0, 32);
}

/**
 * Identifies the organization, the document and the organization's fonts that it uses. Equal keys have equal images.
 */
export function templateKeyOf(
  organizationUid: string,
  cid: string,
  fonts: readonly OrganizationFontFamily[],
): string {
  return [organizationUid, cid, ...fonts.map(({ alias }) => alias)].join(':');
}

/** Extracts the content id from a key of `templateKeyOf`. */
export function cidOfTemplateKey(templateKey: string): string | undefined {
  return templateKey.split(':', 2)[1];
}

/**
 * Parses a stored document without validation: it was valid when it was saved, and its content id proves that it is
 * unchanged. A stricter limit must not stop images that are in emails already. Throws a `StoreError` `CORRUPT` that
 * names the template if the text has another content id. `part` is `draft` or `version 3`.
 */
export function parseStoredDocument(
  uid: string,
  part: string,
  cid: string,
  documentJson: string,
): Template {
  if (documentCid(documentJson) === cid) return JSON.parse(documentJson) as Template;
  throw new StoreError(
    'CORRUPT',
    `The stored document of template ${uid}, ${part}, is damaged: its content is not that of its id ${cid}. Stop the service, keep a copy of the database, and restore the newest backup.`,
  );
}

/** Checks the size of a document's text. Throws a `StoreError` `INVALID`. */
export function checkDocumentBytes(documentJson: string): void {
  const documentBytes = Buffer.byteLength(documentJson);
  if (documentBytes <= templateLimits.documentBytesMax) return;
  throw new StoreError(
    'INVALID',
    `The template document has ${documentBytes} bytes, at most ${templateLimits.documentBytesMax} are allowed: upload images as assets instead of writing them into it.`,
  );
}

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
 * alone, so a stored document is checked once after a start.
 */
const validCids = new Set<string>();
const validCidsMax = 10_000;

/** The content id of a document that the caller has checked. Remembers that it is valid. */
export function validCid(documentJson: string): string {
  const cid = documentCid(documentJson);
  noteValid(cid);
  return cid;
}

function noteValid(cid: string): void {
  if (validCids.size === validCidsMax) validCids.clear();
  validCids.add(cid);
}

/** Validates a stored document against the present rules, before a transaction. Rejects as `checkAgain` throws. */
export async function requireValid(
  { cid, documentJson }: { cid: string; documentJson: string },
  organizationUid: string,
): Promise<void> {
  if (validCids.has(cid)) return;
  const checked = await checkInTurns(JSON.parse(documentJson), organizationUid);
  if (!checked.ok) throw invalidDocument(checked.problems);
  noteValid(cid);
}

/**
 * Validates a stored document at once, if this process has not found it valid: where `requireValid` was not called, or
 * another process has changed the document since. Throws a `StoreError` `INVALID` with every problem.
 */
export function checkAgain(cid: string, document: Template): void {
  if (validCids.has(cid)) return;
  const checked = checkTemplate(document);
  if (!checked.ok) throw invalidDocument(checked.problems);
  noteValid(cid);
}

/** Creates a `StoreError` `INVALID` with the path of each problem and what was expected. */
export function invalidDocument(problems: readonly TemplateProblem[]): StoreError {
  const lines = problems.map(({ path, message }) => `${path} ${message}`);
  const sentence = `The template document is not valid: ${lines.join('; ')}.`;
  return new StoreError('INVALID', sentence, undefined, problems);
}

/** A document without and with its sizes. */
export interface DrawnDocument {
  /** The document that is rendered, without sizes. */
  document: Template;
  documentJson: string;
  /** The document with its sizes; undefined if it has none. */
  sizedDocument: Template | undefined;
}

/** Separates a stored document from its sizes. */
export function partSizes(stored: Template, storedJson: string): DrawnDocument {
  const document = documentInSize(stored) ?? stored;
  if (document === stored) {
    return { document, documentJson: storedJson, sizedDocument: undefined };
  }
  return { document, documentJson: JSON.stringify(document), sizedDocument: stored };
}

/** Precondition of a change. */
export interface Precondition {
  /** The draft must have one of these content ids, else `CHANGED`; absent: any. */
  ifMatch?: readonly string[] | undefined;
}

/** Throws a `StoreError` `CHANGED` if the draft has none of the expected content ids. */
export function requireMatch(draftCid: string, { ifMatch }: Precondition = {}): void {
  if (ifMatch === undefined || ifMatch.includes(draftCid)) return;
  throw new StoreError(
    'CHANGED',
    `The template was changed meanwhile: its draft is now ${draftCid}. Read it again, and repeat the change on it.`,
  );
}
