/** The scopes of API keys. */

/** `read` shows and renders, `write` changes. A key has one or both; neither includes the other. */
export const keyScopes = ['read', 'write'] as const;

export type KeyScope = (typeof keyScopes)[number];
