/** Finds which templates name an asset or a font, in their drafts or in any version. */
import type { Database } from './database/database.ts';
import { namedFamilies } from '#language/font-names.ts';

export interface DocumentSearch {
  /** The uid of a template of the organization whose draft or a version of which holds this very text; archived ones count. */
  findText(organizationUid: string, text: string): string | undefined;
  /** The uid of a template whose draft or a version of which names the family, whatever the case of its letters. */
  findFamily(organizationUid: string, family: string): string | undefined;
}

interface DocumentRow {
  uid: string;
  json: string;
}

/** Text of assets ids and family names, as JSON has it, without its quotes. */
const toNeedle = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Documents in which the text of `where`, in which `?` is the document, holds the needle. */
const select = (where: string): string => `
    SELECT uid, draft_json AS json FROM templates
    WHERE organization_uid = @organizationUid AND instr(${where.replace('?', 'draft_json')}, @needle) > 0
    UNION ALL
    SELECT t.uid, v.document_json AS json
    FROM templates t JOIN template_versions v ON v.template_id = t.id
    WHERE t.organization_uid = @organizationUid AND instr(${where.replace('?', 'v.document_json')}, @needle) > 0`;
/** One a connection. A search reads every document of the organization: for rare questions. */
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
      // SQLite lowers ASCII only, so the needle is lowered no further.
      const needle = toNeedle(family).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
      for (const { uid, json } of findAnyCase.iterate({ organizationUid, needle })) {
        if (namesFamily(json, family)) return uid;
      }
      return undefined;
    },
  };
}

/** A text may say the name of a family without being set in it. */
function namesFamily(json: string, family: string): boolean {
  const names = namedFamilies(JSON.parse(json)).map((name) => name.toLowerCase());
  return names.includes(family.toLowerCase());
}
