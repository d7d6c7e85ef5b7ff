/** Finds the template that a path names, in the organization of the key, reads `If-Match`, and answers drafts. */
import { isUid } from '#language/uid.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import { jsonReply } from '../../http/reply.ts';
import type { Reply } from '../../http/reply.ts';
import type { KeyHolder } from '../../store/organizations/api-key-store.ts';
import type { SavedDraft, TemplateStore } from '../../store/template-store.ts';

/**
 * Returns the uid of the path. Throws NOT_FOUND if the organization of `holder` has no such template in use. Handlers
 * call it before they read the body, so that another organization's template is answered as an unknown one.
 */
export function requireTemplate(
  { parameter: uid }: Exchange,
  holder: KeyHolder,
  templates: Pick<TemplateStore, 'hasTemplate'>,
  options: { orArchived: boolean } = { orArchived: false },
): string {
  if (!isUid(uid) || !templates.hasTemplate(holder.uid, uid, options)) {
    throw noTemplate();
  }
  return uid;
}

/** NOT_FOUND with the message of the contract. */
export function noTemplate(): AppError {
  return new AppError('NOT_FOUND', 'Template not found', { reason: 'template' });
}

// The header `If-Match`: the content ids of the draft that a change is based on.

/**
 * Returns the content ids of the header; undefined without one and for `*`, which every draft matches (RFC 9110,
 * 13.1.1). A tag may lack its quotes, as the content id in a body does. A weak tag, or text that is no tag, matches no
 * draft.
 */
export function parseIfMatch({ ifMatch }: Exchange): readonly string[] | undefined {
  const text = ifMatch.trim();
  if (text === '' || text === '*') return undefined;
  return text.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
}

/** The entity tag of a document. */
export function documentETag(cid: string): string {
  return `"${cid}"`;
}

/** Answers the draft with its entity tag and `warned`; 201 adds its address. Throws NOT_FOUND if the draft was deleted meanwhile. */
export function draftReply(
  status: 200 | 201,
  draft: SavedDraft | undefined,
  warned: object = {},
): Reply {
  if (draft === undefined) throw noTemplate();
  const { uid, cid, version } = draft;
  return jsonReply(
    status,
    { uid, cid, version, ...warned },
    { ETag: documentETag(cid), ...(status === 201 && { Location: `/v1/templates/${uid}` }) },
  );
}
