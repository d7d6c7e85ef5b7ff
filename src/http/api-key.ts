/** Finds the organization that an `X-API-Key` header belongs to. */
import { AppError } from '../errors.ts';

/** Whoever knows the keys; undefined for an empty, malformed, unknown or revoked one. */
export interface KeyHolders<Holder> {
  findByKey(key: string): Holder | undefined;
}

/** The organization of a key. Throws UNAUTHORIZED with the specification's sentence when there is none. */
export function requireKeyHolder<Holder>(apiKey: string, holders: KeyHolders<Holder>): Holder {
  const holder = holders.findByKey(apiKey);
  if (holder === undefined) {
    throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
  }
  return holder;
}
