/** A stored template document: its content id, and its parsing from a row. */
import { createHash } from 'node:crypto';
import { checkTemplate } from '#language/template.ts';
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

/** Names organization, document and the organization's fonts that it uses: equal keys draw equal images. */
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
 * unchanged. A stricter limit must not stop images that are in emails already. A document with another content id is
 * damaged: throws a `StoreError` `CORRUPT` that names the template. `part` is `draft` or `version 3`.
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

/** Validates an older document by the present rules. Throws a `StoreError` `INVALID` with every problem. */
export function checkAgain(document: Template): void {
  const checked = checkTemplate(document);
  if (!checked.ok) throw invalidDocument(checked.problems);
}

/** Creates a `StoreError` `INVALID` with the path of each problem and what was expected. */
export function invalidDocument(problems: readonly TemplateProblem[]): StoreError {
  const lines = problems.map(({ path, message }) => `${path} ${message}`);
  const sentence = `The template document is not valid: ${lines.join('; ')}.`;
  return new StoreError('INVALID', sentence, undefined, problems);
}

/** A document in two forms. */
export interface DrawnDocument {
  /** What is drawn: without sizes. */
  document: Template;
  documentJson: string;
  /** The same with its sizes; undefined for a document without. */
  sizedDocument: Template | undefined;
}

/** A document as it is drawn without a size, and the same with its sizes if it has any. */
export function partSizes(stored: Template, storedJson: string): DrawnDocument {
  const document = documentInSize(stored) ?? stored;
  if (document === stored) {
    return { document, documentJson: storedJson, sizedDocument: undefined };
  }
  return { document, documentJson: JSON.stringify(document), sizedDocument: stored };
}
