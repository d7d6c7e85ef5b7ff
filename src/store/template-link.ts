/**
 * The state on which answers to a template's links depend, and whether it is current. Caches of links keep it, so it is
 * small.
 */
import type { LinkOption } from '#language/schema/access.ts';
import type { Template } from '#language/schema/template.ts';
import type { ChangeWatch } from './database/change-watch.ts';
import type { FontLookup } from './assets/font-store.ts';

/** State of the links of a published version. */
export interface PublishedLink {
  readonly organizationUid: string;
  readonly uid: string;
  readonly version: number;
  /** As in the access of the template, whatever the version. */
  readonly linkAuth: 'open' | 'signed' | 'key';
  /** As in the access of the template; undefined: all options. */
  readonly linkOptions: readonly LinkOption[] | undefined;
  /** Whether the link has `_version`. */
  readonly pinned: boolean;
  /** `maxAgeSeconds` of the template document. */
  readonly maxAgeSeconds: number | undefined;
  /** Whether values come from data tables, so that the image of an equal link may change at any time. */
  readonly readsTables: boolean;
  /**
   * False once a newer version is published, the access changes or the template is archived. All data derived from this object is then
   * stale. For an old version without stored fonts, also false once the organization's fonts change. A read takes well
   * under 1 µs while the database is unchanged.
   */
  readonly isCurrent: boolean;
}

/**
 * State of the links of an unpublished document: a candidate or a file. It has no access, whatever it says of it. The
 * state never becomes stale.
 */
export function unpublishedLink(
  organizationUid: string,
  uid: string,
  version: number,
  document: Template,
): PublishedLink {
  const { maxAgeSeconds } = document;
  const readsTables = documentReadsTables(document);
  return {
    organizationUid,
    uid,
    version,
    linkAuth: 'open',
    linkOptions: undefined,
    pinned: false,
    maxAgeSeconds,
    readsTables,
    isCurrent: true,
  };
}

/** Whether a value comes from a data table. */
export function documentReadsTables({ variables }: Template): boolean {
  return variables.some(({ from }) => from !== undefined);
}

/** Sources that show whether a link's state has changed. */
export interface Newness {
  watch: ChangeWatch;
  /** Text of the newest version and the access; undefined for a template without links. */
  revision(uid: string): string | undefined;
  fonts: FontLookup;
}

/** The state of a link at the time of reading. */
interface LinkState extends Omit<PublishedLink, 'isCurrent'> {
  revision: string;
  /** Undefined for a version that stores its fonts. */
  fontsRevision: number | undefined;
}

/** State of the links of a version in the database. */
export class TemplateLink implements PublishedLink {
  readonly organizationUid: string;
  readonly uid: string;
  readonly version: number;
  readonly linkAuth: PublishedLink['linkAuth'];
  readonly linkOptions: PublishedLink['linkOptions'];
  readonly pinned: boolean;
  readonly maxAgeSeconds: number | undefined;
  readonly readsTables: boolean;
  readonly revision: string;
  readonly #fontsRevision: number | undefined;
  readonly #newness: Newness;
  #checkedGeneration: number;
  #isCurrent = true;

  /** The caller reads `generation` before `state`, so that a commit between them is detected. */
  constructor(state: LinkState, generation: number, newness: Newness) {
    this.organizationUid = state.organizationUid;
    this.uid = state.uid;
    this.version = state.version;
    this.linkAuth = state.linkAuth;
    this.linkOptions = state.linkOptions;
    this.pinned = state.pinned;
    this.maxAgeSeconds = state.maxAgeSeconds;
    this.readsTables = state.readsTables;
    this.revision = state.revision;
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
        newness.revision(this.uid) === this.revision &&
        (this.#fontsRevision === undefined ||
          newness.fonts.revision(this.organizationUid) === this.#fontsRevision);
    } catch {
      // The state in memory applies while the database cannot be read.
      this.#newness.watch.askAgain();
    }
    return this.#isCurrent;
  }
}
