/** All endpoints of the service, in the order of the reference, without `/metrics`, which has a separate port. */
import type { Route } from '../http/server.ts';
import { assetEndpoints } from './assets.ts';
import { campaignEndpoints } from './campaigns/campaigns.ts';
import { getEvents } from './campaigns/events.ts';
import { fileEndpoints } from './campaigns/result-files.ts';
import { getRows } from './campaigns/results.ts';
import { runEndpoints } from './campaigns/runs.ts';
import { draftEndpoints } from './drafts.ts';
import { routesOf } from './endpoint.ts';
import { createEmbedToken } from './embed-tokens.ts';
import { fontLibraryEndpoints } from './font-library.ts';
import { fontEndpoints } from './fonts.ts';
import { keyEndpoints, validateOrganization } from './keys.ts';
import { docs } from './pages/docs.ts';
import { client, pageFileEndpoint } from './pages/files.ts';
import { guide } from './pages/guides/page.ts';
import { home } from './pages/home.ts';
import { notFoundRoutes } from './pages/not-found.ts';
import { studioEndpoints, studioFont } from './pages/studio.ts';
import { openapi, templateSchema } from './pages/tool-files.ts';
import { preview } from './preview.ts';
import { render, shortLink } from './render.ts';
import { renderJson } from './render-json.ts';
import { sampleEndpoints } from './templates/samples.ts';
import { serviceEndpoints } from './service.ts';
import { deleteShortLink } from './short-links.ts';
import { signingKeyEndpoints } from './signing-keys.ts';
import { templateStatistics } from './statistics.ts';
import { tableRowEndpoints } from './tables/rows.ts';
import { tableEndpoints } from './tables/tables.ts';
import { brandEndpoints } from './templates/brand.ts';
import { commentEndpoints } from './templates/comments.ts';
import { forgetContacts } from './templates/contacts.ts';
import { setLabels } from './templates/labels.ts';
import { getTemplate, listTemplates, releaseTemplate } from './templates/templates.ts';
import { variableImage } from './variable-image.ts';
import { versionEndpoints } from './versions.ts';
import { deliveryEndpoints } from './webhooks/deliveries.ts';
import { webhookEndpoints } from './webhooks/webhooks.ts';

/** Endpoints that need a key of an organization. */
export const organizationEndpoints = [
  validateOrganization,
  listTemplates,
  getTemplate,
  ...draftEndpoints,
  releaseTemplate,
  forgetContacts,
  setLabels,
  templateStatistics,
  ...versionEndpoints,
  ...commentEndpoints,
  ...sampleEndpoints,
  deleteShortLink,
  ...campaignEndpoints,
  ...runEndpoints,
  getEvents,
  getRows,
  ...fileEndpoints,
  preview,
  ...assetEndpoints,
  ...fontEndpoints,
  ...fontLibraryEndpoints,
  ...brandEndpoints,
  ...tableEndpoints,
  ...tableRowEndpoints,
  ...keyEndpoints,
  ...signingKeyEndpoints,
  createEmbedToken,
  ...webhookEndpoints,
  ...deliveryEndpoints,
];

/** Pages, and files that pages and tools load. */
export const pageEndpoints = [
  home,
  docs,
  guide,
  openapi,
  templateSchema,
  client,
  ...studioEndpoints,
  pageFileEndpoint,
];

export const endpoints = [
  render,
  renderJson,
  shortLink,
  ...organizationEndpoints,
  ...serviceEndpoints,
  ...pageEndpoints,
  studioFont,
  variableImage,
];

/** Parts of a service that endpoints need, without `operations`, which `apiRoutes` adds. */
export type ApiParts = Omit<
  (typeof endpoints)[number]['createHandler'] extends (parts: infer Parts) => unknown
    ? Parts
    : never,
  'operations'
>;

/** All routes of a service but `/metrics`. `report` converts errors of the stores. */
export function apiRoutes(parts: ApiParts, report: (error: unknown) => unknown): Route[] {
  return [...routesOf(endpoints, { ...parts, operations: endpoints }, report), ...notFoundRoutes()];
}
