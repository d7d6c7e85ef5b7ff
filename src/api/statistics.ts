/** `GET /v1/templates/{uid}/statistics`: counts of the answers to a template's links. */
import type { TInteger } from 'typebox';
import { Type } from 'typebox';
import { AppError, errorTable } from '../foundation/errors.ts';
import { jsonReply } from '../http/reply.ts';
import { clientKinds } from '../render/image-request.ts';
import { dayOf, statisticsDaysMax } from '../store/statistics-store.ts';
import type { StatisticsStore } from '../store/statistics-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type { LinkStatistics } from '../telemetry/link-statistics.ts';
import { jsonAnswer, uidParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { requireTemplate } from './request/organization-template.ts';
import { closed, noTemplateHere, nullable, Timestamp } from './shared-schemas.ts';

/** Services that the endpoint needs. */
export interface StatisticsParts {
  templates: Pick<TemplateStore, 'hasTemplate'>;
  statistics: StatisticsStore;
  linkStatistics: Pick<LinkStatistics, 'flushTemplate'>;
}

/** Days of an answer without `from`: today and the 29 days before. */
const daysDefault = 30;

const dayMs = 24 * 60 * 60 * 1000;

const count = (description: string): TInteger => Type.Integer({ minimum: 0, description });

const counts = {
  images: count('answers with an image, and those that say that it is unchanged'),
  drawn: count('images that were drawn for the request; the others came from memory'),
  degraded: count('images without one of their source images'),
  substitutes: count('images in place of errors'),
  unmerged: count('images of links with a value that was nothing but a merge tag'),
  corrected: count(
    'images of links with a value that another program escaped, such as O&#39;Brien, and that was corrected',
  ),
};

const errors = count('requests that failed, with and without an image in place of the error');

const Day = Type.String({ format: 'date', description: 'a day in UTC' });

const Statistics = Type.Object(
  {
    from: Day,
    to: Day,
    first_image_at: nullable(Timestamp, 'the first image ever, to some seconds'),
    last_image_at: nullable(Timestamp, 'the last image ever, to some seconds'),
    total: Type.Object({ ...counts, errors }, closed),
    errors: Type.Array(Type.Object({ code: Type.Enum(Object.keys(errorTable)), errors }, closed), {
      description: 'by code, most first',
    }),
    days: Type.Array(Type.Object({ day: Day, ...counts, errors }, closed), {
      description: 'days with an answer, oldest first',
    }),
    versions: Type.Array(
      Type.Object(
        {
          version: count('0: the others together, of days with very many versions'),
          ...counts,
        },
        closed,
      ),
      { description: 'newest first' },
    ),
    clients: Type.Array(
      Type.Object(
        {
          client: Type.Enum([...clientKinds], {
            description:
              'the kind of client, by its user agent: proxies of Gmail and Yahoo, Apple Mail with and without its privacy protection, Outlook, other email programs, previews of links, browsers (also those that show webmail) and other programs',
          }),
          ...counts,
        },
        closed,
      ),
      { description: 'most images first' },
    ),
  },
  { ...closed, $id: 'TemplateStatistics' },
);

const exampleCounts = {
  images: 1200,
  drawn: 900,
  degraded: 0,
  substitutes: 2,
  unmerged: 4,
  corrected: 0,
};

const example = {
  from: '2026-01-02',
  to: '2026-01-31',
  first_image_at: '2026-01-31T09:00:00.000Z',
  last_image_at: '2026-01-31T17:30:00.000Z',
  total: { ...exampleCounts, errors: 3 },
  errors: [{ code: 'BAD_REQUEST', errors: 3 }],
  days: [{ day: '2026-01-31', ...exampleCounts, errors: 3 }],
  versions: [{ version: 2, ...exampleCounts }],
  clients: [{ client: 'gmail-proxy', ...exampleCounts }],
};

export const templateStatistics = endpoint(
  {
    id: 'templateStatistics',
    route: 'statistics',
    method: 'get',
    path: '/v1/templates/{uid}/statistics',
    tag: 'Templates',
    summary: 'Get statistics',
    description: `What the links of a template were answered with, by day, version and kind of client. Counts alone are kept, for ${statisticsDaysMax} days: no address, no value and no user agent. An email client that keeps or prefetches images makes these neither opens nor readers.`,
    scope: 'read',
    pathParameters: { uid: uidParameter },
    query: {
      from: {
        description: `The first day, as 2026-01-31 in UTC. Default: ${daysDefault - 1} days before the last one.`,
        schema: { type: 'string', format: 'date' },
      },
      to: {
        description: 'The last day. Default: today.',
        schema: { type: 'string', format: 'date' },
      },
    },
    answers: { 200: jsonAnswer('The counts.', Statistics, example) },
    errors: {
      400: '`from` or `to` is no date, or they are in the wrong order.',
      404: noTemplateHere,
    },
    clientCall:
      "const statistics = await platen.request('GET /v1/templates/{uid}/statistics', { path: { uid: 'hello' } })",
    errorShape: 'organization',
  },
  ({ templates, statistics, linkStatistics }: StatisticsParts) =>
    (exchange, { holder, readQuery }) => {
      const uid = requireTemplate(exchange, holder, templates);
      const query = readQuery();
      const to = readDay('to', query.to, dayOf(Date.now()));
      const defaultFrom = dayOf(Date.parse(to) - (daysDefault - 1) * dayMs);
      const from = readDay('from', query.from, defaultFrom);
      if (from > to) throw badDay('from', `it is ${from}, expected a day up to ${to}`);
      linkStatistics.flushTemplate(uid);
      return jsonReply(200, { from, to, ...statistics.read(uid, from, to) });
    },
);

function readDay(name: string, text: string | undefined, fallback: string): string {
  if (text === undefined || text === '') return fallback;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDay && dayOf(Date.parse(text)) === text) return text;
  throw badDay(name, 'expected a day such as 2026-01-31');
}

function badDay(name: string, problem: string): AppError {
  return new AppError('BAD_REQUEST', `Invalid ${name}: ${problem}`, { reason: name });
}
