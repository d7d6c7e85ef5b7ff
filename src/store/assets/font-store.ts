/** Fonts of organizations: stored in the database, and written as files for render processes. */
import { hash } from 'node:crypto';
import { namedFamilies } from '#language/font-names.ts';
import type { FontFacts } from '#wire/font-facts.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { organizationFontPrefix } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { createDocumentReferences } from '../document-references.ts';
import type { DocumentReferences } from '../document-references.ts';
import type { FontDigests } from './font-choice.ts';
import { FontFiles } from './font-files.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import type { StorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** A stored font without its bytes. */
export interface StoredFont {
  id: string;
  /** The family's name in templates of the organization. */
  family: string;
  weight: number;
  italic: boolean;
  sizeBytes: number;
  facts: FontFacts;
  created_at: string;
}

/** The part of the store that published templates need. */
export interface FontLookup {
  /**
   * The organization's font families that a document names, with their files written. Families beyond 64 MiB in
   * total are left out, as if they were not installed. Throws a `StoreError` if a file cannot be written.
   * `digests` are the fonts of a published version; null: the present fonts.
   */
  findFamilies(
    organizationUid: string,
    document: Template,
    digests?: FontDigests,
  ): OrganizationFontFamily[];
  /**
   * Writes files of these families again that a render process found missing or damaged. False if one of the fonts
   * was deleted. Throws a `StoreError` if a file cannot be written.
   */
  restoreFiles(families: readonly OrganizationFontFamily[]): boolean;
  /** A number that rises with each added or deleted font, in any process. */
  revision(organizationUid: string): number;
  /** Calls `listener` after each change by this process. */
  onChange(listener: () => void): void;
}

export interface FontStore extends FontLookup {
  /**
   * Stores a checked font under `family` and returns its id, `font:` and the SHA-256 in hexadecimal; equal bytes are
   * stored once, under their first name. Throws a `StoreError`: `TAKEN` if the family has another file of this weight
   * and style, `CONFLICT` over 200 fonts, `QuotaError` if the organization stores too much.
   */
  saveFont(organizationUid: string, family: string, bytes: Uint8Array, facts: FontFacts): string;
  /** All fonts by family, weight and style; at most 200. */
  listFonts(organizationUid: string): StoredFont[];
  findFont(organizationUid: string, id: string): StoredFont | undefined;
  /** False if the organization has no such font. Throws a `StoreError` `CONFLICT` while a template names the family. */
  deleteFont(organizationUid: string, id: string): boolean;
  /** Removes written files that belong to no font, at the start. Throws a `StoreError`. */
  sweepFiles(): void;
  /** Figures of the written files, for the metrics. */
  readonly files: Pick<FontFiles, 'bytes' | 'restored'>;
}

/** Fonts of one organization at most: some twenty families with all their weights. */
const fontsMax = 200;

/** Bytes of the organization's fonts in one document: half of the limit of a render process. */
const documentFontBytesMax = 64 * 1024 * 1024;

const idPattern = /^font:([0-9a-f]{64})$/;

interface FontRow {
  digest: string;
  family: string;
  family_key: string;
  weight: number;
  italic: number;
  facts: string;
  size_bytes: number;
  created_at: string;
}

const columns = 'digest, family, family_key, weight, italic, facts, size_bytes, created_at';

