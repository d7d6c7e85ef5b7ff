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
import type { FetchFont, RestoreOutcome } from './font-files.ts';
import { toFamilies, toFont } from './font-row.ts';
import type { FontRow, StoredFont } from './font-row.ts';
import { unlessAbsent } from './node-files.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import type { StorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { absentFile } from '../database/shared-port.ts';
import type { FileReader } from '../database/shared-port.ts';

/** The part of the store that published templates need. */
export interface FontLookup {
  /**
   * The organization's font families that a document names. Their files may be missing, until `restoreFiles`. Omits
   * families beyond 64 MiB in total, as if they were missing. `digests` are the fonts of a published version; null: the
   * present fonts.
   */
  findFamilies(
    organizationUid: string,
    document: Template,
    digests?: FontDigests,
  ): OrganizationFontFamily[];
  /**
   * Writes missing or damaged files of these families again. For a minute no other file takes their space. Rejects with
   * a `StoreError` if a file cannot be written, or if the shared database that has it cannot be reached.
   */
  restoreFiles(
    organizationUid: string,
    families: readonly OrganizationFontFamily[],
  ): Promise<RestoreOutcome>;
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
   * Writes missing files of these fonts, or of all, while the limit allows it. Rejects with a `StoreError` if a file
   * cannot be written, or if the shared database cannot be reached.
   */
  bringFiles(fonts?: readonly FontKey[]): Promise<void>;
  /** Removes files that belong to no font; called at the start. Throws a `StoreError`. */
  sweepFiles(): void;
  /** Statistics of the written files, for the metrics. */
  readonly files: Pick<FontFiles, 'bytes' | 'restored'>;
}

/** A font of an organization. */
type FontKey = readonly [organizationUid: string, digest: string];

/** Maximum number of fonts of one organization: some twenty families with all their weights. */
const fontsMax = 200;

const idPattern = /^font:([0-9a-f]{64})$/;

const columns = 'digest, family, family_key, weight, italic, facts, size_bytes, created_at';

interface FontSize {
  organization_uid: string;
  digest: string;
  size_bytes: number;
}

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
    all: db.prepare<[], FontSize>('SELECT organization_uid, digest, size_bytes FROM fonts'),
    size: db.prepare<[string, string], FontSize>(
      'SELECT organization_uid, digest, size_bytes FROM fonts WHERE organization_uid = ? AND digest = ?',
    ),
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
  const files = new FontFiles(directory, db.name, createFetch(source));
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
      const font = { organizationUid, family, digest, bytes, facts };
      change(`Saving font ${digest}`, () => saveFont(statements, quota, font));
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
      const isDeleted = change(`Deleting ${id.slice(0, 80)}`, () =>
        deleteRow(statements, references, organizationUid, row),
      );
      if (isDeleted) files.remove(organizationUid, row.digest);
      return isDeleted;
    },
    findFamilies(organizationUid, document, digests = null) {
      const names = new Set(namedFamilies(document).map((name) => name.toLowerCase()));
      if (names.size === 0 || digests?.length === 0) return [];
      const rows = storeErrors('Reading fonts', () => statements.list.all(organizationUid));
      const wanted = rows.filter(
        ({ family_key: key, digest }) => names.has(key) && (digests?.includes(digest) ?? true),
      );
      return toFamilies(organizationUid, wanted, (row) =>
        files.pathOf(organizationUid, row.digest),
      );
    },
    restoreFiles: (organizationUid, families) =>
      files.restore(organizationUid, digestsOf(families)),
    bringFiles: (keys) => bringFiles(statements, files, keys),
    sweepFiles: () =>
      storeErrors('Listing fonts', () =>
        files.sweep((...key) => statements.size.get(...key) !== undefined),
      ),
    files,
    revision: (organizationUid) =>
      storeErrors('Reading fonts', () => statements.revision.get(organizationUid)) ?? 0,
    onChange: (listener) => void listeners.push(listener),
  };
}

function digestsOf(families: readonly OrganizationFontFamily[]): string[] {
  return families.flatMap((family) => family.files.map(({ digest }) => digest));
}

function createFetch(source: FileReader | undefined): FetchFont {
  return async (organizationUid, digest) => {
    if (source === undefined) throw absentFile(digest);
    const address = { table: 'fonts', organizationUid, digest, column: 'bytes' } as const;
    return source.read({ ...address, fileDigest: digest });
  };
}

async function bringFiles(
  statements: Statements,
  files: FontFiles,
  keys?: readonly FontKey[],
): Promise<void> {
  const rows = storeErrors('Listing fonts', () =>
    keys === undefined
      ? statements.all.all()
      : keys.flatMap((key) => statements.size.get(...key) ?? []),
  );
  for (const { organization_uid: organizationUid, digest, size_bytes: sizeBytes } of rows) {
    if (files.lacks(organizationUid, digest, sizeBytes)) {
      await unlessAbsent(files.bring(organizationUid, digest));
    }
  }
}

/** False if another process has deleted the font. */
function deleteRow(
  statements: Statements,
  references: DocumentReferences,
  organizationUid: string,
  { digest, family }: FontRow,
): boolean {
  const user = references.findFamily(organizationUid, family);
  if (user !== undefined) {
    throw new StoreError(
      'CONFLICT',
      `The font is in use: the template "${user}" or a version of it names the family "${family}".`,
    );
  }
  if (statements.remove.run(organizationUid, digest).changes === 0) return false;
  statements.raise.run(organizationUid);
  return true;
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
