/** The endpoints of the organization API and their bodies. `npm run docs` writes this file from the declarations in src/api. */
import type { RenderedImage, TemplateDocument, UploadBytes } from './call.ts';

export type RenderRequest = {
  values?: Record<string, unknown>;
  format?: 'png' | 'jpg' | 'jpeg' | 'webp' | 'avif' | 'gif';
  quality?: number;
  scale?: number;
  size?: string;
  frames?: number;
  animated?: boolean;
  lang?: string;
  version?: number;
  response?: 'image' | 'url' | 'base64';
  expires?: number;
  short?: boolean;
};

export type RenderedLink = {
  url: string;
  short: boolean;
  expires: number | null;
  type: string;
  width: number;
  height: number;
  bytes: number;
  warnings: { code: string; layer?: string }[];
  ignored: string[];
  alt: string;
};

export type RenderedBase64 = {
  base64: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
  warnings: { code: string; layer?: string }[];
  ignored: string[];
  alt: string;
};

export type OrganizationAnswer = { valid: true; organization: { uid: string; name: string } };

export type TemplateSummary = {
  uid: string;
  name: string;
  type: 'image';
  created_at: string;
  updated_at: string;
  version: number | null;
  state: 'draft' | 'live' | 'changed';
  folder: string;
  tags: string[];
};

export type TemplatePage = {
  templates: TemplateSummary[];
  total: number;
  limit: number;
  offset: number;
};

export type TemplateAccess = {
  linkAuth: 'open' | 'signed' | 'key';
  linkOptions: Array<'format' | 'scale' | 'quality' | 'lang' | 'size' | 'frames'>;
  atZero: 'stay' | { template: string };
};

export type TemplateDetails = {
  cid: string;
  published_cid: string | null;
  uid: string;
  name: string;
  type: 'image';
  created_at: string;
  updated_at: string;
  version: number | null;
  state: 'draft' | 'live' | 'changed';
  folder: string;
  tags: string[];
  published_variables: Array<{
    id: string;
    name: string;
    type: 'text' | 'image' | 'color' | 'number' | 'boolean' | 'date' | 'list';
    value: string;
    preview_url?: string | null;
  }>;
  width: number;
  height: number;
  sizes: { name: string; width: number; height: number }[];
  access: TemplateAccess;
  quarantine: { version: number; since: string; reason: string } | null;
};

export type AccessWarning = { code: 'ACCESS_IGNORED'; path: string; detail: string };

export type Draft = {
  uid: string;
  cid: string;
  version: number | null;
  warnings?: AccessWarning[];
};

export type DuplicateRequest = { uid?: string; name?: string };

export type ForgottenContacts = { deleted: number; left: number };

export type LabelsRequest = { folder?: string; tags?: string[] };

export type Labels = { folder: string; tags: string[] };

export type TemplateStatistics = {
  from: string;
  to: string;
  first_image_at: string | null;
  last_image_at: string | null;
  total: {
    images: number;
    drawn: number;
    degraded: number;
    substitutes: number;
    unmerged: number;
    corrected: number;
    errors: number;
  };
  errors: Array<{
    code: 'BAD_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'CONFLICT' | 'PRECONDITION_FAILED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'TOO_MANY_REQUESTS' | 'OVERLOADED' | 'QUARANTINED' | 'STORAGE_UNAVAILABLE' | 'TIMEOUT' | 'INTERNAL';
    errors: number;
  }>;
  days: {
    day: string;
    images: number;
    drawn: number;
    degraded: number;
    substitutes: number;
    unmerged: number;
    corrected: number;
    errors: number;
  }[];
  versions: {
    version: number;
    images: number;
    drawn: number;
    degraded: number;
    substitutes: number;
    unmerged: number;
    corrected: number;
  }[];
  clients: Array<{
    client: 'gmail-proxy' | 'yahoo-proxy' | 'apple-privacy' | 'apple-direct' | 'outlook' | 'other-email' | 'link-preview' | 'browser' | 'program';
    images: number;
    drawn: number;
    degraded: number;
    substitutes: number;
    unmerged: number;
    corrected: number;
  }>;
};

