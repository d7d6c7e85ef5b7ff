/** A source of templates: the local database, or a service over HTTP. */
import type { Access } from '#language/schema/access.ts';
import type { TemplateSummary } from '../../store/template-details.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** A stored draft of a template. */
export interface HomeTemplate {
  /** Content id of the draft; it changes with the draft. */
  cid: string;
  /** The published version, or null. */
  version: number | null;
  document: unknown;
  /** Who may open its links; undefined for a service of an older version. */
  access: Access | undefined;
}

/** The templates of one organization. Methods throw a `CommandError` or a `StoreError`. */
export interface TemplateHome {
  /** Name for messages, such as `organization demo in data/var/platen.db`. */
  readonly name: string;
  /** Lists all templates, newest first: those in use, or the archived ones. */
  list(which?: { archived: boolean }): Promise<TemplateSummary[]>;
  /** Reads the draft; undefined for an unknown template. */
  read(uid: string): Promise<HomeTemplate | undefined>;
  /** Content ids of the newest versions, the published one first, at most 100. */
  versionCids(uid: string): Promise<string[]>;
  /** The document of a published version. */
  readPublished(uid: string, version: number): Promise<unknown>;
  /** Reads an asset by its id: `asset:` and a SHA-256. */
  readAsset(id: string): Promise<Uint8Array>;
  /** Stores an image file, if it is not stored yet, and returns its id. */
  saveAsset(bytes: Uint8Array): Promise<string>;
  /**
   * Replaces the draft with the content id `knownCid`, or creates a draft if that is undefined. Throws a
   * `LostRaceError` if the draft has changed.
   */
  save(uid: string, documentJson: string, knownCid: string | undefined): Promise<{ cid: string }>;
  /**
   * The causes why default images of drafts cannot be rendered, by uid. Empty for a service, which checks this when it
   * publishes.
   */
  findUndrawable(uids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Publishes the draft with the content id `cid`. Throws a `LostRaceError` if it has changed. */
  publish(
    uid: string,
    cid: string,
    note: string | undefined,
  ): Promise<{ version: number; cid: string }>;
  archive(uid: string): Promise<void>;
  /** Restores an archived template. */
  restore(uid: string): Promise<void>;
  /** Ends the quarantine of a template. */
  release(uid: string): Promise<void>;
  close(): Promise<void>;
}

/** Thrown if the template has changed since it was read. */
export class LostRaceError extends Error {
  constructor(uid: string) {
    super(`${uid} was changed by somebody else just now; nothing of it was overwritten.`);
    this.name = 'LostRaceError';
  }
}

// Publishing refuses drafts whose default image cannot be rendered.

/** Throws a `CommandError` with the cause for each draft that cannot be rendered; with `isForced`, it only warns. */
export async function checkDrawable(
  home: TemplateHome,
  uids: readonly string[],
  isForced: boolean,
  terminal: Terminal,
): Promise<void> {
  const causes = [...(await home.findUndrawable(uids))];
  if (causes.length === 0) return;
  const lines = causes.map(([uid, cause]) => `${uid} draws no default image: ${cause}`);
  if (!isForced) {
    const advice = 'Nothing was published; --force publishes all the same.';
    throw new CommandError(exitCodes.problems, [...lines, advice].join('\n'));
  }
  for (const line of lines) terminal.warn(`${line} It is published all the same.`);
}
