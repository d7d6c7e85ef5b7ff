/** Finds the template that a path names among those of the caller's organization. */
import { isUid } from '#language/uid.ts';
import { AppError } from '../../foundation/errors.ts';
import type { KeyHolders } from '../../http/api-key.ts';
import { requireKeyHolder } from '../../http/api-key.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { KeyScope } from '../../store/organizations/key-scopes.ts';
import type { KeyHolder } from '../../store/organizations/api-key-store.ts';
import type { TemplateStore } from '../../store/template-store.ts';

/** A caller and the template that it asks for. */
export interface OwnTemplate {
  holder: KeyHolder;
  uid: string;
}

/**
 * The caller and the uid of the path. Throws UNAUTHORIZED, FORBIDDEN, and NOT_FOUND when the organization has
 * no such template in use: before the body is read, so that another's uid is answered as one that nobody has.
 */
export function requireOwnTemplate(
  exchange: Exchange,
  organizations: KeyHolders<KeyHolder>,
  templates: Pick<TemplateStore, 'hasTemplate'>,
  scope: KeyScope,
  options: { orArchived: boolean } = { orArchived: false },
): OwnTemplate {
  const holder = requireKeyHolder(exchange.apiKey, organizations, scope);
  const uid = exchange.parameter;
  if (!isUid(uid) || !templates.hasTemplate(holder.uid, uid, options)) {
    throw noTemplate();
  }
  return { holder, uid };
}

/** NOT_FOUND, with the contract's sentence. */
export function noTemplate(): AppError {
  return new AppError('NOT_FOUND', 'Template not found', { reason: 'template' });
}

// Reads the header `If-Match`: the content ids of a draft on which a change is based.

/**
 * The content ids of the header, undefined without one and for `*`, which any draft fulfils (RFC 9110, 13.1.1).
 * A tag may stand without its quotes, as the content id does in a body. What is weak or no tag matches no draft.
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
