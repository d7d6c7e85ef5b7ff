/** Caches published templates in memory. A cached template is stale for at most 100 ms. */
import type { OrganizationFontFamily } from '#wire/render-job.ts';
import { withAtZero } from '#language/access.ts';
import { linkOptionNames } from '#language/schema/access.ts';
import type { Access } from '#language/schema/access.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { SharedCache } from '../foundation/shared-cache.ts';
import { createChangeWatch } from './database/change-watch.ts';
import type { Database } from './database/database.ts';
import type { FontLookup } from './assets/font-store.ts';
import { storeErrors } from './database/store-error.ts';
import { parseStoredDocument, partSizes, templateKeyOf, documentCid } from './template-document.ts';
import { documentReadsTables, TemplateLink, unpublishedLink } from './template-link.ts';
import type { Newness, PublishedLink } from './template-link.ts';
import { parseFontDigests } from './assets/font-choice.ts';
import { accessJoin, toAccess } from './organizations/access-store.ts';
import type { AccessRow } from './organizations/access-store.ts';

/** An immutable published version. Callers share the object and its document. */
export interface PublishedTemplate extends PublishedLink {
  readonly cid: string;
  /** Identifies organization, document and fonts: equal keys have equal images. Part of `RenderJob`. */
  readonly templateKey: string;
  readonly documentJson: string;
  /** The document that is rendered, without sizes. */
  readonly document: Template;
  /** The document with its sizes; undefined if it has none, and for a size. See `templateInSize`. */
  readonly sizedDocument: Template | undefined;
  readonly variables: ReadonlyMap<string, Variable>;
  /** The organization's font families at the time of publication; their files are part of `templateKey`. */
  readonly fonts: readonly OrganizationFontFamily[];
  /**
   * The state of its links. Caches of answers keep this instead of the template, which would keep a document in memory.
   */
  readonly link: PublishedLink;
}

/** A published document that is not in memory. */
export interface UnreadDocument {
  organizationUid: string;
  bytes: number;
}

export interface PublishedCache {
  find(uid: string, version?: number): PublishedTemplate | undefined;
  /** What `find` would read from the database, without reading the document; undefined for one in memory, and for none. */
  findUnread(uid: string, version?: number): UnreadDocument | undefined;
  noteChange(): void;
  clear(): void;
}

/**
 * Limits for newest versions, in characters of JSON text. A parsed document takes about five times its text: at most
 * some 400 MiB.
 */
const newestCacheLimits = { templatesMax: 2000, jsonCharactersMax: 64 * 1024 * 1024 };
/** Limits for links with `_version`, which are for proofs and old emails: a quarter of the cache. */
const pinnedCacheLimits = { templatesMax: 500, jsonCharactersMax: 16 * 1024 * 1024 };

interface PublishedRow extends AccessRow {
  organization_uid: string;
  version: number;
  cid: string;
  document_json: string;
  font_digests: string | null;
}

class PublishedEntry implements PublishedTemplate {
  readonly uid: string;
  readonly organizationUid: string;
  readonly version: number;
  readonly cid: string;
  readonly templateKey: string;
  readonly documentJson: string;
  readonly document: Template;
  readonly sizedDocument: Template | undefined;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly fonts: readonly OrganizationFontFamily[];
  readonly link: TemplateLink;
  readonly #access: Access;