export type PublishRequest = { note?: string; version?: number };

export type Published = { version: number; cid: string; warnings?: AccessWarning[] };

export type VersionList = {
  versions: { version: number; cid: string; published_at: string; note: string }[];
  total: number;
  limit: number;
  offset: number;
};

export type Comment = {
  id: string;
  layer: string;
  text: string;
  author: string;
  created_at: string;
  resolved_at: string | null;
};

export type CommentList = { comments: Comment[] };

export type NewComment = { layer: string; text: string };

export type CommentChange = { resolved: boolean };

export type SampleList = {
  samples: {
    uid: string;
    name: string;
    category: string;
    lang: string;
    width: number;
    height: number;
  }[];
};

export type PreviewRequest = {
  template?: TemplateDocument;
  uid?: string;
  version?: number;
  values?: Record<string, unknown>;
  format?: 'png' | 'jpg' | 'jpeg' | 'webp' | 'avif' | 'gif';
  quality?: number;
  scale?: 0.125 | 0.25 | 0.5 | 1 | 2 | 3;
  size?: string;
  frames?: number;
  animated?: boolean;
  lang?: string;
  layers?: string[];
  frame?: number;
  now?: string;
  firstOpen?: string;
  client?: 'apple-mail-privacy' | 'gmail-proxy' | 'yahoo-proxy' | 'other';
  onImageError?: 'error' | 'default';
  contrast?: boolean;
  inline?: boolean;
};

export type PreviewReport = {
  format: string;
  width: number;
  height: number;
  scale: number;
  bytes: number;
  degraded: boolean;
  drawn: 'whole' | 'plan';
  layers: Array<{
    id: string;
    group?: string;
    type: string;
    box: {
      x: number;
      y: number;
      width: number;
      height: number;
      rotation: number;
    };
    text?: {
      text: string;
      lines: { text: string; x: number; y: number; width: number }[];
      fontSize: number;
      overflow: 'none' | 'overflows' | 'truncated';
      cut?: string;
      missingGlyphs: string[];
      fallbackFonts?: string[];
      contrast?: number;
      contrastMin?: number;
    };
    image?: {
      source: string;
      naturalWidth: number;
      naturalHeight: number;
      placed: { x: number; y: number; width: number; height: number };
      upscaled: boolean;
    };
    warnings: { code: string; detail: string }[];
  }>;
  warnings: {
    code: string;
    layer?: string;
    detail: string;
    linkStatus?: number;
  }[];
  clock?: { now: string; until?: string };
  ignoredValues: string[];
  timings: Record<string, number>;
  image?: string;
};

export type AssetFromUrlRequest = { url: string };

export type Asset = {
  id: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
  created_at: string;
};

export type AssetList = { assets: Asset[]; total: number; limit: number; offset: number };

export type Font = {
  id: string;
  family: string;
  fullName: string;
  weight: number;
  italic: boolean;
  axes: Record<string, unknown>;
  scripts: { script: string; sample: string }[];
  glyphs: number;
  embedding: 'installable' | 'editable' | 'preview-and-print' | 'restricted';
  license: string;
  licenseUrl: string;
  bytes: number;
  created_at: string;
};

export type FontList = {
  families: Array<{
    family: string;
    source: 'bundled' | 'own';
    weights: number[];
    styles: { weight: number; italic: boolean }[];
    axes: Record<string, unknown>;
    scripts: { script: string; sample: string }[];
    fonts?: Font[];
  }>;
};

export type FontLibrary = {
  families: Array<{
    id: string;
    family: string;
    kind: 'sans' | 'serif' | 'display' | 'hand' | 'mono';
    weights: number[];
  }>;
};

export type AddedFonts = { fonts: Font[] };

export type Brand = {
  colors: { id: string; name: string; value: string }[];
  textStyles: Array<{
    id: string;
    name: string;
    fontFamily?: string;
    fontSize?: number;
    fontWeight?: number;
    fontStyle?: 'normal' | 'italic';
    lineHeight?: number;
    letterSpacing?: number;
  }>;
  logos: { id: string; name: string; src: string }[];
  fonts: { id: string; name: string; family: string }[];
};

