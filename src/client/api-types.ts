/** Bodies of the API as types: made of the schemas that validate them, and gone at run time. */
import type { Static, TSchema } from 'typebox';
import type { TemplateShell } from '#language/schema/template.ts';
import type * as assets from '../api/schemas/assets.ts';
import type * as fonts from '../api/schemas/fonts.ts';
import type * as keys from '../api/schemas/keys.ts';
import type * as organization from '../api/schemas/organization.ts';
import type * as preview from '../api/schemas/preview.ts';
import type * as templates from '../api/schemas/templates.ts';

type Of<Schema extends TSchema> = Static<Schema>;

/** A template document. Layers and bound properties are checked by the service, which names each problem. */
export type TemplateDocument = Omit<Of<typeof TemplateShell>, 'layers' | 'background'> & {
  background?: unknown;
  layers: ReadonlyArray<{ type: string } & Record<string, unknown>>;
};

export type OrganizationAnswer = Of<typeof organization.OrganizationAnswer>;
export type TemplateSummary = Of<typeof organization.TemplateSummary>;
export type TemplatePage = Of<typeof organization.TemplatePage>;
export type TemplateDetails = Of<typeof organization.TemplateDetails>;

export type Draft = Of<typeof templates.Draft>;
export type DuplicateRequest = Of<typeof templates.DuplicateRequest>;
export type PublishRequest = Of<typeof templates.PublishRequest>;
export type Published = Of<typeof templates.Published>;
export type VersionList = Of<typeof templates.VersionList>;
export type SampleList = Of<typeof templates.SampleList>;

export type PreviewRequest = Omit<Of<typeof preview.PreviewRequest>, 'template' | 'values'> & {
  template?: TemplateDocument;
  values?: Readonly<Record<string, unknown>>;
};
export type PreviewReport = Of<typeof preview.PreviewReportResponse>;

export type Asset = Of<typeof assets.AssetResponse>;
export type AssetList = Of<typeof assets.AssetListResponse>;

export type NewKeyRequest = Of<typeof keys.NewKeyRequest>;
export type ApiKey = Of<typeof keys.ApiKey>;
export type ApiKeyList = Of<typeof keys.ApiKeyList>;
export type NewApiKey = Of<typeof keys.NewApiKey>;
export type SigningKeyList = Of<typeof keys.SigningKeyList>;
export type NewSigningKey = Of<typeof keys.NewSigningKey>;

export type Font = Of<typeof fonts.FontResponse>;
export type FontList = Of<typeof fonts.FontListResponse>;
