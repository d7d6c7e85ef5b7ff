/** `platen sign`: signs a link of a template that accepts only signed links. */
import { uidSource } from '#language/uid.ts';
import { existsSync } from 'node:fs';
import { loadConfig } from '../settings.ts';
import { signRenderUrl } from '../client/platen-client.ts';
import { createSigningKeyStore } from '../store/organizations/signing-key-store.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { parseExpiry } from './expiry.ts';
import { databasePath, withLocalDatabase } from './local-database.ts';
import type { Terminal } from './terminal.ts';

export interface SignOptions {
  expires?: string;
  key?: string;
}

/** Signs a link and prints it. JSON: `{"url","expires":"2030-01-31T00:00:00.000Z"|null}`. */
export async function sign(
  link: string,
  options: SignOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { origin, path, uid, query } = parseLink(link);
  if (options.key !== undefined) {
    terminal.warn(
      'a key among the arguments is shown to everybody by the list of processes and kept by the shell: better PLATEN_SIGNING_KEY.',
    );
  }
  const expires = options.expires === undefined ? undefined : parseExpiry(options.expires);
  const key = options.key ?? loadConfig().commands.signingKey ?? (await findKey(uid));
  const segments = query
    .split(/&(?:amp;)*/)
    .filter(
      (segment) => segment !== '' && (expires === undefined || !/^_expires(=|$)/.test(segment)),
    );
  if (expires !== undefined) segments.push(`_expires=${Math.floor(expires / 1000)}`);
  const url = await signRenderUrl(`${origin}${path}?${segments.join('&')}`, key);
  const until = expires === undefined ? null : new Date(expires).toISOString();
  terminal.result({ url, expires: until }, url);
  return exitCodes.ok;
}

const linkPattern = new RegExp(
  String.raw`^(?<origin>https?://[^/?#\s]+(?:/[^?#\s]*?)?)?(?<path>/v1/render/(?<uid>${uidSource})(?:\.[A-Za-z]{3,4})?)(?:\?(?<query>[^#\s]*))?$`,
);

/** Splits a link into its parts. */
function parseLink(link: string): { origin: string; path: string; uid: string; query: string } {
  const { origin = '', path, uid, query = '' } = linkPattern.exec(link)?.groups ?? {};
  if (path === undefined || uid === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `"${link}" is no render link: expected https://…/v1/render/<uid>?name=value, or the same from /v1 on, encoded as it is sent.`,
    );
  }
  return { origin, path, uid, query };
}

/** The newest signing key of the template in the local database. */
function findKey(uid: string): Promise<string> {
  const path = databasePath(loadConfig());
  if (!existsSync(path)) {
    throw new CommandError(
      exitCodes.noInput,
      `There is no database ${path} to take the signing key from: set PLATEN_SIGNING_KEY, or PLATEN_DATA_DIR.`,
    );
  }
  return withLocalDatabase({ mayCreate: false }, ({ db }) => {
    const [newest] = createSigningKeyStore(db, Date.now).findSigningKeys(uid);
    if (newest !== undefined) return newest;
    throw new CommandError(
      exitCodes.noInput,
      `The template ${uid} has no signing key: make one with POST /v1/templates/${uid}/signing-keys.`,
    );
  });
}
