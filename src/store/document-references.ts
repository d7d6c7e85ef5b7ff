/** What documents refer to: the assets and the fonts that they name. */
import type { Database } from './database/database.ts';
import { namedFamilies } from '#language/font-names.ts';
import type { Template } from '#language/schema/template.ts';

export interface DocumentSearch {
  /** What has this text, in words: a template by its draft or a version, archived ones too, or the brand kit. */
  findText(organizationUid: string, text: string): string | undefined;
  /** The uid of a template with this font family in its draft or in a version; case-insensitive. */
  findFamily(organizationUid: string, family: string): string | undefined;
}

interface DocumentRow {
  uid: string;
  json: string;
}

/** An asset id or a family name as JSON text, without quotes. */
const toNeedle = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Documents for which the condition `where` holds; `?` is the document. */
const select = (where: string): string => `
    SELECT uid, draft_json AS json FROM templates
    WHERE organization_uid = @organizationUid AND instr(${where.replace('?', 'draft_json')}, @needle) > 0
    UNION ALL
    SELECT t.uid, v.document_json AS json
    FROM templates t JOIN template_versions v ON v.template_id = t.id
    WHERE t.organization_uid = @organizationUid AND instr(${where.replace('?', 'v.document_json')}, @needle) > 0`;
/** One for each connection. A search reads every document of the organization, so use it rarely. */
export function createDocumentSearch(db: Database): DocumentSearch {
  const findExact = db.prepare<{ organizationUid: string; needle: string }, DocumentRow>(
    `SELECT uid FROM (${select('?')}) LIMIT 1`,
  );
  const findAnyCase = db.prepare<{ organizationUid: string; needle: string }, DocumentRow>(
    select('lower(?)'),
  );
  const inBrand = db.prepare<[string, string], number>(
    'SELECT 1 FROM brand_kits WHERE organization_uid = ? AND instr(brand_json, ?) > 0',
  );
  return {
    findText(organizationUid, text) {
      const needle = toNeedle(text);
      const uid = findExact.get({ organizationUid, needle })?.uid;
      if (uid !== undefined) return `the template "${uid}" or a version of it`;
      return inBrand.get(organizationUid, needle) === undefined ? undefined : 'the brand kit';
    },
    findFamily(organizationUid, family) {
      // SQLite lowers ASCII only, so the needle is lowered in the same way.
      const needle = toNeedle(family).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
      for (const { uid, json } of findAnyCase.iterate({ organizationUid, needle })) {
        if (namesFamily(json, family)) return uid;
      }
      return undefined;
    },
  };
}

/** A document may contain the name of a family as text, without the font. */
function namesFamily(json: string, family: string): boolean {
  const names = namedFamilies(JSON.parse(json)).map((name) => name.toLowerCase());
  return names.includes(family.toLowerCase());
}

// The fonts of the organization that a document names: found at publication, stored with the version.

/** Digests of fonts (SHA-256, hexadecimal); null for an old version without them, which uses the present fonts. */
export type FontDigests = readonly string[] | null;

/** Finds the digests of the organization's fonts that a document names, in ascending order. */
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

/** Parses the digests of a version's column. */
export function parseFontDigests(json: string | null): FontDigests {
  return json === null ? null : (JSON.parse(json) as string[]);
}
