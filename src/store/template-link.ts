/** What answers under a template's links depend on, and whether it still holds: small, because memories of links keep it. */
import type { LinkOption, Template } from '#language/schema/template.ts';
import type { ChangeWatch } from './database/change-watch.ts';
import type { FontLookup } from './assets/font-store.ts';

/** The links of a published version. */
export interface PublishedLink {
  readonly uid: string;
  readonly version: number;
  /** Who may use links: always the newest published version's word, for pinned versions too. */
  readonly linkAuth: 'open' | 'signed' | 'key';
  /** The only options that links may use: the newest published version's word too; undefined: all. */
  readonly linkOptions: readonly LinkOption[] | undefined;
  /** True when it was asked for by its version. */
  readonly pinned: boolean;
  /** The template's own setting. */
  readonly maxAgeSeconds: number | undefined;
  /**
   * False once a newer version is published or the template is archived (or the fonts of its organization change, for a
   * version of the days before versions kept theirs): whatever was derived from this object is stale. Reading it costs well under a microsecond while the database is unchanged.
   */
  readonly isCurrent: boolean;
}

/** The links of a document that is not published, and so is never replaced: a candidate's, or a file's. */
export function unpublishedLink(uid: string, version: number, document: Template): PublishedLink {
  const { linkAuth = 'open', linkOptions, maxAgeSeconds } = document;
  return { uid, version, linkAuth, linkOptions, pinned: false, maxAgeSeconds, isCurrent: true };
}

/** How a link learns of changes. */
export interface Newness {
  watch: ChangeWatch;
  newestVersion(uid: string): number | undefined;
  fonts: FontLookup;
}

/** What a link is and is compared with. */
interface LinkState extends Omit<PublishedLink, 'isCurrent'> {
  organizationUid: string;
  newestVersion: number;
  /** Undefined of a version that keeps its fonts. */
  fontsRevision: number | undefined;
}

/** The links of a version in the database. */
export class TemplateLink implements PublishedLink {
  readonly uid: string;
  readonly version: number;
  readonly linkAuth: PublishedLink['linkAuth'];
  readonly linkOptions: PublishedLink['linkOptions'];
  readonly pinned: boolean;
  readonly maxAgeSeconds: number | undefined;
  readonly newestVersion: number;
  readonly #organizationUid: string;
  readonly #fontsRevision: number | undefined;
  readonly #newness: Newness;
  #checkedGeneration: number;
  #isCurrent = true;

  /** `generation` must have been asked for before `state` was read: a commit between them is then seen. */
  constructor(state: LinkState, generation: number, newness: Newness) {
    this.uid = state.uid;
    this.version = state.version;
    this.linkAuth = state.linkAuth;
    this.linkOptions = state.linkOptions;
    this.pinned = state.pinned;
    this.maxAgeSeconds = state.maxAgeSeconds;
    this.newestVersion = state.newestVersion;
    this.#organizationUid = state.organizationUid;
    this.#fontsRevision = state.fontsRevision;
    this.#newness = newness;
    this.#checkedGeneration = generation;
  }

  get isCurrent(): boolean {
    if (!this.#isCurrent) return false;
    const generation = this.#newness.watch.generation();
    if (generation === this.#checkedGeneration) return true;
    this.#checkedGeneration = generation;
    try {
      const newness = this.#newness;
      this.#isCurrent =
        newness.newestVersion(this.uid) === this.newestVersion &&
        (this.#fontsRevision === undefined ||
          newness.fonts.revision(this.#organizationUid) === this.#fontsRevision);
    } catch {
      // What is in memory is the best there is while the database cannot be read.
      this.#newness.watch.askAgain();
    }
    return this.#isCurrent;
  }
}
