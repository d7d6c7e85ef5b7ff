/** The queue of renders that wait for a process, fair to organizations, and within each to its templates. */

/** The properties of a work that the queue needs. */
export interface QueuedWork {
  organization: string;
  template: string;
  /** Estimated milliseconds of a process; greater than zero. */
  costMs: number;
  /** The kind is known and was not expensive recently, so the work may use all processes. */
  isCheap: boolean;
}

/** Process time in ms of the works before a work starts: those of its organization, and all. */
export interface WorkAhead {
  organizationMs: number;
  allMs: number;
}

/**
 * A share of the processes. The one with the smallest tag is next; the tag is the process time given so far, by the
 * clock of its level.
 */
interface Share {
  tagMs: number;
  /** Number of waiting works. */
  length: number;
  /** Costs of the waiting works, and of the announced ones. */
  waitingMs: number;
  announcedMs: number;
  /** Number of announced works. */
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
 * A queue that is fair by time, not by number (start-time fair queueing: Goyal, Vin, Cheng, 1996). Each organization
 * with waiting work gets the same process time, and each template of an organization the same part of it, for any
 * number of requests and any cost. Works of one template are first in, first out.
 *
 * Plain data: no clock, no timer, and it starts nothing. Every call takes time in proportion to the organizations, and
 * to the templates of one organization, with work in the queue. An empty share is kept until the others have been given
 * as much time, so that requesting one by one has no advantage.
 */
export class RenderQueue<Work extends QueuedWork> {
  readonly #organizations = new Map<string, OrganizationShare<Work>>();
  /** The tag of the organization that was served last. */
  #clockMs = 0;
  #length = 0;
  #announced = 0;

  /** Number of waiting works. */
  get length(): number {
    return this.#length;
  }

  /** Number of announced works. */
  get announced(): number {
    return this.#announced;
  }

  /** Waiting works of one organization and of one template, and announced works of the template. */
  lengthsOf(work: QueuedWork): { organization: number; template: number; announced: number } {
    const organization = this.#organizations.get(work.organization);
    const template = organization?.templates.get(work.template);
    return {
      organization: organization?.length ?? 0,
      template: template?.length ?? 0,
      announced: template?.announced ?? 0,
    };
  }

  /** Counts a work that will arrive, so that its slot stays reserved; `withdraw` ends that, with the same costs. */
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

  /** Adds a work; only `reprice` changes its costs while it waits. */
  push(work: Work): void {
    const organization = this.#organization(work.organization);
    const template = templateOf(organization, work.template);
    // An idle organization gains no claim to the time that it did not use.
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
   * Removes the first work in fair order that `mayStart`, and charges its costs. `mayStart` is called with the oldest
   * work of each template only.
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
   * Charges the cost of a taken work beyond its `costMs`; the difference is negative if it cost less. A credit does not
   * lower a tag below the clock, because the share that was charged may have been removed.
   */
  settle({ organization, template }: QueuedWork, differenceMs: number): void {
    const share = this.#organizations.get(organization);
    if (share === undefined) return;
    share.tagMs = Math.max(this.#clockMs, share.tagMs + differenceMs);
    const inner = share.templates.get(template);
    if (inner !== undefined) inner.tagMs = Math.max(share.clockMs, inner.tagMs + differenceMs);
  }

  /** Replaces the costs of every waiting work by new estimates. */
  reprice(estimate: (work: Work) => Pick<QueuedWork, 'costMs' | 'isCheap'>): void {
    for (const organization of this.#organizations.values()) {
      organization.waitingMs = 0;
      for (const template of organization.templates.values()) {
        template.waitingMs = 0;
        for (const work of template.works) {
          Object.assign(work, estimate(work));
          template.waitingMs += work.costMs;
        }
        organization.waitingMs += template.waitingMs;
      }
    }
  }

  /**
   * Removes and returns every work that `isLate`, the newest of a template first. `ahead` is the time before the work
   * starts; `isOnly` says that it is the last one of its template.
   */
  dropLate(isLate: (work: Work, ahead: WorkAhead, isOnly: boolean) => boolean): Work[] {
    const dropped: Work[] = [];
    for (const [name, organization] of this.#organizations) {
      for (const [templateName, template] of organization.templates) {
        let templateMs = template.waitingMs;
        const { organizationMs, allMs } = this.#aheadOf(name, templateName, 0, false);
        const [organizationRatio, allRatio] = [organizationMs / templateMs, allMs / templateMs];
        for (const work of template.works.toReversed()) {
          const ahead = {
            organizationMs: templateMs * organizationRatio - work.costMs,
            allMs: templateMs * allRatio - work.costMs,
          };
          templateMs -= work.costMs;
          if (!isLate(work, ahead, template.length === 1)) continue;
          template.works.splice(template.works.lastIndexOf(work), 1);
          for (const share of [organization, template]) leave(share, work);
          this.#length -= 1;
          dropped.push(work);
        }
      }
    }
    this.#forget();
    return dropped;
  }

  /**
   * Returns the time before a new work of these names and costs starts: the waiting works of its template, and what
   * other shares get meanwhile. With `announced`, announced works count as waiting.
   */
  aheadMs({ organization, template, costMs }: QueuedWork, announced = false): WorkAhead {
    const { organizationMs, allMs } = this.#aheadOf(organization, template, costMs, announced);
    return { organizationMs: organizationMs - costMs, allMs: allMs - costMs };
  }

  #aheadOf(organization: string, template: string, costMs: number, announced: boolean): WorkAhead {
    const backlogMs = (share: Share | undefined): number =>
      share === undefined ? 0 : share.waitingMs + (announced ? share.announcedMs : 0);
    const group = this.#organizations.get(organization);
    const templateMs = backlogMs(group?.templates.get(template)) + costMs;
    let organizationMs = templateMs;
    for (const [name, share] of group?.templates ?? []) {
      if (name !== template) organizationMs += Math.min(templateMs, backlogMs(share));
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

  /** Removes shares without works whose given time is no more than that of the others. */
  #forget(): void {
    // Without waiting works, all shares without announced works can be removed.
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

/** Returns the share with works and the smallest tag; the first one among equals. */
function firstOf<Kind extends Share>(shares: ReadonlyMap<string, Kind>): Kind | undefined {
  let first: Kind | undefined;
  for (const share of shares.values()) {
    if (share.length > 0 && !(share.tagMs >= (first?.tagMs ?? Infinity))) first = share;
  }
  return first;
}

/**
 * Yields the shares with works in the order of their tags. The others are sorted only if the first one's work may not
 * start.
 */
function* inFairOrder<Kind extends Share>(shares: ReadonlyMap<string, Kind>): Generator<Kind> {
  const first = firstOf(shares);
  if (first === undefined) return;
  yield first;
  const others = [...shares.values()].filter((share) => share.length > 0 && share !== first);
  yield* others.toSorted((one, other) => one.tagMs - other.tagMs);
}

function leave(share: Share, { costMs }: QueuedWork): void {
  share.length -= 1;
  // Resets rounding errors.
  share.waitingMs = share.length === 0 ? 0 : share.waitingMs - costMs;
}

function forgetIdle(shares: Map<string, Share>, clockMs: number): void {
  for (const [name, share] of shares) {
    if (share.tagMs <= clockMs && share.length + share.announced === 0) shares.delete(name);
  }
}
