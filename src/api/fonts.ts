/** `/v1/fonts`: lists the families that templates may name, stores the organization's fonts and deletes them. */
import { Type } from 'typebox';
import type { BundledFamily } from '#wire/font-facts.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { emptyReply, jsonReply, type Reply } from '../http/reply.ts';
import type { FontInspector } from '../scheduling/font-inspector.ts';
import type { StoredFont } from '../store/assets/font-row.ts';
import type { FontStore } from '../store/assets/font-store.ts';
import { whenFree } from '../store/database/store-error.ts';
import { uploadBytesMax } from './assets.ts';
import { fileContent, jsonAnswer, pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { badBody } from './request/input.ts';

/** Services that the endpoints need. */
export interface FontParts {
  fonts: FontStore;
  inspector: FontInspector;
}

/** Family names that need no quotes in any syntax. */
const familyPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'&+()-]{0,99}$/u;

const idPattern = /^(?:font(?::|%3A))?([0-9a-f]{64})$/i;
const Scripts = Type.Array(
  Type.Object({
    script: Type.String(),
    sample: Type.String({ description: 'some of its letters' }),
  }),
  { description: 'scripts of which the font has the letters of everyday text' },
);

const Axes = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'of a variable font, by their tags: {"wght": {"min", "max", "initial"}}',
  },
);

