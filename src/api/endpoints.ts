/** The endpoints of the core, in the order of the reference. Wings add theirs in `src/app.ts`. */
import { assetEndpoints } from './assets.ts';
import { draftEndpoints } from './drafts.ts';
import { createEmbedToken } from './embed-tokens.ts';
import { fontLibraryEndpoints } from './font-library.ts';
import { fontEndpoints } from './fonts.ts';
import { keyEndpoints, validateOrganization } from './keys.ts';
import { preview } from './preview.ts';
import { render, shortLink } from './render.ts';
import { renderJson } from './render-json.ts';
import { sampleEndpoints } from './templates/samples.ts';
import { serviceEndpoints } from './service.ts';
import { deleteShortLink } from './short-links.ts';
import { signingKeyEndpoints } from './signing-keys.ts';
import { templateStatistics } from './statistics.ts';
import { accessEndpoints } from './templates/access.ts';
import { brandEndpoints } from './templates/brand.ts';
import { commentEndpoints } from './templates/comments.ts';
import { forgetContacts } from './templates/contacts.ts';
import { setLabels } from './templates/labels.ts';
import { getTemplate, listTemplates, releaseTemplate } from './templates/templates.ts';
import { variableImage } from './variable-image.ts';
import { versionEndpoints } from './versions.ts';

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
  ...accessEndpoints,
  ...commentEndpoints,
  ...sampleEndpoints,
  deleteShortLink,
  preview,
  ...assetEndpoints,
  ...fontEndpoints,
  ...fontLibraryEndpoints,
  ...brandEndpoints,
  ...keyEndpoints,
  ...signingKeyEndpoints,
  createEmbedToken,
];

/** All endpoints of the core. */
export const apiEndpoints = [
  render,
  renderJson,
  shortLink,
  ...organizationEndpoints,
  ...serviceEndpoints,
  variableImage,
];
