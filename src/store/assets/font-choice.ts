/** Finds the organization's fonts that a document names. Publication stores them with the version. */
import { namedFamilies } from '#language/font-names.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from '../database/database.ts';

/** Digests of fonts (SHA-256, hexadecimal). Null for an old version without digests, which uses the present fonts. */
export type FontDigests = readonly string[] | null;

/** Creates a function that finds the digests of the organization's fonts that a document names, in ascending order. */
export function createFontChoice(
  db: Database,
): (organizationUid: string, document: Template) => string[] {
  const list = db.prepare<[string], { digest: string; family_key: string }>(
    'SELECT digest, family_key FROM fonts WHERE organization_uid = ? ORDER BY digest',
  );
  return (organizationUid, document) => {
    const names = new Set(namedFamilies(document).map((name) => name.toLowerCase()));
    if (names.size === 0) return [];
    const named = list.all(organizationUid).filter(({ family_key: key }) => names.has(key));
    return named.map(({ digest }) => digest);
  };
}

/** Parses the column of a version that has its digests. */
export function parseFontDigests(json: string | null): FontDigests {
  return json === null ? null : (JSON.parse(json) as string[]);
}
