/** Decides whether a link may be drawn: open, signed, or with the organization's key. */
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';

/**
 * Checks a request against `linkAuth` of the template's newest version. Throws UNAUTHORIZED. Fails
 * closed: no template has a signing key yet, so no signature can be right. A valid key of another
 * organization is worth no more than none, and the answer does not tell them apart.
 */
export function checkLinkAuth(
  template: PublishedTemplate,
  exchange: Exchange,
  organizations: KeyHolders<{ uid: string }>,
): void {
  switch (template.linkAuth) {
    case 'open':
      return;
    case 'signed':
      throw new AppError(
        'UNAUTHORIZED',
        'This template answers signed links only, and the signature of this link is absent or not valid.',
        { reason: 'signature' },
      );
    case 'key':
      if (organizations.findByKey(exchange.apiKey)?.uid === template.organizationUid) return;
      throw new AppError(
        'UNAUTHORIZED',
        'This template needs the API key of its organization in the header X-API-Key.',
        { reason: 'key' },
      );
    default:
      template.linkAuth satisfies never;
  }
}
