/**
 * The page: the steps of a render request in order of cost, one call each. It has no `try`, no loop and no arithmetic:
 * `withRecovery` of `render/fallback` wraps the page and handles its errors.
 */
import type { Exchange } from '../http/exchange.ts';
import { parseQuery } from '../http/query.ts';
import type { Query } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { TableLookup } from './table-values.ts';
import { createAnswers } from './answer.ts';
import type { LinkMemory, UrlAliases } from './answer.ts';
import type { RenderFlights } from './cache.ts';
import { admitRender, noteAssets, originOf } from './draw.ts';
import type { RenderParts } from './draw.ts';
import { checkLinkAuth } from './link/auth.ts';
import type { LinkKeys } from './link/auth.ts';
import { expiresAt } from './link/signature.ts';
import type { DocumentReads } from './link/document-reads.ts';
import { linkReader } from './link/reading.ts';
import { readShortLink } from './link/short-link.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type { ShortLinkStore } from '../store/short-link-store.ts';
import { followTo, templateAtZero, withReader } from './moment.ts';
import type { FirstOpens } from './moment.ts';
import { refuseLoop, RenderOrder } from './order.ts';
import { findTemplate, parseRenderPath, refuseTruncated } from './request.ts';
import type { RenderOptions, RenderPath } from './request.ts';
import type { ValueNotes } from './parse-value.ts';
import type { ResolvedValues } from './values.ts';

/** Services that a render request needs. */
export interface RenderService extends RenderParts {
  aliases: UrlAliases;
  templates: Pick<TemplateStore, 'findPublished' | 'findUnread'>;
  /** One for all kinds of links, because an organization reads one document at a time. */
  documents: DocumentReads;
  organizations: LinkKeys;
  shortLinks: Pick<ShortLinkStore, 'findLink'>;
  tables: TableLookup;
  firstOpens: FirstOpens;
  flights: RenderFlights;
}

/** The parts of a link that the page has read; if it fails, `fallback` uses them. */
export interface LinkReading {
  path?: RenderPath;
  query?: Query;
  /** Set after the link is authorized. */
  template?: PublishedTemplate;
  /** Unix time in seconds; absent for a link without an end. */
  expires?: number | undefined;
  options?: RenderOptions;
  values?: ResolvedValues;
  /** Whether this is a short link, whose query other requests share. */
  isShort?: boolean;
  notes?: ValueNotes;
  /** Number of templates that the link has moved on to because a countdown was over. */
  hops?: number;
}

/** A page. Writes the parts of the link that it has read into `link`. */
export type RenderPage = (exchange: Exchange, link: LinkReading) => Reply | Promise<Reply>;

/** `GET /v1/render/{uid}`: an image, 304, or an error by code. Hits are answered at once, without a promise. */
export function createGetRender(service: RenderService): RenderPage {
  const { aliases, documents, templates, organizations } = service;
  return (exchange, link) => {
    const known = aliases.answer(exchange);
    if (known !== undefined) return known; //                                      200, 304

    const path = (link.path = parseRenderPath(exchange.parameter)); //             404
    const sent = (link.query = parseQuery(exchange.query));
    refuseTruncated(sent); //                                                      400
    const open = (): Reply | Promise<Reply> => {
      const template = findTemplate(templates, path, sent); //                     400, 404
      const query = checkLinkAuth(template, exchange, sent, organizations); //     401
      const expires = template.linkAuth === 'signed' ? expiresAt(query) : undefined;
      return answerLink(exchange, service, Object.assign(link, { path, query, template, expires }));
    };
    return documents.turn(path.uid, sent)?.then(open) ?? open(); //                503
  };
}

/** `GET /r/{token}`: the response to the link of the token. The token also replaces a signature. */
export function createGetShortLink(service: RenderService): RenderPage {
  const { documents, templates, organizations, shortLinks } = service;
  return (exchange, link) => {
    const { path, query, expires } = readShortLink(shortLinks, exchange.parameter); // 404
    Object.assign(link, { path, query, isShort: true });
    const open = (): Reply | Promise<Reply> => {
      const template = findTemplate(templates, path, query); //                    404
      if (template.linkAuth === 'key') checkLinkAuth(template, exchange, query, organizations); // 401
      return answerLink(exchange, service, Object.assign(link, { path, query, template, expires }));
    };
    return documents.turn(path.uid, query)?.then(open) ?? open(); //               503
  };
}

/** For a link that shows another template: its image also depends on the first template, so it gets no alias. */
const noMemory: LinkMemory = { remember: () => undefined };

/** An authorized link. */
type OpenLink = LinkReading & Required<Pick<LinkReading, 'path' | 'query' | 'template'>>;

function answerLink(
  exchange: Exchange,
  service: RenderService,
  link: OpenLink,
): Reply | Promise<Reply> {
  const { aliases, cache, flights, templates } = service;
  const { path, query } = link;
  exchange.organizationUid = link.template.organizationUid;
  const read = linkReader(link);
  const template = (link.template = read.size(link.template, query)); //           400
  link.options = read.options(path, query, template); //                           400
  link.notes = {};
  link.values = read.values(template, query, service.tables, link.notes); //       400
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
