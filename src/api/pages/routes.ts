/** Everything that is read and not drawn: the first page, the reference, and what tools and programs ask for. */
import type { Route } from '../../http/server.ts';
import { docsPageRoute } from './docs.ts';
import type { HomeOptions } from './home.ts';
import { homeRoute } from './home.ts';
import { notFoundRoutes } from './not-found.ts';
import { openApiRoute } from '../openapi/route.ts';
import { pageFileRoutes } from './files.ts';
import { studioRoutes } from './studio-routes.ts';
import { templateSchemaRoute } from '../template-schema.ts';

/** The routes that need no key and change nothing. */
export function pageRoutes(options: HomeOptions): Route[] {
  const { publicUrl } = options;
  return [
    homeRoute(options),
    docsPageRoute(publicUrl),
    openApiRoute(publicUrl),
    templateSchemaRoute(),
    ...pageFileRoutes(),
    ...studioRoutes(publicUrl),
    ...notFoundRoutes(),
  ];
}
