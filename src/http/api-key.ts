/** Finds the organization that an `X-API-Key` header belongs to, and whether the key may do what is asked. */
import { AppError } from '../foundation/errors.ts';
import type { KeyScope } from '../store/organizations/key-scopes.ts';

/** Whoever knows the keys; undefined for an empty, malformed, unknown or revoked one. */
export interface KeyHolders<Holder> {
  findByKey(key: string): Holder | undefined;
}

/**
 * The holder of a key that has `scope`. Throws UNAUTHORIZED with the specification's sentence when the key is
 * not valid, FORBIDDEN when it lacks the scope.
 */
export function requireKeyHolder<Holder extends { scopes: readonly KeyScope[] }>(
  apiKey: string,
  holders: KeyHolders<Holder>,
  scope: KeyScope,
): Holder {
  const holder = holders.findByKey(apiKey);
  if (holder === undefined) {
    throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
  }
  if (!holder.scopes.includes(scope)) {
    throw new AppError(
      'FORBIDDEN',
      `This API key lacks the scope "${scope}": use a key that has it.`,
      { reason: 'scope' },
    );
  }
  return holder;
}
