/** Every endpoint that needs an organization's API key, in one list: what guards one guards all. */
import type { Route } from '../http/server.ts';
import type { FontInspector } from '../scheduling/font-inspector.ts';
import { createPublisher } from '../publish/publisher.ts';
import type { PublisherOptions } from '../publish/publisher.ts';
import type { AssetStore } from '../store/assets/asset-store.ts';
import type { FontStore } from '../store/assets/font-store.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { assetRoutes } from './assets.ts';
import { fontRoutes } from './fonts.ts';
import { getTemplateRoute } from './templates.ts';
import { keyRoutes } from './keys.ts';
import { listTemplatesRoute } from './templates.ts';
import { previewRoute } from './preview.ts';
import type { PublicUrl } from './public-url.ts';
import { releaseTemplateRoute } from './templates.ts';
import { sampleRoutes } from './save-templates.ts';
import type { SampleService } from './save-templates.ts';
import { saveTemplateRoutes } from './save-templates.ts';
import { signingKeyRoutes } from './keys.ts';
import { withStoreErrors } from './request/store-errors.ts';
import { studioFontRoute } from './pages/studio-fonts.ts';
import { templateVersionRoutes } from './template-versions.ts';
import { validateOrganizationRoute } from './keys.ts';

/** What the endpoints work with: the stores, and what draws. */
export interface OrganizationParts extends PublisherOptions, Pick<SampleService, 'db' | 'samples'> {
  organizations: OrganizationStore;
  assets: AssetStore;
  fonts: FontStore;
  inspector: FontInspector;
  publicUrl: PublicUrl;
  /** Makes an error of the API of what a store throws: `tellStoreError`. */
  tell: (error: unknown) => unknown;
}

/** The routes; what their stores refuse is answered by its code. */
export function organizationRoutes(parts: OrganizationParts): Route[] {
  const { organizations, templates } = parts;
  const { quarantine } = parts.pool;
  return [
    validateOrganizationRoute(organizations),
    listTemplatesRoute(organizations, templates),
    getTemplateRoute(organizations, templates, quarantine, parts.publicUrl),
    releaseTemplateRoute(organizations, templates, quarantine),
    ...saveTemplateRoutes(organizations, templates),
    ...templateVersionRoutes(organizations, templates, createPublisher(parts)),
    ...sampleRoutes(parts),
    ...signingKeyRoutes(organizations, templates),
    ...keyRoutes(organizations),
    previewRoute(parts),
    ...assetRoutes(parts),
    ...fontRoutes(parts),
    studioFontRoute(parts),
  ].map((route) => withStoreErrors(route, parts.tell));
}
