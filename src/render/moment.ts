/** The time and the reader of a render: they decide the end of its countdown, its share, and its lifetime in caches. */
import { hash } from 'node:crypto';
import { animationOf, framesOf, frameValues } from '#language/animation/frames.ts';
import { createBinder, formatContext } from '#language/bind/binder.ts';
import type { Binder } from '#language/bind/binder.ts';
import { boundNames } from '#language/bind/bindings.ts';
import { clockUseOf, isLive, isTimed } from '#language/clock/clock-use.ts';
import {
  contactOf,
  deadlineOf,
  expectedDeadline,
  unreadDeadline,
} from '#language/clock/deadline.ts';
import { changesAtMs, momentKey, readerKey } from '#language/clock/lifetime.ts';
import { remainingMs } from '#language/clock/live-values.ts';
import type { SettledMoment } from '#language/clock/live-values.ts';
import type { Variable } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { clockUnits } from '#language/values/zoned-time.ts';
import type { LiveClient } from '#wire/render-moment.ts';
import type { Handler } from '../http/server.ts';
import type { FirstOpenStore } from '../store/first-open-store.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { clientKindOf } from './image-request.ts';
import type { ClientKind } from './image-request.ts';
import { badValue } from './parse-value.ts';
import type { OnInvalid } from './parse-value.ts';
import type { PublishedTemplates, RenderOptions } from './request.ts';

/** UTF-16 units of a contact's id. The addresses and numbers of email services are shorter. */
const contactUnitsMax = 500;
/** UTF-16 units of a deadline that a message repeats. */
const shownUnitsMax = 60;

const clients: Partial<Record<ClientKind, LiveClient>> = {
  'apple-privacy': 'apple-mail-privacy',
  'gmail-proxy': 'gmail-proxy',
  'yahoo-proxy': 'yahoo-proxy',
};

/** As in `values.ts`, which imports this file. */
type ResolvedValues = ReadonlyMap<string, string>;

/** The kind of a client, as conditions of a template name it. */
function liveClientOf(kind: ClientKind): LiveClient {
  return clients[kind] ?? 'other';
}

/**
 * Reports an invalid deadline and a contact that is too long, as errors of the variables that the clock binds. If
 * `onInvalid` returns, these variables become empty, and a render with such a deadline has no countdown. `unread` names
 * variables that were reported.
 */
export function checkClockValues(
  { document, variables }: PublishedTemplate,
  values: Map<string, string>,
  unread: ReadonlySet<string>,
  onInvalid: OnInvalid,
): void {
  const { clock } = document;
  const context = formatContext(document, {});
  const boundIn = (text = ''): Variable[] =>
    boundNames(text, variables).flatMap((name) => variables.get(name) ?? []);
  const report = (bound: readonly Variable[], problem: string, reason: string): void => {
    // A text without variables was checked when the template was saved, and so were defaults.
    const variable = bound.find((each) => values.get(each.name) !== defaultText(each)) ?? bound[0];
    // A link cannot change the cell of a data table.
    if (variable?.from === undefined && variable !== undefined)
      onInvalid(badValue(variable, problem, reason));
  };
  const ofDeadline = boundIn(clock?.until);
  const isUnread = ofDeadline.some(({ name }) => unread.has(name));
  const { invalid = '' } = isUnread ? {} : deadlineOf(document, { values, context, timeMs: 0 });
  if (invalid !== '') {
    const shown = JSON.stringify(invalid.slice(0, shownUnitsMax));
    report(ofDeadline, `is not ${expectedDeadline}: ${shown}`, 'date');
  }
  if (isUnread || invalid !== '') {
    for (const { name } of ofDeadline) values.set(name, '');
    values.set(unreadDeadline, '');
  }
  if (contactOf(document, values, context).length > contactUnitsMax) {
    const problem = `gives a contact of more than ${contactUnitsMax} characters; use a shorter id`;
    const ofContact = boundIn(clock?.per);
    report(ofContact, problem, 'text');
    for (const { name } of ofContact) values.set(name, '');
  }
}

/**
 * Adds the end of the countdown and the share of the contact to the options of a live template, and removes
 * `startedMs`. The values must have passed `checkClockValues`.
 */
