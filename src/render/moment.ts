/** The time and the reader of a render: what decides the end of its countdown, its share, and how long it is cached. */
import { hash } from 'node:crypto';
import { animationOf, framesOf, frameValues } from '#language/animation/frames.ts';
import { createBinder, formatContext } from '#language/bind/binder.ts';
import type { Binder } from '#language/bind/binder.ts';
import { boundNames } from '#language/bind/bindings.ts';
import { clockUseOf, isLive, isTimed } from '#language/clock/clock-use.ts';
import { contactOf, deadlineOf, expectedDeadline } from '#language/clock/deadline.ts';
import { changesAtMs, momentKey, readerKey } from '#language/clock/lifetime.ts';
import { remainingMs } from '#language/clock/live-values.ts';
import type { SettledMoment } from '#language/clock/live-values.ts';
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

/** UTF-16 units of a contact's id: longer than any address or number of an email service. */
const contactUnitsMax = 500;
/** UTF-16 units of a deadline that a message repeats. */
const shownUnitsMax = 60;

const clients: Partial<Record<ClientKind, LiveClient>> = {
  'apple-privacy': 'apple-mail-privacy',
  'gmail-proxy': 'gmail-proxy',
  'yahoo-proxy': 'yahoo-proxy',
};

/** See `values.ts`, which knows this file. */
type ResolvedValues = ReadonlyMap<string, string>;

/** The kind of a client, as conditions of a template name it. */
function liveClientOf(kind: ClientKind): LiveClient {
  return clients[kind] ?? 'other';
}

/**
 * Reports a deadline of a link that is none, and a contact that is too long, as the value of the variable that the clock binds
 * for it. Where `onInvalid` returns, the default stands in.
 */
export function checkClockValues(
  { document, variables }: PublishedTemplate,
  values: Map<string, string>,
  onInvalid: OnInvalid,
): void {
  const { clock } = document;
  const context = formatContext(document, {});
  const report = (text: string | undefined, problem: string, reason: string): void => {
    const bound = boundNames(text ?? '', variables).flatMap((name) => variables.get(name) ?? []);
    // A text without variables was checked when the template was saved, and so were defaults.
    const variable = bound.find((each) => values.get(each.name) !== defaultText(each)) ?? bound[0];
    if (variable === undefined) return;
    // A cell of a data table draws the default, and no message repeats it.
    if (variable.from === undefined) onInvalid(badValue(variable, problem, reason));
    for (const each of bound) values.set(each.name, defaultText(each));
  };
  const { invalid } = deadlineOf(document, { values, context, timeMs: 0 });
  if (invalid !== undefined) {
    const shown = JSON.stringify(invalid.slice(0, shownUnitsMax));
    report(clock?.until, `is not ${expectedDeadline}: ${shown}`, 'date');
  }
  if (contactOf(document, values, context).length > contactUnitsMax) {
    const problem = `gives a contact of more than ${contactUnitsMax} characters; use a shorter id`;
    report(clock?.per, problem, 'text');
  }
}

/**
 * The options with the end of the countdown and the share of the contact, for a live template; else the same object. The values
 * have passed `checkClockValues`.
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
  // A countdown that is over, or that this reader does not see, stands still: its file is kept as any other.
  if (frames === undefined || standsStill(template, { ...still, timeMs }, values, frames)) {
    return still;
  }
  return { ...still, frames };
}

/** Whether none of the seconds that a countdown has in its file changes the image. */
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

/** 0 to 99: the same for all renders of a template for one contact, on every machine. Without a contact 0. */
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

/** The part of a render's key that its time and its reader decide; undefined for one that needs no clock. */
export function momentKeyOf(render: TimedRender): string | undefined {
  const { template, options, values } = render;
  const { document } = template;
  const { timeMs, frames } = options;
  if (timeMs === undefined || !isTimed(document)) return undefined;
  const key = momentKey(document, { ...options, timeMs }, frameBinders(render));
  if (frames === undefined || animationOf(document)?.type !== 'countdown') return key;
  // The frames of a later second can ask the reader what the first one hides.
  return JSON.stringify([key, readerKey(document, createBinder(document, values, options))]);
}

