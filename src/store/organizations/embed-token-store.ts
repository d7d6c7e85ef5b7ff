/** Creates and checks embed tokens, which are signed with a secret of their API key and are not stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EmbedClaims } from '#language/embed-token.ts';
import { readEmbedClaims, writeEmbedClaims } from '#language/embed-token.ts';
import type { KeyHolder } from './api-key-store.ts';
import type { EmbedRights } from './api-key.ts';
import { parseScopes } from './api-key.ts';
import type { Database } from '../database/database.ts';
import { createRandomId, writeTransaction } from '../database/database.ts';
import { storeErrors } from '../database/store-error.ts';

/** The holder of an embed token: the holder of its key, with restricted rights. */
export interface EmbedHolder extends KeyHolder {
  embed: EmbedRights;
}

export interface EmbedTokenStore {
  /**
   * Creates a token that is valid for some seconds; undefined if the key was revoked. The first token of a key stores
   * the secret of the key.
   */
  createEmbedToken(
    claims: Omit<EmbedClaims, 'expires'>,
    seconds: number,
  ): { token: string; expires_at: string } | undefined;
  /**
   * The holder of a token. Undefined if the token is not valid or has expired, or if its key was revoked. Never stale:
   * it takes one SELECT and an HMAC.
   */
  findByEmbedToken(token: string): EmbedHolder | undefined;
}

/** Length of a secret: 256 bits, as many as HMAC-SHA256 can use (RFC 2104 section 3). */
const secretCharacters = 43;

interface SecretRow {
  embed_secret: string;
  scopes: string;
  uid: string;
  name: string;
}

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createEmbedTokenStore(db: Database, nowMs: () => number): EmbedTokenStore {
  const find = db.prepare<[number], SecretRow>(
    `SELECT k.embed_secret, k.scopes, o.uid, o.name
     FROM api_keys k JOIN organizations o ON o.uid = k.organization_uid
     WHERE k.id = ? AND k.revoked_at IS NULL AND k.embed_secret IS NOT NULL`,
  );
  const setSecret = db.prepare<[string, number]>(
    `UPDATE api_keys SET embed_secret = ?
     WHERE id = ? AND revoked_at IS NULL AND embed_secret IS NULL`,
  );
  const findRow = (keyId: number): SecretRow | undefined =>
    storeErrors('Looking up the key of an embed token', () => find.get(keyId));
  return {
    createEmbedToken(claims, seconds) {
      if (findRow(claims.key) === undefined) {
        const secret = createRandomId('', secretCharacters);
        writeTransaction(db, 'Storing the secret of embed tokens', () =>
          setSecret.run(secret, claims.key),
        );
      }
      const row = findRow(claims.key);
      if (row === undefined) return undefined;
      const expires = Math.floor(nowMs() / 1000) + seconds;
      const signed = writeEmbedClaims({ ...claims, expires });
      return {
        token: `${signed}.${signatureOf(signed, row.embed_secret)}`,
        expires_at: new Date(expires * 1000).toISOString(),
      };
    },
    findByEmbedToken(token) {
      const claims = readEmbedClaims(token);
      if (claims === undefined) return undefined;
      const row = findRow(claims.key);
      const dot = token.lastIndexOf('.');
      if (row === undefined) return undefined;
      const expected = Buffer.from(signatureOf(token.slice(0, dot), row.embed_secret));
      if (!timingSafeEqual(expected, Buffer.from(token.slice(dot + 1)))) return undefined;
      if (nowMs() >= claims.expires * 1000) return undefined;
      const { key: keyId, template, publish } = claims;
      const { uid, name } = row;
      // The access to links is not part of the design that a token opens.
      const scopes = parseScopes(row.scopes).filter((scope) => scope !== 'access');
      return { uid, name, keyId, scopes, embed: { template, publish } };
    },
  };
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
