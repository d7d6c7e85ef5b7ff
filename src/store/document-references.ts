/** Indexes which templates name an asset, a font or the brand kit, so that no request reads all documents. */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { namedFamilies } from '#language/font-names.ts';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import { StoreError } from './database/store-error.ts';
import { parseStoredDocument } from './template-document.ts';

export interface DocumentReferences {
  /**
   * Indexes waiting documents of all organizations or of one, up to 512 KiB. True if no document waits any more. Throws
   * a `StoreError`.
   */
  indexSome(organizationUid?: string): boolean;
  /** Describes a user of an asset: a template by its draft or a version, also an archived one, or the brand kit. */
  findAsset(organizationUid: string, id: string): string | undefined;
  /** The uid of a template with this font family in its draft or in a version; case-insensitive. */
  findFamily(organizationUid: string, family: string): string | undefined;
  /** Templates that follow the brand kit, in the draft or in a version, by uid, after the uid `after`. */
  listFollowers(organizationUid: string, after: string, limit: number): string[];
}

/** Characters of one transaction: about 2 ms, or 20 ms with thousands of names. The last document may exceed it. */
const charactersAtOnce = 512 * 1024;
/** Cost of the statements of a document and of a name, as an equivalent in characters. */
const documentCharacters = 4096;
const nameCharacters = 128;

/** Waiting documents that are searched for those of an organization. More wait only after an upgrade. */
const waitingMax = 1000;

/** Documents that use the brand kit contain this text, which is also its name in the index. */
const brandText = '"brand"';

interface WaitingRow {
  template_id: number;
  /** 0 is the draft. */
  version: number;
}

interface DocumentRow {
  uid: string;
  organization_uid: string;
  cid: string;
  json: string;
}

