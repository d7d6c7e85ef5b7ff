/** The renders that wait for a thread, in an order that is fair to organizations, and inside each to its templates. */

/** What the queue must know of a piece of work. */
export interface QueuedWork {
  organization: string;
  template: string;
  /** Milliseconds that it is expected to take a thread; over zero. */
  costMs: number;
  /** Its kind is known, and was not expensive of late: it may use all threads. */
  isCheap: boolean;
}

/** Milliseconds of one thread that go by before a work starts: of its organization's works, and of all. */
export interface WorkAhead {
  organizationMs: number;
  allMs: number;
}

/** Whose turn it is: the one with the smallest tag, the thread time that was given so far, by the clock of its level. */
interface Share {
  tagMs: number;
  /** Works that wait. */
  length: number;
  /** Costs of the works that wait, and of those that are announced. */
  waitingMs: number;
  announcedMs: number;
  /** Works that are announced. */
  announced: number;
}

interface TemplateShare<Work> extends Share {
  /** Oldest first. */
  works: Work[];
}

interface OrganizationShare<Work> extends Share {
  templates: Map<string, TemplateShare<Work>>;
  /** The tag of the template that was served last. */
  clockMs: number;
}

/**
 * Fair by time, not by number (start-time fair queueing: Goyal, Vin, Cheng, 1996): each organization that
 * has work waiting gets the same thread time, each template of an organization the same part of it, however
 * much they ask for and however dear their renders are. Of one template, first in is first out.
 *
 * Plain data: no clock, no timer, nothing is started. Every call takes time in the number of organizations
 * and of one organization's templates with work in the queue. A share that has nothing left is remembered
 * until the others have been given as much, so that asking one by one wins nothing.
 */
export class RenderQueue<Work extends QueuedWork> {
  readonly #organizations = new Map<string, OrganizationShare<Work>>();
  /** The tag of the organization that was served last. */
  #clockMs = 0;
  #length = 0;
  #announced = 0;

  /** Works that wait. */
  get length(): number {
    return this.#length;
  }

  /** Works that are announced. */
  get announced(): number {
    return this.#announced;
  }

  /** Works of one organization and of one template that wait, and of the template that are announced. */
  lengthsOf(work: QueuedWork): { organization: number; template: number; announced: number } {
    const organization = this.#organizations.get(work.organization);
    const template = organization?.templates.get(work.template);
    return {
      organization: organization?.length ?? 0,
      template: template?.length ?? 0,
      announced: template?.announced ?? 0,
    };
  }

  /** Counts work that will come, so that its place is not given away; `withdraw` ends that, with the same costs. */
  announce(work: QueuedWork): void {
    this.#announced += 1;
    for (const share of this.#shares(work)) {
      share.announced += 1;
      share.announcedMs += work.costMs;
    }
  }

  withdraw(work: QueuedWork): void {
    this.#announced -= 1;
    for (const share of this.#shares(work)) {
      share.announced -= 1;
      share.announcedMs = share.announced === 0 ? 0 : share.announcedMs - work.costMs;
    }
    this.#forget();
  }

