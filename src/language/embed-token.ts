/** Writes and reads embed tokens: the service signs them, and the embedded studio reads them. */

/** The claims of a token. */
export interface EmbedClaims {
  /** Id of the API key that created the token. The token becomes invalid with this key. */
  key: number;
  /** Uid of the only template that the token gives access to. */
  template: string;
  /** Whether the token permits publishing. */
  publish: boolean;
  /** Origin of the page that embeds the studio. */
  origin: string;
  /** Expiry as Unix time, in seconds. */
  expires: number;
}

/** Prefix of all embed tokens. No API key of the service begins with it. */
export const embedTokenPrefix = 'embed_';

const tokenPattern = new RegExp(`^${embedTokenPrefix}([\\w-]{1,1000})\\.[\\w-]{43}$`);

/** The part of a token that is signed. All claims are ASCII, also the host names of origins. */
export function writeEmbedClaims({ key, template, publish, origin, expires }: EmbedClaims): string {
  const json = JSON.stringify({ key, template, publish, origin, expires });
  const base64 = btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return embedTokenPrefix + base64;
}

/** The claims of a token, without a check of its signature or expiry. Undefined for a text that is no token. */
export function readEmbedClaims(token: string): EmbedClaims | undefined {
  const [, base64] = tokenPattern.exec(token) ?? [];
  if (base64 === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(base64.replaceAll('-', '+').replaceAll('_', '/')));
    return isClaims(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

function isClaims(value: unknown): value is EmbedClaims {
  if (typeof value !== 'object' || value === null) return false;
  const { key, template, publish, origin, expires } = value as Partial<Record<string, unknown>>;
  return (
    Number.isSafeInteger(key) &&
    typeof template === 'string' &&
    typeof publish === 'boolean' &&
    typeof origin === 'string' &&
    Number.isSafeInteger(expires)
  );
}