/**
 * What the images of one countdown have in common for readers who see the same, whatever the time is; undefined for a template
 * that needs no clock.
 */
export function countdownKeyOf({ template, options, values }: TimedRender): unknown[] | undefined {
  const { document } = template;
  const { timeMs, untilMs, isFloating } = options;
  if (timeMs === undefined) return undefined;
  const end = isFloating === true ? 'not begun' : untilMs;
  return [end, readerKey(document, createBinder(document, values, options))];
}

/** What binds the values that an image draws: those of each frame where frames have values of their own. */
function frameBinders({ template, options, values }: TimedRender): Binder[] {
  const { document } = template;
  const { frames: count, timeMs } = options;
  const bind = (each: ResolvedValues): Binder => createBinder(document, each, options);
  if (count === undefined || animationOf(document)?.type !== 'values') return [bind(values)];
  const { frames = [] } = framesOf(document, timeMs, count) ?? {};
  return frames.map((frame) => bind(frameValues({ values }, frame)));
}

/** What of the time the frames of a file show: a countdown shows what follows, so that it counts when it ends. */
export function framesKeyOf({
  template,
  options: { frames, timeMs = 0, untilMs = 0 },
}: Pick<TimedRender, 'template' | 'options'>): number[] | undefined {
  if (frames === undefined) return undefined;
  const counts = animationOf(template.document)?.type === 'countdown';
  return counts ? [frames, timeMs, untilMs] : [frames];
}

/** When the image of a render changes next if only time passes, ms since the epoch; `Infinity` for never. */
export function changesAt(render: TimedRender): number {
  const { document } = render.template;
  const { options } = render;
  const { timeMs, frames } = options;
  if (timeMs === undefined) return Infinity;
  // Frames that count begin with the second in which the link is opened.
  const counts = animationOf(document)?.type === 'countdown';
  if (frames !== undefined && counts) return timeMs + 1000;
  return changesAtMs(document, { ...options, timeMs }, frameBinders(render));
}

/** The client of a render. */
export interface Reader {
  /** Empty for a program of the organization. */
  userAgent: string;
  /** HEAD asks for headers, and opens nothing. */
  isHead: boolean;
}

/** First opens of evergreen countdowns. */
export type FirstOpens = Pick<FirstOpenStore, 'find' | 'open' | 'stored'>;

/**
 * The options of a live template's render for its reader: the kind of client, and when the contact's countdown began. It
 * begins now with the first request that shows an image to somebody. The same object for other templates.
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
  // What previews a link shows it to somebody else.
  const isOpen = !isHead && userAgent !== '' && kind !== 'link-preview';
  const startedSeconds = isOpen
    ? firstOpens.open(template.uid, contact, timeMs / 1000)
    : firstOpens.find(template.uid, contact);
  return startedSeconds === undefined ? reader : { ...reader, startedMs: startedSeconds * 1000 };
}

/** `page`, whose answer goes out when the countdown that begins with it is stored. */
export function storeFirstOpens(page: Handler, firstOpens: Pick<FirstOpens, 'stored'>): Handler {
  return (exchange) => {
    const reply = page(exchange);
    const stored = firstOpens.stored();
    return stored === undefined ? reply : Promise.all([reply, stored]).then(([whole]) => whole);
  };
}

/** Whether the link has a contact. All readers without one would share the countdown of the defaults. */
function namesContact({ document, variables }: PublishedTemplate, values: ResolvedValues): boolean {
  return boundNames(document.clock?.per ?? '', variables).some((name) => {
    const variable = variables.get(name);
    return variable !== undefined && values.get(name) !== defaultText(variable);
  });
}

/** Templates that a link may draw one after the other: more only run in a circle. */
const hopsMax = 4;

/**
 * The template that stands for one whose countdown is over. Undefined where there is none: it must be published, of the same
 * organization, and ask for what the link of the first one has shown. Then the countdown stays at zero.
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

/** Goes on with another template: what was read for the first one does not count for it, not even where it fails. */
export function followTo<Link extends { options?: RenderOptions; values?: ResolvedValues }>(
  link: Link,
  next: { template: PublishedTemplate; hops: number },
): Link & typeof next {
  delete link.options;
  delete link.values;
  return Object.assign(link, next);
}