  /** Adds work; its costs must not change while it waits. */
  push(work: Work): void {
    const organization = this.#organization(work.organization);
    const template = templateOf(organization, work.template);
    // Who was away does not get the time that it did not ask for.
    if (organization.length === 0) organization.tagMs = Math.max(organization.tagMs, this.#clockMs);
    if (template.length === 0) template.tagMs = Math.max(template.tagMs, organization.clockMs);
    template.works.push(work);
    for (const share of [organization, template]) {
      share.length += 1;
      share.waitingMs += work.costMs;
    }
    this.#length += 1;
  }

  /**
   * Removes the first work in fair order that `mayStart`, and charges its costs. Of each template only the oldest
   * work is asked about.
   */
  take(mayStart: (work: Work) => boolean = () => true): Work | undefined {
    for (const organization of inFairOrder(this.#organizations)) {
      for (const template of inFairOrder(organization.templates)) {
        const [work] = template.works;
        if (work !== undefined && mayStart(work)) return this.#takeFirst(organization, template);
      }
    }
    return undefined;
  }

  /**
   * Charges what a work that was taken has cost beyond its `costMs`; less than zero where it cost less. What is given
   * back puts nobody before those who wait now: the share that was charged may be forgotten.
   */
  settle({ organization, template }: QueuedWork, differenceMs: number): void {
    const share = this.#organizations.get(organization);
    if (share === undefined) return;
    share.tagMs = Math.max(this.#clockMs, share.tagMs + differenceMs);
    const own = share.templates.get(template);
    if (own !== undefined) own.tagMs = Math.max(share.clockMs, own.tagMs + differenceMs);
  }

  /** Removes every work and gives them. */
  drain(): Work[] {
    const works: Work[] = [];
    for (let work = this.take(); work !== undefined; work = this.take()) works.push(work);
    return works;
  }

  /**
   * What goes by before a new work of these names and costs is started: what waits of its own template, and of every
   * other share as much as that gets meanwhile. With `announced`, as if all that is announced waited already.
   */
  aheadMs({ organization, template, costMs }: QueuedWork, announced = false): WorkAhead {
    const { organizationMs, allMs } = this.#aheadOf(organization, template, costMs, announced);
    return { organizationMs: organizationMs - costMs, allMs: allMs - costMs };
  }

  #aheadOf(organization: string, template: string, costMs: number, announced: boolean): WorkAhead {
    const backlogMs = (share: Share | undefined): number =>
      share === undefined ? 0 : share.waitingMs + (announced ? share.announcedMs : 0);
    const group = this.#organizations.get(organization);
    const ownMs = backlogMs(group?.templates.get(template)) + costMs;
    let organizationMs = ownMs;
    for (const [name, share] of group?.templates ?? []) {
      if (name !== template) organizationMs += Math.min(ownMs, backlogMs(share));
    }
    let allMs = organizationMs;
    for (const [name, share] of this.#organizations) {
      if (name !== organization) allMs += Math.min(organizationMs, backlogMs(share));
    }
    return { organizationMs, allMs };
  }

  #takeFirst(
    organization: OrganizationShare<Work>,
    template: TemplateShare<Work>,
  ): Work | undefined {
    const work = template.works.shift();
    if (work === undefined) return undefined;
    this.#clockMs = Math.max(this.#clockMs, organization.tagMs);
    organization.clockMs = Math.max(organization.clockMs, template.tagMs);
    for (const share of [organization, template]) {
      share.tagMs += work.costMs;
      leave(share, work);
    }
    this.#length -= 1;
    this.#forget();
    return work;
  }

  #organization(name: string): OrganizationShare<Work> {
    let share = this.#organizations.get(name);
    if (share === undefined) {
      share = { ...emptyShare, tagMs: this.#clockMs, clockMs: 0, templates: new Map() };
      this.#organizations.set(name, share);
    }
    return share;
  }

  #shares({ organization, template }: QueuedWork): [OrganizationShare<Work>, TemplateShare<Work>] {
    const share = this.#organization(organization);
    return [share, templateOf(share, template)];
  }

  /** Lets go of shares that have nothing in the queue and no more time to their name than the others. */
  #forget(): void {
    // Nobody waits: there is nobody to be fair to.
    const isIdle = this.#length === 0;
    for (const [name, organization] of this.#organizations) {
      forgetIdle(organization.templates, isIdle ? Infinity : organization.clockMs);
      const isOver = isIdle || organization.tagMs <= this.#clockMs;
      if (isOver && organization.length + organization.announced === 0) {
        this.#organizations.delete(name);
      }
    }
  }
}

const emptyShare: Share = { tagMs: 0, length: 0, waitingMs: 0, announcedMs: 0, announced: 0 };

function templateOf<Work>(
  organization: OrganizationShare<Work>,
  name: string,
): TemplateShare<Work> {
  let share = organization.templates.get(name);
  if (share === undefined) {
    share = { ...emptyShare, tagMs: organization.clockMs, works: [] };
    organization.templates.set(name, share);
  }
  return share;
}

/** The share with work whose tag is the smallest; the one that came first of equal ones. */
function firstOf<Kind extends Share>(shares: ReadonlyMap<string, Kind>): Kind | undefined {
  let first: Kind | undefined;
  for (const share of shares.values()) {
    if (share.length > 0 && !(share.tagMs >= (first?.tagMs ?? Infinity))) first = share;
  }
  return first;
}

/** The shares with work, by their tags. The others are put in order only when the first one's work may not start. */
function* inFairOrder<Kind extends Share>(shares: ReadonlyMap<string, Kind>): Generator<Kind> {
  const first = firstOf(shares);
  if (first === undefined) return;
  yield first;
  const others = [...shares.values()].filter((share) => share.length > 0 && share !== first);
  yield* others.toSorted((one, other) => one.tagMs - other.tagMs);
}

function leave(share: Share, { costMs }: QueuedWork): void {
  share.length -= 1;
  // No rounding errors are carried on.
  share.waitingMs = share.length === 0 ? 0 : share.waitingMs - costMs;
}

function forgetIdle(shares: Map<string, Share>, clockMs: number): void {
  for (const [name, share] of shares) {
    if (share.tagMs <= clockMs && share.length + share.announced === 0) shares.delete(name);
  }
}
