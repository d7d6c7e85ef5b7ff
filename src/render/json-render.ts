/** Renders the image of a link whose values and options come in a JSON body. */
import { formatByName } from '#language/formats.ts';
import type { ErrorDetail } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Query } from '../http/query.ts';
import { noStore } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { AppError } from '../foundation/errors.ts';
import { timingText } from '../scheduling/stats.ts';
import { contentHeaders, warningHeaders } from './answer.ts';
import { linkNotes, renderNotes } from './link/notes.ts';
import type { Render } from './cache.ts';
import { admitRender, originOf } from './draw.ts';
import type { RenderService } from './get-render.ts';
import { parameter, toQuery } from './json-values.ts';
import { parseExactJson } from './list-values.ts';
import type { RenderOrder } from './order.ts';
import { chooseSize, findTemplate } from './request.ts';
import type { RenderPath } from './request.ts';

/** Options of a body, with the names of the options of a link. */
export interface JsonLinkOptions {
  format?: string;
  quality?: number;
  scale?: number;
  lang?: string;
  size?: string;
  frames?: number;
  animated?: boolean;
  version?: number;
}

/** A link from a JSON body. */
export interface JsonLink {
  template: PublishedTemplate;
  /** With the format that the body chooses, unless the path has an extension. */
  path: RenderPath;
  /** The query of the equal link, without signature and expiry. */
  query: Query;
  /** Names of values without a variable, at most 50. */
  ignored: string[];
  problems: ErrorDetail[];
}

/**
 * Returns the template in the size that a body names, and the query of the equal link. `body` is the whole body, for
 * the digits of its numbers. Throws as `findTemplate` and `chooseSize` do. An option with the name of a variable is a
 * problem, because in links the variable takes precedence.
 */
export function readJsonLink(
  templates: RenderService['templates'],
  path: RenderPath,
  values: Readonly<Record<string, unknown>>,
  options: JsonLinkOptions,
  body: Buffer,
): JsonLink {
  const { format, ...rest } = options;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const parameters = given.map(([name, value]) =>
    parameter(`_${name}`, typeof value === 'boolean' ? Number(value) : value),
  );
  const asked = { parameters, isTruncated: false };
  const template = chooseSize(findTemplate(templates, path, asked), asked);
  const linkPath = { uid: path.uid, format: path.format ?? formatByName.get(format ?? '') };
  const clashing = given
    .filter(([name]) => template.variables.has(`_${name}`))
    .map(([name]) => ({
      path: name,
      message: `cannot be chosen, because the template has a variable "_${name}": leave it out`,
    }));
  const exact = (): typeof values => exactValues(values, body);
  const { query, ignored, problems } = toQuery(values, template, exact);
  query.parameters.push(...parameters);
  return { template, path: linkPath, query, ignored, problems: [...clashing, ...problems] };
}

/** The same values with numbers as written: 19.90, not 19.9. */
function exactValues(
  values: Readonly<Record<string, unknown>>,
  body: Buffer,
): Readonly<Record<string, unknown>> {
  const hasNumbers = Object.values(values).some(
    (value) => typeof value === 'number' || Array.isArray(value),
  );
  if (!hasNumbers) return values;
  const exact = parseExactJson(new TextDecoder().decode(body)) as
    | { values: Record<string, unknown> }
    | undefined;
  if (exact !== undefined) return exact.values;
  throw new AppError('BAD_REQUEST', 'The body is not valid: its values are nested too deeply.', {
    reason: 'body',
  });
}

/** A render and its origin. */
export interface FoundRender {
  render: Render;
  cacheState: 'hit' | 'shared' | 'warm' | 'miss';
}

/** The render of an order, cached or made now, as for a link. */
export async function findOrRender(
  order: RenderOrder,
  service: RenderService,
  { deadline }: Exchange,
): Promise<FoundRender> {
  const kept = service.cache.find(order.key);
  if (kept !== undefined) return { render: kept, cacheState: 'hit' };
  const { value, shared } = await service.flights.run(order.key, deadline, () =>
    admitRender(order, service, deadline),
  );
  return { render: value, cacheState: originOf(value, shared) };
}

/** The bytes of the link's image. No cache may store them, because all images of the template have this address. */
export function imageReply(
  exchange: Exchange,
  { template }: RenderOrder,
  found: FoundRender,
): Reply {
  const { render } = found;
  const headers = [
    ...contentHeaders(template.uid, render.format),
    'X-Content-Type-Options',
    'nosniff',
    ...(render.etag === undefined ? [] : ['ETag', render.etag]),
    ...warningHeaders(render.warnings),
    'Cache-Control',
    noStore,
  ];
  return withFacts(exchange, template, found, { status: 200, headers, body: render.bytes });
}

/** Adds the data of the render for the `Server-Timing` header, the log and the metrics. */
export function withFacts(
  exchange: Exchange,
  template: PublishedTemplate,
  { render, cacheState }: FoundRender,
  reply: Reply,
): Reply {
  const totalMs = performance.now() - exchange.startedMs;
  const isHit = cacheState === 'hit';
  const stages = isHit ? '' : `, ${timingText({ ...render.stages, total: totalMs })}`;
  return {
    ...reply,
    headers: [...reply.headers, 'Server-Timing', `cache;desc=${cacheState}${stages}`],
    cacheState,
    notes: isHit ? linkNotes(template) : renderNotes(template, render),
    ...(render.cause === undefined ? {} : { cause: render.cause }),
  };
}