export type StoredBrand = { brand: Brand; updated_at: string | null };

export type BehindList = {
  templates: { uid: string; name: string; published: boolean }[];
  next: string | null;
};

export type FollowedBrand = { draft: boolean; version: number | null };

export type ApiKey = {
  id: number;
  name: string;
  prefix: string;
  scopes: Array<'read' | 'render' | 'write' | 'access'>;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};

export type ApiKeyList = { keys: ApiKey[] };

export type NewKeyRequest = {
  name: string;
  scopes: Array<'read' | 'render' | 'write' | 'access'>;
};

export type NewApiKey = {
  id: number;
  name: string;
  prefix: string;
  scopes: Array<'read' | 'render' | 'write' | 'access'>;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  key: string;
};

export type SigningKey = { id: number; prefix: string; created_at: string };

export type SigningKeyList = { signing_keys: SigningKey[] };

export type NewSigningKey = { id: number; prefix: string; created_at: string; key: string };

export type EmbedTokenRequest = {
  template: string;
  publish?: boolean;
  origin: string;
  expires_in?: number;
};

export type EmbedToken = { token: string; url: string; expires_at: string };

export type CampaignRun = {
  mode: 'proof' | 'links' | 'files' | 'warm';
  version: number;
  options: {
    format?: 'png' | 'jpg' | 'jpeg' | 'webp' | 'avif' | 'gif';
    quality?: number;
    scale?: number;
    size?: string;
    frames?: number;
    animated?: boolean;
    lang?: string;
    expires?: number;
    short?: boolean;
    names?: string;
    output?: 'zip' | 'pdf' | 'pdfs';
  };
  state: 'queued' | 'running' | 'finished' | 'failed' | 'canceled';
  done: number;
  counts: Record<string, unknown>;
  error: string | null;
  created_at: string;
  finished_at: string | null;
  use?: { hits: number; misses: number };
};

export type Campaign = {
  id: string;
  name: string;
  template: string;
  mode: 'proof' | 'links' | 'files' | 'warm';
  version: number;
  state: 'queued' | 'running' | 'finished' | 'failed' | 'canceled';
  done: number;
  counts: Record<string, unknown>;
  error: string | null;
  rows: number;
  list: {
    columns: string[];
    header_row: number;
    recipient_column: string | null;
    problems: string[];
    encoding_doubt?: { readings: { encoding: string; cells: string[] }[] };
    sheets?: string[];
    sheet_doubt?: boolean;
  };
  first_rows?: string[][];
  mapping: Record<string, unknown>;
  unmapped_columns: string[];
  variables_without_column: string[];
  runs: CampaignRun[];
  created_at: string;
  expires_at: string;
};

export type CampaignPage = {
  campaigns: Array<{
    id: string;
    name: string;
    template: string;
    rows: number;
    mode?: 'proof' | 'links' | 'files' | 'warm';
    state?: 'queued' | 'running' | 'finished' | 'failed' | 'canceled';
    verdict: string | null;
    created_at: string;
    expires_at: string;
  }>;
  total: number;
  limit: number;
  offset: number;
};

export type CampaignRunRequest = {
  mode: 'proof' | 'links' | 'files' | 'warm';
  version?: number;
  map?: Record<string, unknown>;
  format?: 'png' | 'jpg' | 'jpeg' | 'webp' | 'avif' | 'gif';
  quality?: number;
  scale?: number;
  size?: string;
  frames?: number;
  animated?: boolean;
  lang?: string;
  expires?: number;
  short?: boolean;
  names?: string;
  output?: 'zip' | 'pdf' | 'pdfs';
};

export type Table = {
  name: string;
  key: string;
  columns: string[];
  rows: number;
  bytes: number;
  updated_at: string;
};

export type TableList = { tables: Table[] };

export type TableRowsRequest = { rows: Record<string, unknown>[] };

