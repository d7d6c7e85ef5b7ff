/** `POST /v1/render/{uid}`: the image of a link, from values and options in a JSON body. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { outputFormats } from '#language/formats.ts';
import { base64Reply } from '../http/base64-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonReply } from '../http/reply.ts';
import type { Recover } from '../render/fallback.ts';
import type { LinkReading, RenderService } from '../render/get-render.ts';
import { findOrRender, imageReply, readJsonLink, withFacts } from '../render/json-render.ts';
import type { FoundRender, JsonLink } from '../render/json-render.ts';
import { followTo, templateAtZero, withReader } from '../render/moment.ts';
import { RenderOrder } from '../render/order.ts';
import type { RenderPath } from '../render/request.ts';
import { valueNotes, withNotes } from '../render/link/notes.ts';
import { linkReader } from '../render/link/reading.ts';
import { notPublished, parseRenderPath, repairSize } from '../render/request.ts';
import { json, jsonBody } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { imageContent, renderPathParameter } from './render.ts';
import { badBody } from './request/input.ts';
import { closed, renderOptions } from './shared-schemas.ts';
import { linkCharactersMax } from '../render/link/short-link.ts';
import { makeLink } from './short-links.ts';
import type { LinkParts } from './short-links.ts';

/** Services that the endpoint needs. */
export type RenderJsonParts = RenderService & LinkParts & { recover: Recover };

/** Upper bound of the body in bytes: the values of all variables, and some that the template does not use. */
const bodyBytesMax = 1024 * 1024;

const RenderRequest = Type.Object(
  {
    values: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'by the names of variables: strings, numbers, booleans, and arrays of objects for lists; null counts as left out, and unknown names are ignored',
        },
      ),
    ),
    ...renderOptions,
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'a published version; default: the newest' }),
    ),
    response: Type.Optional(
      Type.Enum(['image', 'url', 'base64'], {
        description:
          'what the answer is: the file (`image`, the default), or JSON with a link (`url`) or with the file in Base64 (`base64`)',
      }),
    ),
    expires: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 99_999_999_999,
        description:
          'of `url`, if the link is signed or short: seconds since 1970 at which it ends',
      }),
    ),
    short: Type.Optional(
      Type.Boolean({
        description: `of \`url\`: a link with a token in place of the values. A link of over ${linkCharactersMax} characters is short without it`,
      }),
    ),
  },
  { ...closed, $id: 'RenderRequest' },
);
type RenderRequest = Static<typeof RenderRequest>;

const facts = {
  type: Type.String({ description: 'media type of the file, such as image/png' }),
  width: Type.Integer({ minimum: 1, description: 'pixels of the file' }),
  height: Type.Integer({ minimum: 1, description: 'pixels of the file' }),
  bytes: Type.Integer({ minimum: 1, description: 'of the file' }),
  warnings: Type.Array(
    Type.Object({
      code: Type.String(),
      layer: Type.Optional(Type.String({ description: 'id of the layer' })),
    }),
    { description: 'what is not as the template asks, as in `X-Render-Warnings`' },
  ),
  ignored: Type.Array(Type.String(), {
    maxItems: 50,
    description: 'names of values that the template has no variable for',
  }),
  alt: Type.String({ description: 'what the image says, for the attribute `alt`' }),
};

const LinkResponse = Type.Object(
  {
    url: Type.String({ description: 'a link that needs no key, unless the template asks for one' }),
    short: Type.Boolean({ description: 'whether the link is stored: its values are not in it' }),
    expires: Type.Union([Type.Integer(), Type.Null()], {
      description: 'seconds since 1970 at which the link ends; null if it has no end',
    }),
    ...facts,
  },
  { ...closed, $id: 'RenderedLinkResponse' },
);

const linkExample = {
  url: 'https://images.example.com/v1/render/hello?name=Amanda',
  short: false,
  expires: null,
  type: 'image/png',
  width: 400,
  height: 200,
  bytes: 3756,
  warnings: [],
  ignored: [],
  alt: 'Hello, Amanda!',
};

const Base64Response = Type.Object(
  { base64: Type.String({ contentEncoding: 'base64', description: 'the file' }), ...facts },
  { ...closed, $id: 'RenderedBase64Response' },
);