export function settleMoment(
  template: PublishedTemplate,
  { startedMs, ...options }: RenderOptions,
  values: ResolvedValues,
): RenderOptions {
  const { document } = template;
  const { timeMs } = options;
  if (timeMs === undefined || !isLive(document)) return options;
  const { names } = clockUseOf(document);
  const settled: RenderOptions = { ...options };
  if (!names.has('client')) delete settled.client;
  const context = formatContext(document, options);
  if (names.has('share')) {
    settled.share = shareOf(template.uid, contactOf(document, values, context));
  }
  if (options.untilMs !== undefined) return settled;
  const { invalid: _, ...end } = deadlineOf(document, { values, context, timeMs, startedMs });
  const { frames, ...still } = { ...settled, ...end };
  // A countdown that is over, or that this reader does not see, becomes a still image, which is cached like any other.
  if (frames === undefined || standsStill(template, { ...still, timeMs }, values, frames)) {
    return still;
  }
  return { ...still, frames };
}

/** Whether the image is the same in all seconds that the file of a countdown shows. */
function standsStill(
  { document }: PublishedTemplate,
  moment: SettledMoment,
  values: ResolvedValues,
  frames: number,
): boolean {
  if (animationOf(document)?.type !== 'countdown') return false;
  const { timeMs, untilMs = Infinity } = moment;
  if (remainingMs(timeMs, untilMs) === 0) return true;
  const changesMs = changesAtMs(document, moment, [createBinder(document, values, moment)]);
  return changesMs >= timeMs + frames * clockUnits.second;
}

/** The share of a contact, 0 to 99: equal for all renders of a template on every machine. 0 without a contact. */
function shareOf(uid: string, contact: string): number {
  if (contact === '') return 0;
  return hash('sha256', `${uid}\n${contact}`, 'buffer').readUInt32BE() % 100;
}

/** A render with its values; see `RenderOrder`. */
interface TimedRender {
  template: PublishedTemplate;
  options: RenderOptions;
  values: ResolvedValues;
}

/** The part of a render's key that depends on its time and its reader; undefined for a template without a clock. */
export function momentKeyOf(render: TimedRender): string | undefined {
  const { template, options, values } = render;
  const { document } = template;
  const { timeMs, frames } = options;
  if (timeMs === undefined || !isTimed(document)) return undefined;
  const key = momentKey(document, { ...options, timeMs }, frameBinders(render));
  if (frames === undefined || animationOf(document)?.type !== 'countdown') return key;
  // Frames of later seconds may depend on the reader where the first frame does not.
  return JSON.stringify([key, readerKey(document, createBinder(document, values, options))]);
}

/**
 * The part of a key that is equal for all times of a countdown: its end and the reader. Undefined for a template
 * without a clock.
 */
export function countdownKeyOf({ template, options, values }: TimedRender): unknown[] | undefined {
  const { document } = template;
  const { timeMs, untilMs, isFloating } = options;
  if (timeMs === undefined) return undefined;
  const end = isFloating === true ? 'not begun' : untilMs;
  return [end, readerKey(document, createBinder(document, values, options))];
}

/** The binders of an image: one for each frame if frames set values, else one. */
function frameBinders({ template, options, values }: TimedRender): Binder[] {
  const { document } = template;
  const { frames: count, timeMs } = options;
  const bind = (each: ResolvedValues): Binder => createBinder(document, each, options);
  if (count === undefined || animationOf(document)?.type !== 'values') return [bind(values)];
  const { frames = [] } = framesOf(document, timeMs, count) ?? {};
  return frames.map((frame) => bind(frameValues({ values }, frame)));
}

/** The part of a key for the frames of a file. The frames of a countdown also depend on the time and the end. */
export function framesKeyOf({
  template,
  options: { frames, timeMs = 0, untilMs = 0 },
}: Pick<TimedRender, 'template' | 'options'>): number[] | undefined {
  if (frames === undefined) return undefined;
  const counts = animationOf(template.document)?.type === 'countdown';
  return counts ? [frames, timeMs, untilMs] : [frames];
}