export type Webhook = {
  id: string;
  url: string;
  events: Array<'campaign.finished' | 'campaign.failed' | 'template.failing' | 'template.recovered'>;
  created_at: string;
  failing_since: string | null;
  disabled: 'failing' | 'gone' | null;
};

export type WebhookList = { webhooks: Webhook[] };

export type NewWebhookRequest = {
  url: string;
  events?: Array<'campaign.finished' | 'campaign.failed' | 'template.failing' | 'template.recovered'>;
};

export type NewWebhook = {
  id: string;
  url: string;
  events: Array<'campaign.finished' | 'campaign.failed' | 'template.failing' | 'template.recovered'>;
  created_at: string;
  failing_since: string | null;
  disabled: 'failing' | 'gone' | null;
  secret: string;
};

export type NewWebhookDelivery = { id: string };

export type WebhookDelivery = {
  id: string;
  type: 'campaign.finished' | 'campaign.failed' | 'template.failing' | 'template.recovered' | 'webhook.ping';
  created_at: string;
  state: 'waiting' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  attempts: Array<{
    at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
    answer: string | null;
  }>;
  payload: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type WebhookDeliveryPage = {
  deliveries: WebhookDelivery[];
  total: number;
  limit: number;
  offset: number;
};

/** Each endpoint by its method and path: what a call sends beside the path, and its answer. */
export interface Endpoints {
  'POST /v1/render/{uid}': {
    body: RenderRequest;
    answer: RenderedImage | RenderedLink | RenderedBase64;
  };
  'GET /v1/validate-organization': { answer: OrganizationAnswer };
  'GET /v1/templates': {
    query?: {
      limit?: number;
      offset?: number;
      archived?: boolean;
      published?: boolean;
      folder?: string;
      tag?: string;
    };
    answer: TemplatePage;
  };
  'GET /v1/templates/{uid}': { answer: TemplateDetails };
  'POST /v1/templates': { query?: { uid?: string }; body: TemplateDocument; answer: Draft };
  'PUT /v1/templates/{uid}': { body: TemplateDocument; cid?: string; answer: Draft };
  'GET /v1/templates/{uid}/document': { query?: { version?: number }; answer: TemplateDocument };
  'POST /v1/templates/{uid}/duplicate': { body?: DuplicateRequest; answer: Draft };
  'DELETE /v1/templates/{uid}': { cid?: string; answer: undefined };
  'POST /v1/templates/{uid}/restore': { cid?: string; answer: Draft };
  'POST /v1/templates/{uid}/release': { answer: undefined };
  'DELETE /v1/templates/{uid}/contacts': {
    query?: { contact?: string };
    answer: ForgottenContacts;
  };
  'PATCH /v1/templates/{uid}': { body: LabelsRequest; answer: Labels };
  'GET /v1/templates/{uid}/statistics': {
    query?: { from?: string; to?: string };
    answer: TemplateStatistics;
  };
  'POST /v1/templates/{uid}/publish': { body?: PublishRequest; cid?: string; answer: Published };
  'GET /v1/templates/{uid}/versions': {
    query?: { limit?: number; offset?: number };
    answer: VersionList;
  };
  'GET /v1/templates/{uid}/access': { answer: TemplateAccess };
  'PUT /v1/templates/{uid}/access': { body: TemplateAccess; cid?: string; answer: TemplateAccess };
  'GET /v1/templates/{uid}/comments': { answer: CommentList };
  'POST /v1/templates/{uid}/comments': { body: NewComment; answer: Comment };
  'PATCH /v1/templates/{uid}/comments/{id}': { body: CommentChange; answer: Comment };
  'DELETE /v1/templates/{uid}/comments/{id}': { answer: undefined };
  'GET /v1/samples': { answer: SampleList };
  'GET /v1/samples/{uid}': { answer: TemplateDocument };
  'GET /v1/samples/{uid}/image': { answer: RenderedImage };
  'POST /v1/samples/{uid}/copy': { body?: DuplicateRequest; answer: Draft };
  'DELETE /v1/short-links/{token}': { answer: undefined };
  'POST /v1/preview': {
    body: PreviewRequest;
    accept?: string;
    answer: RenderedImage | PreviewReport;
  };
  'POST /v1/assets': { body?: AssetFromUrlRequest; bytes?: UploadBytes; answer: Asset };
  'GET /v1/assets': { query?: { limit?: number; offset?: number }; answer: AssetList };
  'GET /v1/assets/{id}': { answer: RenderedImage };
  'DELETE /v1/assets/{id}': { answer: undefined };
  'GET /v1/fonts': { answer: FontList };
  'POST /v1/fonts': { query?: { family?: string }; bytes: UploadBytes; answer: Font };
  'DELETE /v1/fonts/{id}': { answer: undefined };
  'GET /v1/fonts/library': { answer: FontLibrary };
  'GET /v1/fonts/library/{id}': { answer: RenderedImage };
  'POST /v1/fonts/library/{id}': { answer: AddedFonts };
  'GET /v1/brand': { answer: StoredBrand };
  'PUT /v1/brand': { body: Brand; answer: StoredBrand };
  'GET /v1/brand/behind': { query?: { after?: string }; answer: BehindList };
  'POST /v1/templates/{uid}/brand': { answer: FollowedBrand };
  'GET /v1/keys': { answer: ApiKeyList };
  'POST /v1/keys': { body: NewKeyRequest; answer: NewApiKey };
  'POST /v1/keys/{id}/rotate': { answer: NewApiKey };
  'DELETE /v1/keys/{id}': { answer: undefined };
  'GET /v1/templates/{uid}/signing-keys': { answer: SigningKeyList };
  'POST /v1/templates/{uid}/signing-keys': { answer: NewSigningKey };
  'DELETE /v1/templates/{uid}/signing-keys/{id}': { answer: undefined };
  'POST /v1/embed-tokens': { body: EmbedTokenRequest; answer: EmbedToken };
  'GET /v1/templates/{uid}/images/{digest}': { answer: RenderedImage };
  'POST /v1/campaigns': {
    query: {
      template: string;
      mode?: 'proof' | 'links' | 'files' | 'warm';
      name?: string;
      version?: number;
      options?: string;
      encoding?: string;
      separator?: string;
      sheet?: string;
    };
    body?: Record<string, unknown>[];
    bytes?: UploadBytes;
    answer: Campaign;
  };
  'GET /v1/campaigns': { query?: { limit?: number; offset?: number }; answer: CampaignPage };
  'GET /v1/campaigns/{id}': { answer: Campaign };
  'DELETE /v1/campaigns/{id}': { query?: { short_links?: boolean }; answer: undefined };
  'POST /v1/campaigns/{id}/runs': { body: CampaignRunRequest; answer: Campaign };
  'POST /v1/campaigns/{id}/cancel': { answer: Campaign };
  'GET /v1/campaigns/{id}/events': { answer: RenderedImage };
  'GET /v1/campaigns/{id}/rows': {
    query?: {
      problem?: 'BAD_ROW' | 'DUPLICATE' | 'UNMERGED' | 'EMPTY' | 'VALUE_TOO_LONG' | 'BAD_VALUE' | 'LOST_LETTERS' | 'GARBLED_LETTERS' | 'HIDDEN_CHARACTER' | 'ESCAPE_LEFT' | 'FORMULA_LEFT' | 'SCIENTIFIC_NUMBER' | 'SUSPECT_WORD' | 'NOT_A_NAME' | 'NAME_CASE' | 'NAME_ORDER' | 'WHOLE_NAME' | 'MIXED_WRITING' | 'LOST_ZERO' | 'BAD_ADDRESS' | 'SHIFTED_ROW' | 'TEXT_SHRUNK' | 'IMAGE_SLOW' | 'TOO_LARGE' | 'RENDER_FAILED' | 'TEXT_OVERFLOWS' | 'TEXT_TRUNCATED' | 'GLYPH_MISSING' | 'FONT_MISSING' | 'AXIS_MISSING' | 'IMAGE_FAILED' | 'VALUE_OUT_OF_RANGE' | 'FORMAT_FAILED' | 'CODE_FAILED' | 'CODE_TOO_SMALL' | 'CODE_UNREADABLE' | 'SVG_FAILED' | 'SVG_UNSUPPORTED' | 'LAYER_SKIPPED' | 'LOW_CONTRAST' | 'FIRST_FRAME_EMPTY' | 'FRAMES_LEFT_OUT';
      column?: string;
      needs_you?: boolean;
      after?: number;
      limit?: number;
    };
    answer: RenderedImage;
  };
  'GET /v1/campaigns/{id}/problems.csv': {
    query?: {
      problem?: 'BAD_ROW' | 'DUPLICATE' | 'UNMERGED' | 'EMPTY' | 'VALUE_TOO_LONG' | 'BAD_VALUE' | 'LOST_LETTERS' | 'GARBLED_LETTERS' | 'HIDDEN_CHARACTER' | 'ESCAPE_LEFT' | 'FORMULA_LEFT' | 'SCIENTIFIC_NUMBER' | 'SUSPECT_WORD' | 'NOT_A_NAME' | 'NAME_CASE' | 'NAME_ORDER' | 'WHOLE_NAME' | 'MIXED_WRITING' | 'LOST_ZERO' | 'BAD_ADDRESS' | 'SHIFTED_ROW' | 'TEXT_SHRUNK' | 'IMAGE_SLOW' | 'TOO_LARGE' | 'RENDER_FAILED' | 'TEXT_OVERFLOWS' | 'TEXT_TRUNCATED' | 'GLYPH_MISSING' | 'FONT_MISSING' | 'AXIS_MISSING' | 'IMAGE_FAILED' | 'VALUE_OUT_OF_RANGE' | 'FORMAT_FAILED' | 'CODE_FAILED' | 'CODE_TOO_SMALL' | 'CODE_UNREADABLE' | 'SVG_FAILED' | 'SVG_UNSUPPORTED' | 'LAYER_SKIPPED' | 'LOW_CONTRAST' | 'FIRST_FRAME_EMPTY' | 'FRAMES_LEFT_OUT';
      column?: string;
      needs_you?: boolean;
      all?: boolean;
    };
    answer: RenderedImage;
  };
  'GET /v1/campaigns/{id}/sheet.png': { answer: RenderedImage };
  'GET /v1/campaigns/{id}/links.csv': { answer: RenderedImage };
  'GET /v1/campaigns/{id}/files.zip': { answer: RenderedImage };
  'GET /v1/campaigns/{id}/files.pdf': { answer: RenderedImage };
  'PUT /v1/tables/{name}': {
    query?: { key?: string; sheet?: string };
    body?: Record<string, unknown>[];
    bytes?: UploadBytes;
    answer: Table;
  };
  'GET /v1/tables': { answer: TableList };
  'GET /v1/tables/{name}': { answer: Table };
  'DELETE /v1/tables/{name}': { answer: undefined };
  'PATCH /v1/tables/{name}': { body: TableRowsRequest; answer: Table };
  'DELETE /v1/tables/{name}/rows/{key}': { answer: undefined };
  'GET /v1/webhooks': { answer: WebhookList };
  'POST /v1/webhooks': { body: NewWebhookRequest; answer: NewWebhook };
  'GET /v1/webhooks/{id}': { answer: Webhook };
  'DELETE /v1/webhooks/{id}': { answer: undefined };
  'POST /v1/webhooks/{id}/ping': { answer: NewWebhookDelivery };
  'GET /v1/webhooks/{id}/deliveries': {
    query?: { limit?: number; offset?: number };
    answer: WebhookDeliveryPage;
  };
  'POST /v1/webhooks/{id}/deliveries/{delivery}/retry': { answer: NewWebhookDelivery };
  'GET /studio/fonts': {
    query: { family: string; weight?: number; style?: 'normal' | 'italic' };
    answer: RenderedImage;
  };
}
