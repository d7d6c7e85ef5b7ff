/**
 * THE PAGE: the path of a render request, one call a rung, in order of cost. There is no `try` here, no loop
 * and no arithmetic: what is thrown ends in `render/recovery`, which wraps the page from outside.
 */
import type { Exchange } from '../http/exchange.ts';
import { parseQuery } from '../http/query.ts';
import type { Query } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { TableLookup } from '../store/tables/table-store.ts';
import { createAnswers } from './answer.ts';
import type { LinkMemory, UrlAliases } from './answer.ts';
import type { RenderFlights } from './cache.ts';
import { admitRender, noteAssets, originOf } from './draw.ts';
import type { RenderParts } from './draw.ts';
import { checkLinkAuth, expiresAt } from './link/auth.ts';
import type { LinkKeys } from './link/auth.ts';
import { linkReader } from './link/reading.ts';
import { readShortLink } from './link/short-link.ts';
import type { ShortLinkStore } from '../store/short-link-store.ts';
import { followTo, templateAtZero, withReader } from './moment.ts';
import type { FirstOpens } from './moment.ts';
import { refuseLoop, RenderOrder } from './order.ts';
import { findTemplate, parseRenderPath, refuseTruncated } from './request.ts';
import type { PublishedTemplates, RenderOptions, RenderPath } from './request.ts';
import type { ResolvedValues } from './values.ts';

/** Everything that a render request meets on its way. */
export interface RenderService extends RenderParts {
  aliases: UrlAliases;
  templates: PublishedTemplates;
  organizations: LinkKeys;
  shortLinks: Pick<ShortLinkStore, 'findLink'>;
  tables: TableLookup;
  firstOpens: FirstOpens;
  flights: RenderFlights;
}

/** The parts of a link that the page has read when it fails: `fallback` starts from them. */
export interface LinkReading {
  path?: RenderPath;
  query?: Query;
  /** Also authorized. */
  template?: PublishedTemplate;
  /** Unix time in seconds; absent for a link without an end. */
  expires?: number | undefined;
  options?: RenderOptions;
  values?: ResolvedValues;
  /** Whether the query is kept for other readers of the link. */
  isShort?: boolean;
  /** Whether a value is nothing but merge tags. */
  isUnmerged?: boolean;
  /** How many templates the link has drawn in place of one whose countdown is over. */
  hops?: number;
}

/** The page: writes what it reads of the link into `link`. */
export type RenderPage = (exchange: Exchange, link: LinkReading) => Reply | Promise<Reply>;

/** `GET /v1/render/{uid}`: an image, 304, or an error by code. Hits are answered at once, without a promise. */
export function createGetRender(service: RenderService): RenderPage {
  const { aliases, templates, organizations } = service;
  return (exchange, link) => {
    const known = aliases.answer(exchange);
    if (known !== undefined) return known; //                                      200, 304

    const path = (link.path = parseRenderPath(exchange.parameter)); //             404
    const query = (link.query = parseQuery(exchange.query));
    refuseTruncated(query); //                                                     400
    const template = findTemplate(templates, path, query); //                      400, 404
    checkLinkAuth(template, exchange, organizations); //                           401
    const expires = template.linkAuth === 'signed' ? expiresAt(exchange.query) : undefined;
    return answerLink(exchange, service, Object.assign(link, { path, query, template, expires }));
  };
}

/** `GET /r/{token}`: the answer of the link that the token stands for. The token stands for a signature, too. */
export function createGetShortLink(service: RenderService): RenderPage {
  const { templates, organizations, shortLinks } = service;
  return (exchange, link) => {
    const { path, query, expires } = readShortLink(shortLinks, exchange.parameter); // 404
    Object.assign(link, { path, query, isShort: true });
    const template = findTemplate(templates, path, query); //                      404
    if (template.linkAuth === 'key') checkLinkAuth(template, exchange, organizations); // 401
    return answerLink(exchange, service, Object.assign(link, { path, query, template, expires }));
  };
}

/** For a link that draws another template: what it draws depends on its own, too. */
const noMemory: LinkMemory = { remember: () => undefined };

/** A link that may be drawn. */
type OpenLink = LinkReading & Required<Pick<LinkReading, 'path' | 'query' | 'template'>>;

function answerLink(
  exchange: Exchange,
  service: RenderService,
  link: OpenLink,
): Reply | Promise<Reply> {
  const { aliases, cache, flights, stats, templates } = service;
  const { path, query } = link;
  exchange.organizationUid = link.template.organizationUid;
  const read = linkReader(link);
  const template = (link.template = read.size(link.template, query)); //           400
  link.options = read.options(path, query, template); //                           400
  const onUnmerged = (uid: string): void => {
    stats.countUnmerged(uid);
    link.isUnmerged = true;
  };
  link.values = read.values(template, query, service.tables, onUnmerged); //       400
  const { options, values } = link; // the countdown of a contact begins here
  link.options = withReader(options, template, values, exchange, service.firstOpens);
  const order = new RenderOrder(template, link.options, link.values);
  const next = templateAtZero(order, templates, link);
  if (next !== undefined) return answerLink(exchange, service, followTo(link, next));
  const memory = link.hops === undefined ? aliases : noMemory;
  const answer = createAnswers(exchange, order, memory, link);

  const unchanged = answer.notModified();
  if (unchanged !== undefined) {
    noteAssets(order, service.use);
    return unchanged; //                                                           304
  }
  const cached = cache.findNow(order);
  if (cached !== undefined) return answer.render(cached, 'hit'); //                200, 304

  refuseLoop(exchange, order); //                                                  400
  return flights
    .run(order.key, exchange.deadline, () => admitRender(order, service, exchange.deadline)) // 400, 503, 504
    .then(({ value, shared }) => answer.render(value, originOf(value, shared))); //  200
}