  /** The caller reads `generation` before `row`, so that a commit between them is detected. */
  constructor(
    uid: string,
    row: PublishedRow,
    generation: number,
    newness: Newness,
    newest?: PublishedEntry,
  ) {
    this.uid = uid;
    this.organizationUid = row.organization_uid;
    this.version = row.version;
    this.cid = row.cid;
    const part = `version ${row.version}`;
    const stored = parseStoredDocument(uid, part, row.cid, row.document_json);
    this.#access = newest === undefined ? toAccess(row) : newest.#access;
    const { linkAuth, linkOptions } = this.#access;
    const live = withAtZero(stored, this.#access);
    const { document, documentJson, sizedDocument } = partSizes(live, row.document_json);
    this.document = document;
    this.documentJson = documentJson;
    this.sizedDocument = sizedDocument;
    this.variables = new Map(this.document.variables.map((variable) => [variable.name, variable]));
    // Read before the fonts, like the generation before the row.
    const digests = parseFontDigests(row.font_digests);
    const fontsRevision =
      digests === null ? newness.fonts.revision(row.organization_uid) : undefined;
    this.fonts = newness.fonts.findFamilies(row.organization_uid, this.document, digests);
    this.templateKey = templateKeyOf(row.organization_uid, row.cid, this.fonts);
    const { maxAgeSeconds } = this.document;
    this.link = new TemplateLink(
      {
        uid,
        organizationUid: row.organization_uid,
        version: row.version,
        linkAuth,
        linkOptions: linkOptions.length === linkOptionNames.length ? undefined : linkOptions,
        pinned: newest !== undefined,
        maxAgeSeconds,
        readsTables: documentReadsTables(this.document),
        revision: newest?.link.revision ?? `${row.version} ${row.access ?? ''}`,
        fontsRevision,
      },
      generation,
      newness,
    );
  }

  get linkAuth(): PublishedLink['linkAuth'] {
    return this.link.linkAuth;
  }

  get linkOptions(): PublishedLink['linkOptions'] {
    return this.link.linkOptions;
  }

  get pinned(): boolean {
    return this.link.pinned;
  }

  get maxAgeSeconds(): number | undefined {
    return this.link.maxAgeSeconds;
  }

  get readsTables(): boolean {
    return this.link.readsTables;
  }

  get isCurrent(): boolean {
    return this.link.isCurrent;
  }
}

function createEntryCache(limits: typeof newestCacheLimits): SharedCache<PublishedEntry> {
  const { templatesMax, jsonCharactersMax } = limits;
  return new SharedCache({
    sizeMax: jsonCharactersMax,
    sizeOf: (entry, key) => {
      // Each size has a separate document.
      const documents = 1 + (entry.sizedDocument?.sizes?.length ?? 0);
      const characters = key.length + entry.documentJson.length * documents;
      return Math.max(characters, Math.floor(jsonCharactersMax / templatesMax));
    },
  });
}

const sizeColumns = 't.organization_uid AS organizationUid, octet_length(v.document_json) AS bytes';

function prepareStatements(db: Database) {
  return {
    revision: db
      .prepare<[string], string | null>(
        `SELECT t.published_version || ' ' || coalesce(a.access, '') FROM templates t ${accessJoin}
       WHERE t.uid = ? AND t.archived_at IS NULL`,
      )
      .pluck(),
    newest: db.prepare<[string], PublishedRow>(
      `SELECT t.organization_uid, v.version, v.cid, v.document_json, v.font_digests, a.access
     FROM templates t ${accessJoin}
     JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
     WHERE t.uid = ? AND t.archived_at IS NULL`,
    ),
    pinned: db.prepare<[string, number], PublishedRow>(
      `SELECT t.organization_uid, v.version, v.cid, v.document_json, v.font_digests, NULL AS access
     FROM templates t JOIN template_versions v ON v.template_id = t.id
     WHERE t.uid = ? AND v.version = ? AND t.archived_at IS NULL`,
    ),
    newestSize: db.prepare<[string], UnreadDocument>(
      `SELECT ${sizeColumns} FROM templates t
     JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
     WHERE t.uid = ? AND t.archived_at IS NULL`,
    ),
    pinnedSize: db.prepare<[string, number], UnreadDocument>(
      `SELECT ${sizeColumns} FROM templates t JOIN template_versions v ON v.template_id = t.id
     WHERE t.uid = ? AND v.version = ? AND t.archived_at IS NULL`,
    ),
  };
}

/** Creates the cache, which reads a template at its first request. `nowMs` is a monotonic clock. */
export function createPublishedCache(
  db: Database,
  nowMs: () => number,
  fonts: FontLookup,
): PublishedCache {
  const newestByUid = createEntryCache(newestCacheLimits);
  const pinnedByUidAndVersion = createEntryCache(pinnedCacheLimits);
  const watch = createChangeWatch(db, nowMs);
  const statements = prepareStatements(db);
  const revision: Newness['revision'] = (uid) => statements.revision.get(uid) ?? undefined;
  const newness: Newness = { watch, fonts, revision };

  function keep(cache: SharedCache<PublishedEntry>, key: string, entry: PublishedEntry): void {
    // Inside a transaction the row may be rolled back.
    if (!db.inTransaction) cache.set(entry.organizationUid, key, entry);
  }

  function findNewest(uid: string): PublishedEntry | undefined {
    const cached = newestByUid.get(uid);
    if (cached?.isCurrent === true) return cached;
    if (cached !== undefined) newestByUid.delete(uid);
    const generation = watch.generation();
    const row = storeErrors(`Reading template ${uid}`, () => statements.newest.get(uid));
    if (row === undefined) return undefined;
    const entry = new PublishedEntry(uid, row, generation, newness);
    keep(newestByUid, uid, entry);
    return entry;
  }

  function findPinned(uid: string, version: number): PublishedEntry | undefined {
    const key = `${uid}@${version}`;
    const cached = pinnedByUidAndVersion.get(key);
    if (cached?.isCurrent === true) return cached;
    if (cached !== undefined) pinnedByUidAndVersion.delete(key);
    const generation = watch.generation();
    const newest = findNewest(uid);
    if (newest === undefined) return undefined;
    const row = storeErrors(`Reading template ${uid}`, () => statements.pinned.get(uid, version));
    if (row === undefined) return undefined;
    const entry = new PublishedEntry(uid, row, generation, newness, newest);
    keep(pinnedByUidAndVersion, key, entry);
    return entry;
  }

  return {
    find: (uid, version) => (version === undefined ? findNewest(uid) : findPinned(uid, version)),
    findUnread(uid, version) {
      const cached =
        version === undefined
          ? newestByUid.get(uid)
          : pinnedByUidAndVersion.get(`${uid}@${version}`);
      if (cached?.isCurrent === true) return undefined;
      return storeErrors(`Reading template ${uid}`, () =>
        version === undefined
          ? statements.newestSize.get(uid)
          : statements.pinnedSize.get(uid, version),
      );
    },
    noteChange: () => watch.noteChange(),
    clear() {
      newestByUid.clear();
      pinnedByUidAndVersion.clear();
    },
  };
}

// Candidates: documents that are rendered without being published.

/** A checked document and its organization. */
interface Candidate {
  uid: string;
  organizationUid: string;
  document: Template;
  documentJson: string;
  /** The organization's font families that the document names. */
  fonts: readonly OrganizationFontFamily[];
}

/**
 * Converts a candidate to a template. Its key equals that of the same document once published, so that both share base
 * renders and cached renders. Its version is 0, and its links never become stale.
 */
export function candidateTemplate(candidate: Candidate): PublishedTemplate {
  const { organizationUid, fonts } = candidate;
  const cid = documentCid(candidate.documentJson);
  const drawn = partSizes(candidate.document, candidate.documentJson);
  const { document } = drawn;
  const link = unpublishedLink(organizationUid, candidate.uid, 0, document);
  return {
    ...candidate,
    ...drawn,
    ...link,
    link,
    cid,
    templateKey: templateKeyOf(organizationUid, cid, fonts),
    variables: new Map(document.variables.map((variable) => [variable.name, variable])),
  };
}