export const renderJson = endpoint(
  {
    id: 'renderJson',
    route: 'render',
    method: 'post',
    path: '/v1/render/{uid}',
    tag: 'Render',
    summary: 'Render with JSON',
    description:
      'Renders the image of a link, with values and options in a JSON body: the same bytes, limits and errors. A link needs neither key nor signature here, because the key stands for them.',
    scope: 'render',
    pathParameters: { uid: renderPathParameter },
    body: jsonBody('Values and options.', RenderRequest, {
      values: { name: 'Amanda' },
      format: 'png',
    }),
    bodyBytesMax,
    answers: {
      200: {
        description: 'The image, or what `response` asks for.',
        content: {
          ...imageContent,
          ...json(Type.Union([LinkResponse, Base64Response]), linkExample),
        },
      },
    },
    errors: {
      400: 'The body is not valid, or a value, an option or an image cannot be used: the message names it and says why.',
      404: 'No such published template in the organization, or no such version.',
      504: 'The render did not finish before its deadline.',
    },
    clientCall:
      "const { bytes } = await platen.renderJson('hello', { values: { name: 'Amanda' } })",
    errorShape: 'render',
  },
  (service: RenderJsonParts) =>
    async (exchange, { holder, readBody }) => {
      // Set only if the answer is an image: an error after the link was read may then be answered by an image.
      let reading: LinkReading | undefined;
      try {
        const renderPath = parseRenderTarget(exchange, service, holder.uid);
        const body = await readBody();
        const link = await readLink(service, renderPath, body, exchange);
        const { path, query, template } = link;
        const { response = 'image' } = body;
        const read: LinkReading = { path, query, template };
        if (response === 'image') reading = read;
        const order = readOrder(service, { path, query, template }, read);
        const found = await findOrRender(order, service, exchange);
        if (response === 'image') {
          return withNotes(imageReply(exchange, order, found), valueNotes(read.notes));
        }
        // Described before the link is made, because the image may leave the cache meanwhile.
        const described = factsOf(order, found, link);
        const reply =
          response === 'url'
            ? jsonReply(200, { ...(await makeLink(service, exchange, link, body)), ...described })
            : base64Reply(described, { name: 'base64', bytes: found.render.bytes });
        const answer = withFacts(exchange, order.template, found, reply);
        return withNotes(answer, valueNotes(read.notes));
      } catch (error) {
        return service.recover(error, exchange, reading);
      }
    },
);

/** Reads the order of a link, or of the next template if its countdown is over. Writes each result into `read`. */
function readOrder(
  service: RenderJsonParts,
  { path, query, template }: Pick<JsonLink, 'path' | 'query' | 'template'>,
  read: LinkReading,
): RenderOrder {
  const reader = linkReader(read);
  const given = (read.options = reader.options(path, query, template));
  read.notes = {};
  const values = reader.values(template, query, service.tables, read.notes);
  const options = withReader(given, template, values, program, service.firstOpens);
  Object.assign(read, { template, options, values });
  const order = new RenderOrder(template, options, values);
  const next = templateAtZero(order, service.templates, read);
  if (next === undefined) return order;
  followTo(read, next);
  return readOrder(service, { path, query, template: repairSize(next.template, query) }, read);
}

/** A program of the organization opens no email: it starts no countdown. */
const program = { userAgent: '', isHead: false };

/** Parses the path. Throws NOT_FOUND unless it names a published template of the organization. */
function parseRenderTarget(
  { parameter }: Exchange,
  { templates }: RenderJsonParts,
  organizationUid: string,
): RenderPath {
  const path = parseRenderPath(parameter);
  const newest = templates.findPublished(path.uid);
  if (newest?.organizationUid !== organizationUid) throw notPublished(path.uid);
  return path;
}

async function readLink(
  { templates }: RenderJsonParts,
  path: RenderPath,
  { values = {}, response: _response, expires: _expires, short: _short, ...options }: RenderRequest,
  exchange: Exchange,
): Promise<JsonLink> {
  const link = readJsonLink(templates, path, { ...values }, options, await exchange.readBody());
  if (link.problems.length > 0) throw badBody(link.problems, 'body');
  return link;
}

function factsOf(
  { template: { document }, options, values }: RenderOrder,
  { render }: FoundRender,
  { ignored }: JsonLink,
): object {
  return {
    type: outputFormats[render.format].mediaType,
    width: document.width * options.scale,
    height: document.height * options.scale,
    bytes: render.bytes.byteLength,
    warnings: render.warnings,
    ignored,
    alt: alternativeText(document, values, options),
  };
}
