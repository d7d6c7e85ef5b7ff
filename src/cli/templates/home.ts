/** Where templates live: the local database, or a service that is reached over HTTP. */
import type { TemplateSummary } from '../../store/template-details.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** A template's draft as it is stored. */
export interface HomeTemplate {
  /** Content id of the draft: another one means that somebody has changed it. */
  cid: string;
  /** The published version, or null. */
  version: number | null;
  document: unknown;
}

/** The templates of one organization. What is refused or cannot be reached is thrown as a `CommandError` or a `StoreError`. */
export interface TemplateHome {
  /** For sentences: `organization demo in data/var/platen.db`. */
  readonly name: string;
  /** All, newest first: those in use, or the archived ones. */
  list(which?: { archived: boolean }): Promise<TemplateSummary[]>;
  /** The draft; undefined when there is no such template. */
  read(uid: string): Promise<HomeTemplate | undefined>;
  /** Content ids of the newest versions, the published one first, at most 100. */
  versionCids(uid: string): Promise<string[]>;
  /** The document of the published version of a template that has one. */
  readPublished(uid: string, version: number): Promise<unknown>;
  /** The bytes of an asset by its id, `asset:` and a SHA-256. */
  readAsset(id: string): Promise<Uint8Array>;
  /** Stores an image file, if it is not there yet, and returns its id. */
  saveAsset(bytes: Uint8Array): Promise<string>;
  /**
   * Stores a draft in place of the one with the content id `knownCid`, or a new one when that is undefined. Throws a
   * `LostRaceError` when the draft is another one by now.
   */
  save(uid: string, documentJson: string, knownCid: string | undefined): Promise<{ cid: string }>;
  /** Why the default pictures of drafts cannot be drawn, by uid; a service finds that out itself, and gives none. */
  findUndrawable(uids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Makes the draft with the content id `cid` the next version. Throws a `LostRaceError` when it is another one by now. */
  publish(
    uid: string,
    cid: string,
    note: string | undefined,
  ): Promise<{ version: number; cid: string }>;
  archive(uid: string): Promise<void>;
  /** Brings an archived template back. */
  restore(uid: string): Promise<void>;
  /** Has a template rendered again that is in quarantine. */
  release(uid: string): Promise<void>;
  close(): void;
}

/** Somebody else has changed the template since it was read. */
export class LostRaceError extends Error {
  constructor(uid: string) {
    super(`${uid} was changed by somebody else just now; nothing of it was overwritten.`);
    this.name = 'LostRaceError';
  }
}

// Publishing refuses drafts whose default image cannot be rendered.

/** Throws a `CommandError` with the cause for each that cannot be drawn; with `isForced` it warns and goes on. */
export async function checkDrawable(
  home: TemplateHome,
  uids: readonly string[],
  isForced: boolean,
  terminal: Terminal,
): Promise<void> {
  const causes = [...(await home.findUndrawable(uids))];
  if (causes.length === 0) return;
  const lines = causes.map(([uid, cause]) => `${uid} draws no default picture: ${cause}`);
  if (!isForced) {
    const advice = 'Nothing was published; --force publishes all the same.';
    throw new CommandError(exitCodes.problems, [...lines, advice].join('\n'));
  }
  for (const line of lines) terminal.warn(`${line} It is published all the same.`);
}
