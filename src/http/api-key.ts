/** API keys of requests: the organization that a key belongs to, and its scopes. */
import { AppError } from '../foundation/errors.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';

/** The store of keys. Returns undefined for an empty, malformed, unknown or revoked key. */
export interface KeyHolders<Holder> {
  findByKey(key: string): Holder | undefined;
}

/** Returns the holder of a key, whatever its scopes. Throws UNAUTHORIZED with the specification's sentence. */
export function requireValidKey<Holder>(apiKey: string, holders: KeyHolders<Holder>): Holder {
  const holder = holders.findByKey(apiKey);
  if (holder === undefined) {
    throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
  }
  return holder;
}

/**
 * Returns the holder of a key with `scope`. Throws UNAUTHORIZED with the specification's sentence if the key is not
 * valid, and FORBIDDEN if it lacks the scope.
 */
export function requireKeyHolder<Holder extends { scopes: readonly KeyScope[] }>(
  apiKey: string,
  holders: KeyHolders<Holder>,
  scope: KeyScope,
): Holder {
  const holder = requireValidKey(apiKey, holders);
  if (!holder.scopes.includes(scope)) {
    throw new AppError(
      'FORBIDDEN',
      `This API key lacks the scope "${scope}": use a key that has it.`,
      { reason: 'scope' },
    );
  }
  return holder;
}
