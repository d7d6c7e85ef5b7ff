/** What documents name: an index from assets, fonts and the brand kit to templates, so that no request reads all documents. */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { namedFamilies } from '#language/font-names.ts';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import { StoreError } from './database/store-error.ts';
import { parseStoredDocument } from './template-document.ts';

export interface DocumentReferences {
  /**
   * Adds documents that wait, of all organizations or of one, up to 512 KiB. True if none waits any more.
   * Throws a `StoreError`.
   */
  indexSome(organizationUid?: string): boolean;
  /** What names an asset, in words: a template by its draft or a version, archived ones too, or the brand kit. */
  findAsset(organizationUid: string, id: string): string | undefined;
  /** The uid of a template with this font family in its draft or in a version; case-insensitive. */
  findFamily(organizationUid: string, family: string): string | undefined;
  /** Templates that follow the brand kit, in the draft or in a version, by uid, after the uid `after`. */
  listFollowers(organizationUid: string, after: string, limit: number): string[];
}

/** Documents of one transaction, characters: some 2 ms, and 20 ms with thousands of names. The last one may exceed it. */
const charactersAtOnce = 512 * 1024;
/** What the statements of a document and of a name cost, in characters. */
const documentCharacters = 4096;
const nameCharacters = 128;

/** Waiting documents among which one organization's are looked for. More wait only after an upgrade. */
const waitingMax = 1000;

/** In the documents and in the index. */
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
    /** The row after the last one tells whether there are more. */
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

/** One for each connection. */
export function createDocumentReferences(db: Database): DocumentReferences {
  const statements = prepareStatements(db);
  const indexSome: DocumentReferences['indexSome'] = (organizationUid) => {
    if (statements.waiting.get() === undefined) return true;
    return writeTransaction(db, 'Indexing documents', () =>
      indexWaiting(statements, organizationUid),
    );
  };
  /** The search of a caller sees each document of the organization: its own of this moment, too. */
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

/** Any text may become the address of an image, so assets count wherever they stand. */
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

/** Short, because a document may name thousands of assets. */
function toReference(organizationUid: string, name: string): Buffer {
  return hash('sha256', `${organizationUid} ${name}`, 'buffer').subarray(0, 16);
}

/** Empties the index of a database whose documents were replaced without triggers; all wait again. An older schema has none. */
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

/** How often the service looks for documents that wait, ms. A search that comes first indexes its organization's. */
const lookEveryMs = 500;

/** Indexes documents while renders continue: those of an upgraded database, and later what other processes and nodes save. */
export class DocumentIndexer {
  readonly #db: Database;
  readonly #references: DocumentReferences;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isClosed = false;
  /** A full disk fails twice a second. */
  #reported: string | undefined;

  /** `onError` gets other failures than a lock of another process, each once until a success or another one. */
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

  /** Resolves when nothing is indexed. Call it before the database is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #index(): Promise<void> {
    try {
      while (!this.#isClosed && !isReadOnlyDatabase(this.#db) && !this.#references.indexSome()) {
        // oxlint-disable-next-line no-await-in-loop -- part after part
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
