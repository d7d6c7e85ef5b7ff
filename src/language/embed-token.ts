/** Embed tokens as text: what the service signs, and the studio in a frame reads. */

/** What a token says. */
export interface EmbedClaims {
  /** Id of the API key that it was made with: the token ends with it. */
  key: number;
  /** Uid of the only template that it opens. */
  template: string;
  /** Whether it may publish the template. */
  publish: boolean;
  /** Origin of the page that the frame stands in. */
  origin: string;
  /** Unix time in seconds. */
  expires: number;
}

/** No API key that the service makes begins with it. */
export const embedTokenPrefix = 'embed_';

const tokenPattern = new RegExp(`^${embedTokenPrefix}([\\w-]{1,1000})\\.[\\w-]{43}$`);

/** The part of a token that is signed. The claims are ASCII: origins have their names in ASCII. */
export function writeEmbedClaims({ key, template, publish, origin, expires }: EmbedClaims): string {
  const json = JSON.stringify({ key, template, publish, origin, expires });
  const base64 = btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return embedTokenPrefix + base64;
}

/** The claims of a token, whether it is valid or not; undefined for a text that is none. */
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
