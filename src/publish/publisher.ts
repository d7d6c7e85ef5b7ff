/** Publishes templates, after rendering the default image and making base renders, so that no reader waits for them. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { errorText } from '#wire/error-text.ts';
import { familyMentions } from '#language/font-names.ts';
import { suggestName } from '#language/check/name-suggestions.ts';
import { Deadline } from '../foundation/deadline.ts';
import type { ErrorCode } from '../foundation/errors.ts';
import { AppError } from '../foundation/errors.ts';
import type { Log } from '../foundation/log.ts';
import { candidateTemplate } from '../store/published-cache.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { StoreError, whenFree } from '../store/database/store-error.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type {
  PublishedVersion,
  PublishOptions,
  StoredDocument,
} from '../store/template-versions.ts';
import { storedDocument } from '../store/template-versions.ts';
import { allSizes } from '../store/template-sizes.ts';
import {
  invalidDocument,
  parseStoredDocument,
  requireMatch,
  requireValid,
} from '../store/template-document.ts';
import { animatedOrder, drawableOrder } from '../render/order.ts';
import type { RenderOrder } from '../render/order.ts';
import type { Render } from '../render/cache.ts';
import { drawRender } from '../render/draw.ts';
import type { RenderParts } from '../render/draw.ts';
import type { FontInspector } from '../scheduling/font-inspector.ts';
import { makeBaseRenders, noteMadeByPublication } from './base-renders.ts';

/** Upper bound of making base renders, in ms. Later the warmer makes them: slowness is no fault of the template. */
const baseRendersTimeoutMs = 5000;

/** Time of a request that is reserved for the answer, in ms. */
const answerMs = 500;

/** Upper bound of the remembered images that can be drawn, of some 200 bytes each. */
const drawableMax = 1000;

/** Codes of failures that are no fault of the template. */
const busyCodes: ReadonlySet<ErrorCode> = new Set(['OVERLOADED', 'TIMEOUT']);

export interface PublisherOptions extends RenderParts {
  templates: TemplateStore;
  inspector: Pick<FontInspector, 'bundledFamilies'>;
  log: Log;
}

export interface Publisher {
  /**
   * Renders the draft's default image and its animation, makes base renders in each process, and publishes the next
   * version. Base renders that are not ready after 5 s are left out. Undefined if there is no such template or version.
   *
   * Rejects with a `StoreError` `INVALID` that names each font family which is neither bundled nor the organization's.
   * Rejects with BAD_REQUEST if the image cannot be drawn, and OVERLOADED if this is unknown within the time of the
   * request. Rejects with CONFLICT if the draft changes, and with the errors of `TemplateVersions.publish`. An older
   * version was public before, and is never refused for its image.
   */
  publish(
    organizationUid: string,
    uid: string,
    request: PublishOptions,
    deadline: Deadline,
  ): Promise<PublishedVersion | undefined>;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { templates } = options;
  // Images of many large sizes take longer than one request; a repeated request continues with the rest.
  const drawable = new LRUCache<string, true>({ max: drawableMax });

  const publishDraft: Publisher['publish'] = async (organizationUid, uid, request, { atMs }) => {
    const { replacement } = request;
    const draft = templates.findDocument(organizationUid, uid);
    if (draft === undefined) return undefined;
    requireMatch(draft.cid, request);
    const stored = replacement === undefined ? draft : storedDocument(replacement.documentJson);
    const template = toTemplate(templates, organizationUid, uid, stored);
    if (request.isTrusted !== true) await requireValid(stored, organizationUid);
    await requireFamilies(template, options.inspector);
    const first = await requireDrawable(template, { ...options, drawable }, atMs - answerMs);
    await warm(template, options, atMs - answerMs, first);
    try {
      // Publishes exactly the rendered draft.
      return await whenFree(() =>
        templates.publish(organizationUid, uid, { ...request, ifMatch: [draft.cid] }),
      );
    } catch (error) {
      const isChanged = error instanceof StoreError && error.code === 'CHANGED';
      throw isChanged && request.ifMatch === undefined ? changedMeanwhile() : error;
    }
  };

  return {
    async publish(organizationUid, uid, request, deadline) {
      const { version } = request;
      if (version === undefined) return publishDraft(organizationUid, uid, request, deadline);
      const stored = templates.findDocument(organizationUid, uid, version);
      if (stored === undefined) return undefined;
      const template = toTemplate(templates, organizationUid, uid, stored);
      await warm(template, options, deadline.atMs - answerMs).catch((error: unknown) =>
        logUnready(options.log, template, error),
      );
      return whenFree(() => templates.publish(organizationUid, uid, request));
    },
  };
}

/**
 * Throws for unknown font families: a version never changes, so it would use a substitute for ever. Lists of families
 * are checked too, because only the fonts of this service count, not those of the client's machine.
 */
async function requireFamilies(
  { document, fonts }: PublishedTemplate,
  inspector: PublisherOptions['inspector'],
): Promise<void> {
  const organizationNames = new Set(fonts.map(({ name }) => name.toLowerCase()));
  const others = familyMentions(document).filter(
    ({ name }) => !organizationNames.has(name.toLowerCase()),
  );
  if (others.length === 0) return;
  const families = await inspector.bundledFamilies().catch((cause: unknown) => {
    const sentence = 'The bundled fonts could not be listed in time: publish again in a moment.';
    throw new AppError('OVERLOADED', sentence, { reason: 'fonts', retryAfterSeconds: 1, cause });
  });
  // Case-sensitive, like the renderer.
  const bundled = new Set(families.map(({ family }) => family));
  const known = [...bundled, ...fonts.map(({ name }) => name)];
  const problems = others
    .filter(({ name }) => !bundled.has(name))
    .map(({ path, name }) => ({
      path,
      message: `is ${JSON.stringify(name)}${hintOf(name, known)}, expected a font family that is bundled or your organization's own (GET /v1/fonts lists them): upload the font under this name, then publish again`,
    }));
  if (problems.length > 0) throw invalidDocument(problems);
}

