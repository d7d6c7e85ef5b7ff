/** Creates random identifiers and keys. */
import { randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates `prefix` and `characters` random characters of `0-9A-Za-z`, uniformly distributed (5.95 bits each). */
export function createRandomId(prefix: string, characters: number): string {
  let id = prefix;
  for (let count = 0; count < characters; count += 1) id += base62.charAt(randomInt(62));
  return id;
}
