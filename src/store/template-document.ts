/** Identifies, checks and parses stored template documents. */
import { createHash } from 'node:crypto';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
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
