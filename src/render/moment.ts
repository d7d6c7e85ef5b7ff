/** The time and the reader of a render: what decides the end of its countdown, its share, and how long it is cached. */
import { hash } from 'node:crypto';
import { createBinder, formatContext } from '#language/bind/binder.ts';
import { boundNames } from '#language/bind/bindings.ts';
import { clockUseOf, isLive } from '#language/clock/clock-use.ts';
import { contactOf, deadlineOf, expectedDeadline } from '#language/clock/deadline.ts';
import { changesAtMs, momentKey } from '#language/clock/lifetime.ts';
import { remainingMs } from '#language/clock/live-values.ts';
import type { LiveClient } from '#wire/render-moment.ts';
import type { FirstOpenStore } from '../store/first-open-store.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { AppError } from '../foundation/errors.ts';
import { clientKindOf } from './image-request.ts';
import type { ClientKind } from './image-request.ts';
import { badValue } from './parse-value.ts';
import type { PublishedTemplates, RenderOptions } from './request.ts';
import type { ResolvedValues } from './values.ts';

/** Code points of a contact's id: longer than any address or number of an email service. */
const contactCodePointsMax = 500;

const clients: Partial<Record<ClientKind, LiveClient>> = {
  'apple-privacy': 'apple-mail-privacy',
  'gmail-proxy': 'gmail-proxy',
  'yahoo-proxy': 'yahoo-proxy',
};

/** The kind of a client, as conditions of a template name it. */
function liveClientOf(kind: ClientKind): LiveClient {
  return clients[kind] ?? 'other';
}

/** The text of a link's contact, or an empty one. Throws BAD_REQUEST for one that is too long. */
function contactIn({ document, variables }: PublishedTemplate, values: ResolvedValues): string {
  const contact = contactOf(document, values, formatContext(document, {}));
  if (contact.length <= contactCodePointsMax) return contact;
  const problem = `gives a contact of more than ${contactCodePointsMax} characters; use a shorter id`;
  throw namedProblem(document.clock?.per, variables, problem);
}

/**
 * The options with the end of the countdown and the share of the contact, for a live template; else the same object. Throws
 * BAD_REQUEST that names the variable for a deadline that is none.
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
  if (names.has('share')) settled.share = shareOf(template.uid, contactIn(template, values));
  if (options.untilMs !== undefined || document.clock === undefined) return settled;
  const context = formatContext(document, options);
  const { invalid, ...end } = deadlineOf(document, { values, context, timeMs, startedMs });
  if (invalid !== undefined) {
    const problem = `is not ${expectedDeadline}: ${JSON.stringify(invalid.slice(0, 60))}`;
    throw namedProblem(document.clock.until, template.variables, problem);
  }
  return { ...settled, ...end };
}

/** BAD_REQUEST about the variable that a text of the clock binds. */
function namedProblem(
  text: string | undefined,
  variables: PublishedTemplate['variables'],
  problem: string,
): AppError {
  const [name = ''] = text === undefined ? [] : boundNames(text, variables);
  const variable = variables.get(name);
  return variable === undefined
    ? new AppError('BAD_REQUEST', `The clock of the template ${problem}.`, { reason: 'value' })
    : badValue(variable, problem);
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
export function momentKeyOf({
  template: { document },
  options,
  values,
}: TimedRender): string | number | undefined {
  const { timeMs } = options;
  if (timeMs === undefined) return undefined;
  if (!isLive(document)) return timeMs;
  return momentKey(document, { ...options, timeMs }, createBinder(document, values, options));
}

/** When the image of a render changes next if only time passes, ms since the epoch; `Infinity` for never. */
export function changesAt({ template: { document }, options, values }: TimedRender): number {
  const { timeMs } = options;
  if (timeMs === undefined) return Infinity;
  return changesAtMs(document, { ...options, timeMs }, createBinder(document, values, options));
}

/** The client of a render. */
export interface Reader {
  /** Empty for a program of the organization. */
  userAgent: string;
  /** HEAD asks for headers, and opens nothing. */
  isHead: boolean;
}

/** First opens of evergreen countdowns. */
export type FirstOpens = Pick<FirstOpenStore, 'find' | 'open'>;

/**
 * The options of a live template's render for its reader: the kind of client, and when the contact's countdown began. It
 * begins now with the first request that shows an image to somebody. The same object for other templates. Throws BAD_REQUEST
 * for a contact that is too long.
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
  const contact = isEvergreen ? contactIn(template, values) : '';
  if (contact === '') return reader;
  // What previews a link shows it to somebody else.
  const isOpen = !isHead && userAgent !== '' && kind !== 'link-preview';
  const startedSeconds = isOpen
    ? firstOpens.open(template.uid, contact, timeMs / 1000)
    : firstOpens.find(template.uid, contact);
  return startedSeconds === undefined ? reader : { ...reader, startedMs: startedSeconds * 1000 };
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
