/** A template document as it is stored: its content id, and its way back from a row. */
import { createHash } from 'node:crypto';
import { checkTemplate } from '#language/template.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { OwnFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { StoreError } from './database/store-error.ts';

/** Content id: the first 32 hexadecimal digits of the SHA-256 of the document's text. */
export function documentCid(documentJson: string): string {
  return createHash('sha256').update(documentJson).digest('hex').slice(0, 32);
}

/** Names organization, document and the own fonts that it names: equal keys draw equal pictures. */
export function templateKeyOf(
  organizationUid: string,
  cid: string,
  fonts: readonly OwnFontFamily[],
): string {
  return [organizationUid, cid, ...fonts.map(({ alias }) => alias)].join(':');
}

/** The content id in a key of `templateKeyOf`. */
export function cidOfTemplateKey(templateKey: string): string | undefined {
  return templateKey.split(':', 2)[1];
}

/**
 * Parses a stored document. It was valid when it was saved, and its content id tells that it is still the same:
 * a limit that became stricter since must not stop pictures that are in mails already. What has another content id
 * is damaged: throws a `StoreError` `CORRUPT` that names the template. `part` is `draft` or `version 3`.
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

/** Checks a document's text against the limit of its bytes. Throws a `StoreError` `INVALID`. */
export function checkDocumentBytes(documentJson: string): void {
  const documentBytes = Buffer.byteLength(documentJson);
  if (documentBytes <= templateLimits.documentBytesMax) return;
  throw new StoreError(
    'INVALID',
    `The template document has ${documentBytes} bytes, at most ${templateLimits.documentBytesMax} are allowed: upload images as assets instead of writing them into it.`,
  );
}

/** A document of an earlier day by the rules of today. Throws a `StoreError` `INVALID` with every problem. */
export function checkAgain(document: Template): void {
  const checked = checkTemplate(document);
  if (!checked.ok) throw invalidDocument(checked.problems);
}

/** A `StoreError` `INVALID` that names each place of a document and what was expected there. */
export function invalidDocument(problems: readonly TemplateProblem[]): StoreError {
  const lines = problems.map(({ path, message }) => `${path} ${message}`);
  const sentence = `The template document is not valid: ${lines.join('; ')}.`;
  return new StoreError('INVALID', sentence, undefined, problems);
}
