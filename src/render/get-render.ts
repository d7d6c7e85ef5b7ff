/**
 * THE PAGE: the path of a render request, one call a rung, in order of cost. There is no `try` here, no loop
 * and no arithmetic: what is thrown ends in `render/recovery`, which wraps the page from outside.
 */
import { refuseLoop } from './link/refuse-loop.ts';
import type { Handler } from '../http/server.ts';
import { createAnswers } from './answer.ts';
import { checkRoom, drawRender, noteAssets } from './draw.ts';
import type { RenderWorkshop } from './draw.ts';
import { drawnSources } from './image-origins.ts';
import { checkLinkAuth } from './link/auth.ts';
import type { LinkKeys } from './link/auth.ts';
import type { RenderFlights } from './flights.ts';
import { pureETag, renderKey } from './key.ts';
import { findTemplate, parseRenderPath, parseRenderQuery, resolveOptions } from './request.ts';
import type { PublishedTemplates } from './request.ts';
import { resolveVariables } from './values.ts';
import type { UrlAliases } from './cache/url-alias.ts';

/** Everything that a render request meets on its way. */
export interface RenderService extends RenderWorkshop {
  aliases: UrlAliases;
  templates: PublishedTemplates;
  organizations: LinkKeys;
  flights: RenderFlights;
}

/** `GET /v1/render/{uid}`: a picture, 304, or an error by code. Hits are answered at once, without a promise. */
export function createGetRender(service: RenderService): Handler {
  const { aliases, templates, organizations, cache, flights, stats } = service;
  const onUnmerged = (templateUid: string): void => stats.countUnmerged(templateUid);

  return (exchange) => {
    const known = aliases.answer(exchange);
    if (known !== undefined) return known; //                                      200, 304

    const path = parseRenderPath(exchange.parameter); //                           404
    const query = parseRenderQuery(exchange.query); //                             400
    const template = findTemplate(templates, path, query); //                      404
    checkLinkAuth(template, exchange, organizations); //                           401
    const options = resolveOptions(path, query, template); //                      400
    const values = resolveVariables(template, query, onUnmerged); //               400
    const key = renderKey(template, options, values);
    const answer = createAnswers(exchange, template, key, aliases);

    const unchanged = answer.notModified(() => pureETag(template, values, key));
    if (unchanged !== undefined) {
      noteAssets(template, drawnSources(template, values), service.use);
      return unchanged; //                                                         304
    }
    const cached = cache.find(key);
    if (cached !== undefined) return answer.render(cached, 'hit'); //              200, 304

    const order = { key, template, options, values };
    if (!flights.has(key)) checkRoom(order, service, exchange.deadline); //        503
    refuseLoop(exchange, template, values); //                                     400
    return flights
      .run(key, exchange.deadline, (deadline) => drawRender(order, service, deadline)) // 400, 503, 504
      .then(({ value, shared }) => answer.render(value, shared ? 'shared' : 'miss')); //  200
  };
}
