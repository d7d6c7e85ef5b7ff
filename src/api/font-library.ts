/** `/v1/fonts/library`: open families that an organization adds to its fonts. */
import { Type } from 'typebox';
import { AppError } from '../foundation/errors.ts';
import { jsonReply } from '../http/reply.ts';
import { createFontLibrary } from '../store/assets/font-library.ts';
import type { LibraryFamily } from '../store/assets/font-library.ts';
import { fileContent, jsonAnswer, pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { fontExample, FontResponse, storeFont } from './fonts.ts';
import type { FontParts } from './fonts.ts';

const FontLibraryResponse = Type.Object(
  {
    families: Type.Array(
      Type.Object({
        id: Type.String(),
        family: Type.String({ description: 'as templates name it once it is added' }),
        kind: Type.Enum(['sans', 'serif', 'display', 'hand', 'mono']),
        weights: Type.Array(Type.Integer(), { description: 'rising' }),
      }),
    ),
  },
  { $id: 'FontLibraryResponse' },
);

const libraryExample = {
  families: [{ id: 'lobster', family: 'Lobster', kind: 'display', weights: [400] }],
};

const AddedFonts = Type.Object({ fonts: Type.Array(FontResponse) }, { $id: 'AddedFonts' });

const shared = { tag: 'Fonts', errorShape: 'organization' } as const;

const pathParameters = { id: pathParameter('Id of the family in the library.', 'montserrat') };

const noFamily = 'There is no such family in the library.';

const library = createFontLibrary();

/** Library files change only with a release of the service, so browsers keep them for a day. */
const specimenCaching = 'private, max-age=86400';

const listFontLibrary = endpoint(
  {
    ...shared,
    id: 'listFontLibrary',
    route: 'font-library',
    method: 'get',
    path: '/v1/fonts/library',
    summary: 'List the font library',
    description:
      'Open families that come with the service, for every organization. Templates name one after it is added.',
    scope: 'read',
    embed: 'edit',
    answers: { 200: jsonAnswer('The families.', FontLibraryResponse, libraryExample) },
    clientCall: "const { families } = await platen.request('GET /v1/fonts/library')",
  },
  () => () => jsonReply(200, { families: library.list() }),
);

const getLibraryFont = endpoint(
  {
    ...shared,
    id: 'getLibraryFont',
    route: 'library-font',
    method: 'get',
    path: '/v1/fonts/library/{id}',
    summary: 'Get a font of the library',
    description: 'The first weight of a family, to show its letters before it is added.',
    scope: 'read',
    embed: 'edit',
    pathParameters,
    answers: { 200: { description: 'The file.', content: fileContent('font/woff2') } },
    errors: { 404: noFamily },
    clientCall:
      "await platen.request('GET /v1/fonts/library/{id}', { path: { id: 'montserrat' } })",
  },
  () =>
    ({ parameter }) => {
      const family = requireFamily(parameter);
      const body = library.readFile(family, family.weights[0] ?? 400);
      const headers = ['Content-Type', 'font/woff2', 'Cache-Control', specimenCaching];
      return { status: 200, headers, body };
    },
);

const addLibraryFont = endpoint(
  {
    ...shared,
    id: 'addLibraryFont',
    route: 'library-font',
    method: 'post',
    path: '/v1/fonts/library/{id}',
    summary: 'Add a family of the library',
    description:
      'Stores the files of a family as fonts of the organization, as an upload does; again changes nothing.',
    scope: 'write',
    embed: 'edit',
    pathParameters,
    answers: { 200: jsonAnswer('Its fonts.', AddedFonts, { fonts: [fontExample] }) },
    errors: {
      404: noFamily,
      409: 'The organization has 200 fonts, or another file of this family, weight and style.',
      413: 'The organization’s space is full.',
    },
    clientCall:
      "await platen.request('POST /v1/fonts/library/{id}', { path: { id: 'montserrat' } })",
  },
  (parts: FontParts) =>
    async ({ parameter }, { holder, readBody }) => {
      const family = requireFamily(parameter);
      await readBody();
      const fonts: unknown[] = [];
      for (const weight of family.weights) {
        const file = library.readFile(family, weight);
        fonts.push(await storeFont(parts, holder.uid, family.family, file));
      }
      return jsonReply(200, { fonts });
    },
);

export const fontLibraryEndpoints = [listFontLibrary, getLibraryFont, addLibraryFont];

function requireFamily(id: string): LibraryFamily {
  const family = library.find(id);
  if (family === undefined) throw new AppError('NOT_FOUND', 'Family not found', { reason: 'font' });
  return family;
}
