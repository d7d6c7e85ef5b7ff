/** Stores fonts of organizations in the database, and writes them as files for render hosts. */
import { hash } from 'node:crypto';
import { namedFamilies } from '#language/font-names.ts';
import type { FontFacts } from '#wire/font-facts.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { createDocumentReferences } from '../document-references.ts';
import type { DocumentReferences } from '../document-references.ts';
import type { FontDigests } from './font-choice.ts';
import { FontFiles } from './font-files.ts';
import type { ReadFont } from './font-files.ts';
import { toFamilies, toFont } from './font-row.ts';
import type { FontRow, StoredFont } from './font-row.ts';
import { unlessAbsent } from './node-files.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import type { StorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { afterStored } from '../database/write-route.ts';
import { absentFile, isApart } from '../database/shared-port.ts';
import type { FileReader } from '../database/shared-port.ts';

/** The part of the store that published templates need. */
export interface FontLookup {
  /**
   * The organization's font families that a document names. Writes their files. Omits families beyond 64 MiB in total,
   * as if they were missing. `digests` are the fonts of a published version; null: the present fonts. Throws a
   * `StoreError` if a file cannot be written.
   */
  findFamilies(
    organizationUid: string,
    document: Template,
    digests?: FontDigests,
  ): OrganizationFontFamily[];
  /**
   * Writes missing or damaged files of these families again. False if one of the fonts was deleted. Rejects with a
   * `StoreError` if a file cannot be written, or if the shared database that has it cannot be reached.
   */
  restoreFiles(families: readonly OrganizationFontFamily[]): Promise<boolean>;
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
  /** Deletes a font; false if there is none. Throws a `StoreError` `CONFLICT` while a template names the family. */
  deleteFont(organizationUid: string, id: string): boolean;
  /**
   * Writes missing files of these fonts, or of all, on a node while the limit allows it. Rejects with a `StoreError` if
   * the shared database cannot be reached.
   */
  bringFiles(digests?: readonly string[]): Promise<void>;
  /** Removes files that belong to no font; called at the start. Throws a `StoreError`. */
  sweepFiles(): void;
  /** Statistics of the written files, for the metrics. */
  readonly files: Pick<FontFiles, 'bytes' | 'restored'>;
}

/** Maximum number of fonts of one organization: some twenty families with all their weights. */
const fontsMax = 200;

const idPattern = /^font:([0-9a-f]{64})$/;

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
    bytes: db.prepare<[string], { organization_uid: string; bytes: Buffer }>(
      'SELECT organization_uid, bytes FROM fonts WHERE digest = ? LIMIT 1',
    ),
    digests: db.prepare<[], string>('SELECT DISTINCT digest FROM fonts').pluck(),
    size: db
      .prepare<[string], number>('SELECT size_bytes FROM fonts WHERE digest = ? LIMIT 1')
      .pluck(),
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

/**
 * Creates the store of a connection. Writes files to `directory`, which is created at the first use. A node of a shared
 * database reads fonts from `source`.
 */
export function createFontStore(
  db: Database,
  directory: string,
  storageBytesMax?: number,
  source?: FileReader,
): FontStore {
  const statements = prepareStatements(db);
  const quota = createStorageQuota(db, storageBytesMax);
  const references = createDocumentReferences(db);
  const files = new FontFiles(directory, createReader(statements, source));
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
    return storeErrors('Reading a font', () => statements.find.get(organizationUid, digest));
  };

  return {
    saveFont(organizationUid, family, bytes, facts) {
      const digest = hash('sha256', bytes, 'hex');
      change(`Saving font ${digest}`, () =>
        saveFont(statements, quota, { organizationUid, family, digest, bytes, facts }),
      );
      // A node's row does not contain the bytes, so the file is written from the upload.
      if (source !== undefined) afterStored(() => files.write(digest, bytes));
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
    bringFiles: (digests) => bringFiles(statements, files, digests),
    sweepFiles: () =>
      storeErrors('Listing fonts', () => files.sweep(new Set(statements.digests.all()))),
    files,
    revision: (organizationUid) =>
      storeErrors('Reading fonts', () => statements.revision.get(organizationUid)) ?? 0,
    onChange: (listener) => void listeners.push(listener),
  };
}

function createReader(statements: Statements, source: FileReader | undefined): ReadFont {
  return (digest) => {
    const found = storeErrors(`Reading font ${digest}`, () => statements.bytes.get(digest));
    if (found === undefined || !isApart(found.bytes)) return found?.bytes;
    if (source === undefined) throw absentFile(digest);
    const { organization_uid: organizationUid } = found;
    const address = { table: 'fonts', organizationUid, digest, column: 'bytes' } as const;
    return source.read({ ...address, fileDigest: digest });
  };
}

async function bringFiles(
  statements: Statements,
  files: FontFiles,
  digests: readonly string[] = storeErrors('Listing fonts', () => statements.digests.all()),
): Promise<void> {
  for (const digest of digests) {
    const sizeBytes = storeErrors(`Reading font ${digest}`, () => statements.size.get(digest));
    if (sizeBytes === undefined || !files.lacks(digest, sizeBytes)) continue;
    await unlessAbsent(files.bring(digest));
  }
}

/** Undefined if another process has deleted the font. `isLast` if no other organization has the same file. */
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
