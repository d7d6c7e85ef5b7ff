/** What an API key may be allowed to do. */

/** `read` shows and draws, `write` changes; a key has one of them or both, and neither includes the other. */
export const keyScopes = ['read', 'write'] as const;

export type KeyScope = (typeof keyScopes)[number];
