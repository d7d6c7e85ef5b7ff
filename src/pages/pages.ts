/** The wing of pages: the first page, the reference, the guides and the studio. The service enters it here alone. */
import { docs } from './docs.ts';
import { client, pageFileEndpoint } from './files.ts';
import { guide, guideSearch } from './guides/page.ts';
import { home } from './home.ts';
import { studioEndpoints } from './studio.ts';
import { openapi, templateSchema } from './tool-files.ts';

export { firstLink } from './home.ts';
export { notFoundRoutes } from './not-found.ts';
export { studioFont } from './studio.ts';

/** Pages, and files that pages and tools load. */
export const pageEndpoints = [
  home,
  docs,
  guideSearch,
  guide,
  openapi,
  templateSchema,
  client,
  ...studioEndpoints,
  pageFileEndpoint,
];