function prepareStatements(db: Database) {
  return {
    /** The extra row shows whether more documents wait. */
    waiting: db.prepare<[], WaitingRow>(
      `SELECT template_id, version FROM unindexed_documents LIMIT ${waitingMax + 1}`,
    ),
    owner: db
      .prepare<[number], string>('SELECT organization_uid FROM templates WHERE id = ?')
      .pluck(),
    draft: db.prepare<[number], DocumentRow>(
      'SELECT uid, organization_uid, draft_cid AS cid, draft_json AS json FROM templates WHERE id = ?',
    ),
    version: db.prepare<[number, number], DocumentRow>(
      `SELECT t.uid, t.organization_uid, v.cid, v.document_json AS json
       FROM template_versions v JOIN templates t ON t.id = v.template_id
       WHERE v.template_id = ? AND v.version = ?`,
    ),
    noteIndexed: db.prepare<[number, number]>(
      'DELETE FROM unindexed_documents WHERE template_id = ? AND version = ?',
    ),
    removeDraft: db.prepare<[string]>(
      'DELETE FROM document_references WHERE template_uid = ? AND is_draft = 1',
    ),
    insert: db.prepare<[Buffer, string, number]>(
      'INSERT INTO document_references VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    find: db
      .prepare<[Buffer, string, number], string>(
        `SELECT DISTINCT template_uid FROM document_references
         WHERE reference = ? AND template_uid > ? ORDER BY template_uid LIMIT ?`,
      )
      .pluck(),
    inBrand: db
      .prepare<[string, string], number>(
        'SELECT 1 FROM brand_kits WHERE organization_uid = ? AND instr(brand_json, ?) > 0',
      )
      .pluck(),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** Creates the index of a connection. */
export function createDocumentReferences(db: Database): DocumentReferences {
  const statements = prepareStatements(db);
  const indexSome: DocumentReferences['indexSome'] = (organizationUid) => {
    if (statements.waiting.get() === undefined) return true;
    return writeTransaction(db, 'Indexing documents', () =>
      indexWaiting(statements, organizationUid),
    );
  };
  /** Indexes waiting documents of the organization first, also one that the caller has just saved. */
  const find = (organizationUid: string, name: string, after = '', limit = 1): string[] => {
    if (!indexSome(organizationUid)) throw stillIndexing();
    return statements.find.all(toReference(organizationUid, name), after, limit);
  };
  return {
    indexSome,
    findAsset(organizationUid, id) {
      const [uid] = find(organizationUid, id);
      if (uid !== undefined) return `the template "${uid}" or a version of it`;
      return statements.inBrand.get(organizationUid, id) === undefined
        ? undefined
        : 'the brand kit';
    },
    findFamily: (organizationUid, family) => find(organizationUid, familyName(family))[0],
    listFollowers: (organizationUid, after, limit) =>
      find(organizationUid, brandText, after, limit),
  };
}

function stillIndexing(): StoreError {
  return new StoreError(
    'BUSY',
    'The documents are being read after an upgrade, so it is not known yet what they name: try again in a moment.',
  );
}

/** Returns whether no document of the organization waits any more. */
function indexWaiting(statements: Statements, organizationUid: string | undefined): boolean {
  let charactersLeft = charactersAtOnce;
  const rows = statements.waiting.all();
  for (const row of rows) {
    if (
      organizationUid !== undefined &&
      statements.owner.get(row.template_id) !== organizationUid
    ) {
      continue;
    }
    if (charactersLeft <= 0) return false;
    charactersLeft -= indexDocument(statements, row);
  }
  return rows.length <= waitingMax;
}

/** Returns the cost, in characters. */
function indexDocument(statements: Statements, { template_id: id, version }: WaitingRow): number {
  const isDraft = version === 0;
  const row = isDraft ? statements.draft.get(id) : statements.version.get(id, version);
  statements.noteIndexed.run(id, version);
  if (row === undefined) return documentCharacters;
  if (isDraft) statements.removeDraft.run(row.uid);
  const names = namesIn(row, isDraft ? 'draft' : `version ${version}`);
  for (const name of names) {
    statements.insert.run(toReference(row.organization_uid, name), row.uid, Number(isDraft));
  }
  return documentCharacters + row.json.length + names.size * nameCharacters;
}

/** Finds assets anywhere in the text of a document, because any text may become the address of an image. */
function namesIn({ uid, cid, json }: DocumentRow, part: string): Set<string> {
  const names = new Set(json.match(/asset:[0-9a-f]{64}/g));
  const document = parseStoredDocument(uid, part, cid, json);
  for (const family of namedFamilies(document)) names.add(familyName(family));
  if (json.includes(brandText)) names.add(brandText);
  return names;
}

function familyName(family: string): string {
  return `font:${family.toLowerCase()}`;
}

/** 16 bytes of a hash, because a document may name thousands of assets. */
function toReference(organizationUid: string, name: string): Buffer {
  return hash('sha256', `${organizationUid} ${name}`, 'buffer').subarray(0, 16);
}

/** Empties the index after documents were replaced without triggers. Does nothing in a schema without it. */
export function forgetReferences(db: Database): void {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'document_references'";
  if (db.prepare(table).get() === undefined) return;
  db.exec(
    `DELETE FROM document_references;
     DELETE FROM unindexed_documents;
     INSERT INTO unindexed_documents SELECT id, 0 FROM templates;
     INSERT INTO unindexed_documents SELECT template_id, version FROM template_versions;`,
  );
}

/** Interval in ms between looks for waiting documents. An earlier search indexes those of its organization. */
const lookEveryMs = 500;

/** Indexes documents while renders continue: all after an upgrade, and later those of other processes. */
export class DocumentIndexer {
  readonly #db: Database;
  readonly #references: DocumentReferences;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isClosed = false;
  /** The last reported error: a full disk would otherwise be reported twice a second. */
  #reported: string | undefined;

  /** `onError` receives failures other than a lock of another process. A repeated failure is reported once. */
  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db;
    this.#references = createDocumentReferences(db);
    this.#onError = onError;
    this.#timer = setInterval(() => void this.indexAll(), lookEveryMs).unref();
  }

  /** Resolves when no document waits any more, or after a failure. */
  indexAll(): Promise<void> {
    this.#running ??= this.#index().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Stops indexing, and resolves when no document is being indexed. Call it before the database is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #index(): Promise<void> {
    try {
      while (!this.#isClosed && !isReadOnlyDatabase(this.#db) && !this.#references.indexSome()) {
        await nextTurn();
      }
      this.#reported = undefined;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'BUSY')) this.#report(error);
    }
  }

  #report(error: unknown): void {
    const text = String(error);
    if (text !== this.#reported) this.#onError(error);
    this.#reported = text;
  }
}
