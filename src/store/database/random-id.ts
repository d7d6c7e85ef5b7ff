/** Makes identifiers and keys that nobody can guess. */
import { randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `prefix` and `characters` random ones of `0-9A-Za-z`, each of the 62 equally likely (5.95 bits). */
export function createRandomId(prefix: string, characters: number): string {
  let id = prefix;
  for (let count = 0; count < characters; count += 1) id += base62.charAt(randomInt(62));
  return id;
}