function prepareStatements(db: Database) {
  return {
    insert: db.prepare<
      [string, string, string, string, number, number, string, number, string, Uint8Array]
    >(
      `INSERT INTO fonts (organization_uid, digest, family, family_key, weight, italic, facts, size_bytes, created_at, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    list: db.prepare<[string], FontRow>(
      `SELECT ${columns} FROM fonts WHERE organization_uid = ? ORDER BY family_key, weight, italic`,
    ),
    find: db.prepare<[string, string], FontRow>(
      `SELECT ${columns} FROM fonts WHERE organization_uid = ? AND digest = ?`,
    ),
    findFace: db.prepare<[string, string, number, number], FontRow>(
      `SELECT ${columns} FROM fonts
       WHERE organization_uid = ? AND family_key = ? AND weight = ? AND italic = ?`,
    ),
    bytes: db.prepare<[string], Buffer>('SELECT bytes FROM fonts WHERE digest = ? LIMIT 1').pluck(),
    digests: db.prepare<[], string>('SELECT DISTINCT digest FROM fonts').pluck(),
    isStored: db.prepare<[string], number>('SELECT 1 FROM fonts WHERE digest = ? LIMIT 1').pluck(),
    remove: db.prepare<[string, string]>(
      'DELETE FROM fonts WHERE organization_uid = ? AND digest = ?',
    ),
    raise: db.prepare<[string]>(
      'UPDATE organizations SET fonts_revision = fonts_revision + 1 WHERE uid = ?',
    ),
    revision: db
      .prepare<[string], number>('SELECT fonts_revision FROM organizations WHERE uid = ?')
      .pluck(),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** One store for each connection. Files are written to `directory`, which is created at the first use. */
export function createFontStore(
  db: Database,
  directory: string,
  storageBytesMax?: number,
): FontStore {
  const statements = prepareStatements(db);
  const quota = createStorageQuota(db, storageBytesMax);
  const references = createDocumentReferences(db);
  const files = new FontFiles(directory, (digest) => statements.bytes.get(digest));
  const listeners: (() => void)[] = [];
  const change = <Result>(doing: string, work: () => Result): Result => {
    try {
      return writeTransaction(db, doing, work);
    } finally {
      for (const listener of listeners) listener();
    }
  };
  const find = (organizationUid: string, id: string): FontRow | undefined => {
    const digest = idPattern.exec(id)?.[1];
    if (digest === undefined) return undefined;
    return storeErrors(`Reading font ${digest}`, () =>
      statements.find.get(organizationUid, digest),
    );
  };

  return {
    saveFont(organizationUid, family, bytes, facts) {
      const digest = hash('sha256', bytes, 'hex');
      change(`Saving font ${digest}`, () =>
        saveFont(statements, quota, { organizationUid, family, digest, bytes, facts }),
      );
      return `font:${digest}`;
    },
    listFonts: (organizationUid) =>
      storeErrors('Listing fonts', () => statements.list.all(organizationUid).map(toFont)),
    findFont(organizationUid, id) {
      const row = find(organizationUid, id);
      return row && toFont(row);
    },
    deleteFont(organizationUid, id) {
      const row = find(organizationUid, id);
      if (row === undefined) return false;
      const deleted = change(`Deleting ${id.slice(0, 80)}`, () =>
        deleteRow(statements, references, organizationUid, row),
      );
      if (deleted?.isLast === true) files.remove(row.digest);
      return deleted !== undefined;
    },
    findFamilies(organizationUid, document, digests = null) {
      const names = new Set(namedFamilies(document).map((name) => name.toLowerCase()));
      if (names.size === 0 || digests?.length === 0) return [];
      const rows = storeErrors('Reading fonts', () => statements.list.all(organizationUid));
      const wanted = rows.filter(
        ({ family_key: key, digest }) => names.has(key) && (digests?.includes(digest) ?? true),
      );
      return toFamilies(organizationUid, wanted, (row) => files.layOut(row.digest, row.size_bytes));
    },
    restoreFiles: (families) =>
      files.restore(families.flatMap((family) => family.files.map(({ digest }) => digest))),
    sweepFiles: () =>
      storeErrors('Listing fonts', () => files.sweep(new Set(statements.digests.all()))),
    files,
    revision: (organizationUid) => statements.revision.get(organizationUid) ?? 0,
    onChange: (listener) => void listeners.push(listener),
  };
}

/** Undefined if another process has deleted it; `isLast` if no other organization has the same file. */
function deleteRow(
  statements: Statements,
  references: DocumentReferences,
  organizationUid: string,
  { digest, family }: FontRow,
): { isLast: boolean } | undefined {
  const user = references.findFamily(organizationUid, family);
  if (user !== undefined) {
    throw new StoreError(
      'CONFLICT',
      `The font is in use: the template "${user}" or a version of it names the family "${family}".`,
    );
  }
  if (statements.remove.run(organizationUid, digest).changes === 0) return undefined;
  statements.raise.run(organizationUid);
  return { isLast: statements.isStored.get(digest) === undefined };
}

/** A font to store. */
interface NewFont {
  organizationUid: string;
  family: string;
  digest: string;
  bytes: Uint8Array;
  facts: FontFacts;
}

function saveFont(
  statements: Statements,
  quota: StorageQuota,
  { organizationUid, family, digest, bytes, facts }: NewFont,
): void {
  if (statements.find.get(organizationUid, digest) !== undefined) return;
  const key = family.toLowerCase();
  const { weight, italic } = facts;
  const face = statements.findFace.get(organizationUid, key, weight, Number(italic));
  if (face !== undefined) {
    throw new StoreError(
      'TAKEN',
      `The family "${face.family}" has a file of weight ${weight}${italic ? ' italic' : ''} already: upload this one with ?family=, under another name.`,
    );
  }
  if (statements.list.all(organizationUid).length >= fontsMax) {
    throw new StoreError(
      'CONFLICT',
      `The organization has ${fontsMax} fonts, the most there may be: delete one that is not used.`,
    );
  }
  quota.check(organizationUid, bytes.byteLength);
  statements.insert.run(
    organizationUid,
    digest,
    family,
    key,
    weight,
    Number(italic),
    JSON.stringify(facts),
    bytes.byteLength,
    new Date().toISOString(),
    bytes,
  );
  statements.raise.run(organizationUid);
}

function toFont(row: FontRow): StoredFont {
  return {
    id: `font:${row.digest}`,
    family: row.family,
    weight: row.weight,
    italic: row.italic === 1,
    sizeBytes: row.size_bytes,
    facts: JSON.parse(row.facts) as FontFacts,
    created_at: row.created_at,
  };
}

/** Groups rows, which are sorted by family, into families; `pathOf` writes a file. */
function toFamilies(
  organizationUid: string,
  rows: readonly FontRow[],
  pathOf: (row: FontRow) => string,
): OrganizationFontFamily[] {
  const families: OrganizationFontFamily[] = [];
  let bytesLeft = documentFontBytesMax;
  for (const [key, faces] of Map.groupBy(rows, (row) => row.family_key)) {
    const sizeBytes = faces.reduce((sum, row) => sum + row.size_bytes, 0);
    if (sizeBytes > bytesLeft) continue;
    bytesLeft -= sizeBytes;
    const digests = faces.map(({ digest }) => digest);
    const alias = hash('sha256', JSON.stringify([organizationUid, key, digests]), 'hex');
    families.push({
      name: faces[0]?.family ?? key,
      alias: organizationFontPrefix + alias.slice(0, 32),
      files: faces.map((row) => ({
        path: pathOf(row),
        digest: row.digest,
        sizeBytes: row.size_bytes,
        weight: row.weight,
        italic: row.italic === 1,
        axes: (JSON.parse(row.facts) as FontFacts).axes,
      })),
    });
  }
  return families;
}