/** One font file of the organization. */
export const FontResponse = Type.Object(
  {
    id: Type.String({ pattern: '^font:[0-9a-f]{64}$' }),
    family: Type.String({ description: 'as templates of the organization name it' }),
    fullName: Type.String({ description: 'the name in the font' }),
    weight: Type.Integer({ minimum: 1, maximum: 1000 }),
    italic: Type.Boolean(),
    axes: Axes,
    scripts: Scripts,
    glyphs: Type.Integer(),
    embedding: Type.Enum(['installable', 'editable', 'preview-and-print', 'restricted'], {
      description:
        'what its maker allows documents to do with it (OS/2 fsType); nothing is refused for it',
    }),
    license: Type.String(),
    licenseUrl: Type.String(),
    bytes: Type.Integer({ minimum: 1, description: 'as stored, uncompressed' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'FontResponse' },
);

const faceExample = {
  family: 'Lobster',
  axes: {},
  scripts: [{ script: 'Latin', sample: 'AaBbGgQqRrÄäÉéÑñØøß' }],
};

export const fontExample = {
  ...faceExample,
  id: `font:${'0123456789abcdef'.repeat(4)}`,
  fullName: 'Lobster Regular',
  weight: 400,
  italic: false,
  glyphs: 1148,
  embedding: 'installable',
  license: 'This Font Software is licensed under the SIL Open Font License, Version 1.1.',
  licenseUrl: 'https://scripts.sil.org/OFL',
  bytes: 398_312,
  created_at: '2026-01-31T09:00:00.000Z',
};

const FontListResponse = Type.Object(
  {
    families: Type.Array(
      Type.Object({
        family: Type.String(),
        source: Type.Enum(['bundled', 'own'], {
          description: '`own`: uploaded by this organization',
        }),
        weights: Type.Array(Type.Integer(), { description: 'rising' }),
        styles: Type.Array(Type.Object({ weight: Type.Integer(), italic: Type.Boolean() })),
        axes: Axes,
        scripts: Scripts,
        fonts: Type.Optional(
          Type.Array(FontResponse, { description: 'the files of a family of the organization' }),
        ),
      }),
    ),
  },
  { $id: 'FontListResponse' },
);

const listExample = {
  families: [
    {
      ...faceExample,
      source: 'own',
      weights: [400],
      styles: [{ weight: 400, italic: false }],
      fonts: [fontExample],
    },
  ],
};

const shared = { tag: 'Fonts', errorShape: 'organization' } as const;

const listFonts = endpoint(
  {
    ...shared,
    id: 'listFonts',
    route: 'fonts',
    method: 'get',
    path: '/v1/fonts',
    summary: 'List fonts',
    description: 'Bundled families and those of the organization: weights, styles, scripts.',
    scope: 'read',
    embed: 'edit',
    answers: { 200: jsonAnswer('The fonts.', FontListResponse, listExample) },
    clientCall: 'const { families } = await platen.listFonts()',
  },
  ({ fonts, inspector }: FontParts) =>
    async (_, { holder }) => {
      const bundled = await inspector.bundledFamilies();
      const families = [
        ...organizationFamilies(fonts.listFonts(holder.uid)),
        ...bundled.map(toBundled),
      ];
      return jsonReply(200, { families });
    },
);

const uploadFont = endpoint(
  {
    ...shared,
    id: 'uploadFont',
    route: 'fonts',
    method: 'post',
    path: '/v1/fonts',
    summary: 'Upload a font',
    description:
      'Stores a TrueType, OpenType or WOFF2 file of at most 10 MiB for the organization, whose templates then name its family.',
    scope: 'write',
    embed: 'edit',
    query: {
      family: {
        description: 'A name other than that in the font.',
        schema: { type: 'string', maxLength: 100 },
      },
    },
    body: {
      description: 'The file, whatever its content type says.',
      required: true,
      content: fileContent('application/octet-stream', 'font/ttf', 'font/otf', 'font/woff2'),
    },
    bodyBytesMax: uploadBytesMax,
    answers: { 201: jsonAnswer('The font.', FontResponse, fontExample) },
    errors: {
      400: 'The file is damaged, or the name cannot be one.',
      409: 'The family is a bundled one, or has this weight and style already.',
      413: 'It is too large, or the organization’s space is full.',
      415: 'It is no font of a supported format.',
    },
    clientCall: 'const font = await platen.uploadFont(bytes)',
  },
  (parts: FontParts) =>
    (exchange, { holder, readQuery }) =>
      saveFont(parts, holder.uid, readQuery().family?.trim(), exchange),
);

const deleteFont = endpoint(
  {
    ...shared,
    id: 'deleteFont',
    route: 'font',
    method: 'delete',
    path: '/v1/fonts/{id}',
    summary: 'Delete a font',
    description: 'Deletes a font of the organization that no template uses.',
    scope: 'write',
    pathParameters: {
      id: pathParameter(
        'Id of the font, with or without `font:`.',
        'font:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      ),
    },
    answers: { 204: { description: 'It is deleted.' } },
    errors: { 404: 'No such font in the organization.', 409: 'A template uses it.' },
    clientCall: 'await platen.deleteFont(id)',
  },
  ({ fonts }: FontParts) =>
    async ({ parameter }, { holder }) => {
      const digest = idPattern.exec(parameter)?.[1]?.toLowerCase();
      const isDeleted =
        digest !== undefined &&
        (await whenFree(() => fonts.deleteFont(holder.uid, `font:${digest}`)));
      if (!isDeleted) {
        throw new AppError('NOT_FOUND', 'Font not found', { reason: 'font' });
      }
      return emptyReply(204);
    },
);

export const fontEndpoints = [listFonts, uploadFont, deleteFont];

async function saveFont(
  parts: FontParts,
  organizationUid: string,
  preferredFamily: string | undefined,
  exchange: Exchange,
): Promise<Reply> {
  const body = await exchange.readBody();
  if (body.length === 0) {
    const message = 'is empty, expected a TTF, OTF or WOFF2 file';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  return jsonReply(201, await storeFont(parts, organizationUid, preferredFamily, body));
}

/** Checks and stores a font file, under `preferredFamily` or else the family name in the file. */
export async function storeFont(
  { fonts, inspector }: FontParts,
  organizationUid: string,
  preferredFamily: string | undefined,
  body: Buffer,
): Promise<Record<string, unknown> | undefined> {
  const verdict = await inspector.inspect(organizationUid, body);
  if (!verdict.ok) {
    const code = verdict.reason === 'format' ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST';
    throw new AppError(code, `The font ${verdict.problem}.`, { reason: 'font' });
  }
  const { facts, file } = verdict;
  const family = (preferredFamily || facts.family).normalize('NFC');
  checkFamily(family, await inspector.bundledFamilies());
  const id = await whenFree(() => fonts.saveFont(organizationUid, family, file, facts));
  // If this fails, the first render writes the file.
  void fonts.bringFiles([[organizationUid, id.slice('font:'.length)]]).catch(() => undefined);
  const font = fonts.findFont(organizationUid, id);
  return font && toFont(font);
}

/** Refuses the name of a bundled family, because a template would then look different in each organization. */
function checkFamily(family: string, bundled: readonly BundledFamily[]): void {
  if (!familyPattern.test(family)) {
    throw new AppError(
      'BAD_REQUEST',
      `The family name ${JSON.stringify(family.slice(0, 100))} cannot be used: give another one with ?family=, of up to 100 letters, digits, spaces and .-_'&+().`,
      { reason: 'family' },
    );
  }
  if (bundled.some((known) => known.family.toLowerCase() === family.toLowerCase())) {
    throw new AppError(
      'CONFLICT',
      `The family "${family}" is bundled with the service: name your own another way with ?family=.`,
      { reason: 'family' },
    );
  }
}

function toBundled({ family, styles, axes, scripts }: BundledFamily): Record<string, unknown> {
  return { family, source: 'bundled', weights: weightsOf(styles), styles, axes, scripts };
}

function organizationFamilies(fonts: readonly StoredFont[]): Record<string, unknown>[] {
  const families = Map.groupBy(fonts, ({ family }) => family.toLowerCase());
  return Array.from(families.values(), (files) => {
    const [first] = files;
    const styles = files.map(({ weight, italic }) => ({ weight, italic }));
    return {
      family: first?.family,
      source: 'own',
      weights: weightsOf(styles),
      styles,
      axes: first?.facts.axes,
      scripts: first?.facts.scripts,
      fonts: files.map(toFont),
    };
  });
}

function weightsOf(styles: readonly { weight: number }[]): number[] {
  return [...new Set(styles.map(({ weight }) => weight))].toSorted((a, b) => a - b);
}

function toFont({ id, family, facts, sizeBytes, created_at }: StoredFont): Record<string, unknown> {
  const { family: _family, ...rest } = facts;
  return { id, family, ...rest, bytes: sizeBytes, created_at };
}
