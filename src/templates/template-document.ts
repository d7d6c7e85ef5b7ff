/** A template document as it is stored: its content id, and its way back from a row. */
import { createHash } from 'node:crypto';
import { checkTemplate } from '#shared/template.ts';
import type { Template } from '#shared/template-schema.ts';
import { StoreError } from './store-error.ts';

/** Content id: the first 32 hexadecimal digits of the SHA-256 of the document's text. */
export function documentCid(documentJson: string): string {
  return createHash('sha256').update(documentJson).digest('hex').slice(0, 32);
}

/**
 * Parses a stored document. It was valid when it was saved, so anything else is damage: throws a
 * `StoreError` `CORRUPT` that names the template and what is wrong. `part` is `draft` or `version 3`.
 */
export function parseStoredDocument(uid: string, part: string, documentJson: string): Template {
  let value: unknown;
  try {
    value = JSON.parse(documentJson);
  } catch (error) {
    throw damaged(uid, part, String(error), error);
  }
  const checked = checkTemplate(value);
  if (checked.ok) return checked.template;
  const [problem] = checked.problems;
  throw damaged(
    uid,
    part,
    `${problem?.path ?? '(document)'} ${problem?.message ?? 'is not valid'}`,
  );
}

function damaged(uid: string, part: string, reason: string, cause?: unknown): StoreError {
  return new StoreError(
    'CORRUPT',
    `The stored document of template ${uid}, ${part}, is damaged: ${reason}. Other templates are not concerned; publish this one again or restore a backup.`,
    cause,
  );
}
