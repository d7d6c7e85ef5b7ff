/** Finds templates that name an asset or a font, in a draft or in any version. */
import type { Database } from './database/database.ts';
import { namedFamilies } from '#language/font-names.ts';

export interface DocumentSearch {
  /** The uid of a template of the organization with this text in its draft or in a version; archived ones count. */
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
  return {
    findText: (organizationUid, text) =>
      findExact.get({ organizationUid, needle: toNeedle(text) })?.uid,
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