/** When the passing time next changes the image of a render, ms since the epoch; `Infinity` for never. */
export function changesAt(render: TimedRender): number {
  const { document } = render.template;
  const { options } = render;
  const { timeMs, frames } = options;
  if (timeMs === undefined) return Infinity;
  // The frames of a countdown begin with the second in which the link is opened.
  const counts = animationOf(document)?.type === 'countdown';
  if (frames !== undefined && counts) return timeMs + 1000;
  return changesAtMs(document, { ...options, timeMs }, frameBinders(render));
}

/** The client of a render. */
export interface Reader {
  /** Empty for a program of the organization. */
  userAgent: string;
  /** A HEAD request is not a first open. */
  isHead: boolean;
}

/** First opens of evergreen countdowns. */
export type FirstOpens = Pick<FirstOpenStore, 'find' | 'open' | 'stored'>;

/**
 * Adds the reader to the options of a live template: the kind of client, and the start of the contact's countdown. The
 * countdown starts with the first request that shows an image to a reader. Options of other templates do not change.
 */
export function withReader(
  options: RenderOptions,
  template: PublishedTemplate,
  values: ResolvedValues,
  { userAgent, isHead }: Reader,
  firstOpens: FirstOpens,
): RenderOptions {
  const { timeMs } = options;
  const { document } = template;
  if (timeMs === undefined || !isLive(document)) return options;
  const isEvergreen = document.clock?.evergreen !== undefined;
  const readsClient = clockUseOf(document).names.has('client');
  if (!isEvergreen && !readsClient) return options;
  const kind = clientKindOf(userAgent);
  const reader: RenderOptions = { ...options, client: liveClientOf(kind) };
  if (!isEvergreen || !namesContact(template, values)) return reader;
  const contact = contactOf(document, values, formatContext(document, {}));
  if (contact === '') return reader;
  // A link preview shows the image to readers other than the contact.
  const isOpen = !isHead && userAgent !== '' && kind !== 'link-preview';
  const startedSeconds = isOpen
    ? firstOpens.open(template.uid, contact, timeMs / 1000)
    : firstOpens.find(template.uid, contact);
  return startedSeconds === undefined ? reader : { ...reader, startedMs: startedSeconds * 1000 };
}

/** Returns a handler of `page` that responds only after the first open of the request is stored. */
export function storeFirstOpens(page: Handler, firstOpens: Pick<FirstOpens, 'stored'>): Handler {
  return (exchange) => {
    const reply = page(exchange);
    const stored = firstOpens.stored();
    return stored === undefined ? reply : Promise.all([reply, stored]).then(([whole]) => whole);
  };
}

/** Whether the link sets a contact. Otherwise all its readers would share the countdown of the default contact. */
function namesContact({ document, variables }: PublishedTemplate, values: ResolvedValues): boolean {
  return boundNames(document.clock?.per ?? '', variables).some((name) => {
    const variable = variables.get(name);
    return variable !== undefined && values.get(name) !== defaultText(variable);
  });
}

/** Upper bound of the templates that a link moves on to: longer chains are loops. */
const hopsMax = 4;

/**
 * The template that replaces one whose countdown is over. It must be published, belong to the same organization, and
 * have the same `linkAuth`. Undefined if there is none; then the countdown stays at zero.
 */
export function templateAtZero(
  { template, options: { timeMs, untilMs } }: Pick<TimedRender, 'template' | 'options'>,
  templates: PublishedTemplates,
  { hops = 0 }: { hops?: number },
): { template: PublishedTemplate; hops: number } | undefined {
  const { atZero } = template.document.clock ?? {};
  if (typeof atZero !== 'object' || timeMs === undefined || untilMs === undefined) return undefined;
  if (remainingMs(timeMs, untilMs) > 0 || hops >= hopsMax) return undefined;
  const next = templates.findPublished(atZero.template);
  if (next?.organizationUid !== template.organizationUid) return undefined;
  return next.linkAuth === template.linkAuth ? { template: next, hops: hops + 1 } : undefined;
}

/** Moves a link on to another template, and removes the options and values that were read for the one before. */
export function followTo<Link extends { options?: RenderOptions; values?: ResolvedValues }>(
  link: Link,
  next: { template: PublishedTemplate; hops: number },
): Link & typeof next {
  delete link.options;
  delete link.values;
  return Object.assign(link, next);
}