function hintOf(name: string, known: readonly string[]): string {
  const meant = suggestName(name, known);
  return meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;
}

/**
 * Renders the default image, the animation if there is one, and then those of each size, because sizes share fonts and
 * decoded images. Images in `drawable` are skipped. A render that is refused for lack of time is retried after
 * `Retry-After`. Returns the default image, whose process has also made its base render; undefined if it was skipped.
 * Throws if an image cannot be drawn, and OVERLOADED if this is unknown by `untilMs`.
 */
async function requireDrawable(
  template: PublishedTemplate,
  options: PublisherOptions & { drawable: LRUCache<string, true> },
  untilMs: number,
): Promise<Render | undefined> {
  const deadline = new Deadline(untilMs);
  const draw = async (
    part: TemplatePart,
    toOrder: () => RenderOrder | undefined,
  ): Promise<Render | undefined> => {
    const key = [template.templateKey, part.what, part.size].join('\n');
    if (options.drawable.has(key)) return undefined;
    // The order of a new document reads all of it.
    await nextTurn();
    const order = toOrder();
    const render = order && (await requireRender(order, part, options, deadline));
    options.drawable.set(key, true);
    return render;
  };
  let first: Render | undefined;
  try {
    for (const [size, sized] of allSizes(template)) {
      const isDefault = size === undefined;
      const render = await draw({ what: 'default image', size }, () =>
        drawableOrder(sized, isDefault ? { makesBaseRender: true } : {}),
      );
      if (isDefault) first = render;
      await draw({ what: 'animation', size }, () => animatedOrder(sized));
    }
    return first;
  } finally {
    deadline.clear();
  }
}

/** A part of a template that is drawn. */
interface TemplatePart {
  what: 'default image' | 'animation';
  size?: string | undefined;
}

async function requireRender(
  order: RenderOrder,
  part: TemplatePart,
  options: PublisherOptions,
  deadline: Deadline,
): Promise<Render> {
  for (;;) {
    try {
      return await drawRender(order, options, deadline);
    } catch (error) {
      if (!isBusy(error)) throw refusal(error, part);
      const waitMs = (error.retryAfterSeconds ?? 1) * 1000;
      if (waitMs >= deadline.remainingMs()) throw unchecked(error);
      await pause(waitMs);
    }
  }
}

/**
 * Makes base renders in each process, after the default image `first`. Throws if the image cannot be drawn; a lack of
 * time is only logged.
 */
async function warm(
  template: PublishedTemplate,
  options: PublisherOptions,
  untilMs: number,
  first?: Render,
): Promise<void> {
  const deadline = new Deadline(Math.min(performance.now() + baseRendersTimeoutMs, untilMs));
  try {
    await makeBaseRenders(template, options, deadline, first);
    noteMadeByPublication(template, options.pool);
  } catch (error) {
    if (!isBusy(error)) throw refusal(error, { what: 'default image' });
    logUnready(options.log, template, error);
  } finally {
    deadline.clear();
  }
}

function isBusy(error: unknown): error is AppError {
  return error instanceof AppError && busyCodes.has(error.code) && error.reason !== 'lost';
}

/** The error for a lack of time: a version never changes, so an unchecked one is not published. */
function unchecked(cause: AppError): AppError {
  const { retryAfterSeconds = 1 } = cause;
  const why = cause.reason === 'slow' ? ` ${cause.message}` : '';
  return new AppError(
    'OVERLOADED',
    `The service had too little time to draw the template's images, so nothing was published: publish again in ${retryAfterSeconds} s. It goes on with those that are not drawn yet.${why}`,
    { reason: 'unchecked', retryAfterSeconds, cause },
  );
}

function logUnready(log: Log, { uid }: PublishedTemplate, error: unknown): void {
  log.warn('template not warmed', { template: uid, detail: errorText(error) });
}

function toTemplate(
  templates: TemplateStore,
  organizationUid: string,
  uid: string,
  { version, cid, documentJson, fontDigests }: StoredDocument,
): PublishedTemplate {
  const part = version === null ? 'draft' : `version ${version}`;
  const document = parseStoredDocument(uid, part, cid, documentJson);
  const fonts = templates.findFonts(organizationUid, document, fontDigests);
  return candidateTemplate({ uid, organizationUid, document, documentJson, fonts });
}

/** Turns the cause into a sentence about the template; bugs stay unchanged. */
function refusal(error: unknown, { what, size }: TemplatePart): unknown {
  if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') return error;
  const { reason, layers } = error;
  const message = size === undefined ? error.message : `${error.message} (in the size "${size}")`;
  return new AppError(
    'BAD_REQUEST',
    `The template cannot be published, because its ${what} cannot be drawn. ${message}`,
    {
      reason: reason ?? 'default',
      details: [
        {
          path: '(document)',
          message: `draws no ${what}. ${message}`,
          ...(layers.length === 0 ? {} : { layers }),
        },
      ],
    },
  );
}

function changedMeanwhile(): AppError {
  return new AppError(
    'CONFLICT',
    'The draft was changed while it was being published: look at it, and publish it again.',
    { reason: 'changed' },
  );
}
