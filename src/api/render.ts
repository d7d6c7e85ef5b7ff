/** The declaration of `GET /v1/render/{uid}`, the link of a template. Its handler is `src/render/get-render.ts`. */
import { eitherOf, formatNames, outputFormats } from '#language/formats.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { sizeNamePattern } from '#language/size-properties.ts';
import { uidSource } from '#language/uid.ts';
import { renderFormats, renderScales } from '#wire/render-job.ts';
import type { Handler } from '../http/server.ts';
import { storeFirstOpens } from '../render/moment.ts';
import type { FirstOpens } from '../render/moment.ts';
import type { Answer, Declaration } from './declaration.ts';
import { fileContent, pathParameter } from './declaration.ts';
import { endpoint } from './endpoint.ts';

const text = { type: 'string' };

const imageHeaders: Answer['headers'] = {
  'Cache-Control': {
    description:
      '`public, max-age=300, stale-while-revalidate=86400` or the template’s `maxAgeSeconds`; with `_version` immutable for a year; degraded 15 s; `private` when the template asks for a key.',
    schema: text,
  },
  ETag: {
    description: 'Weak; the same image has the same tag. Absent when the image is degraded.',
    schema: text,
  },
  'Content-Disposition': {
    description: '`inline; filename="<uid>.<ext>"`; the name has at most 20 characters.',
    schema: text,
  },
  'X-Robots-Tag': { description: '`noindex`.', schema: text },
  'Server-Timing': {
    description: 'Where the image came from, and the milliseconds of each stage.',
    schema: text,
  },
  'X-Request-Id': { description: '`req_…`, for questions about this answer.', schema: text },
  'X-Render-Warnings': {
    description:
      'Only when something is not as the template asks: codes with their layers. `IMAGE_FAILED` and `FONT_MISSING` mean that the image is degraded; with the others it is kept as one without warnings.',
    schema: text,
  },
  'X-Render-Error': {
    description:
      'Only on an image in place of an error: its code. The template’s `onError` says which requests get one.',
    schema: text,
  },
  'Access-Control-Allow-Origin': { description: '`*`.', schema: text },
  'Cross-Origin-Resource-Policy': { description: '`cross-origin`.', schema: text },
};

/** Content of an answer that is an image in any format. */
export const imageContent = fileContent(
  ...Object.values(outputFormats).map(({ mediaType }) => mediaType),
);

/** The last segment of a link. */
export const renderPathParameter = pathParameter(
  'Uid of the template, with an extension if wanted.',
  'hello.png',
  `^${uidSource}(\\.(${formatNames.join('|')}))?$`,
);

const { avif, gif, webp } = outputFormats;

const options = {
  values: {
    description:
      'Values by the names of the template’s variables, each a parameter of its own (`name=Amanda`). Unknown names are ignored. A variable that is omitted, empty or an unfilled merge tag takes its default.',
    schema: { type: 'object', additionalProperties: text },
    example: { name: 'Amanda' },
  },
  _format: {
    description:
      'File format; an extension of the path wins. The template’s `linkOptions` may forbid each of format, scale, quality, lang, size and frames: 400.',
    schema: { type: 'string', enum: [...new Set([...renderFormats, ...formatNames])] },
  },
  _scale: {
    description: `Device pixels for a design pixel; an image has at most ${templateLimits.pixelsMax.toLocaleString('en')} pixels, AVIF ${avif.linkLimits.pixelsMax / 1e6} WebP ${webp.linkLimits.pixelsMax / 1e6} and GIF ${gif.linkLimits.pixelsMax / 1e6} million.`,
    schema: { type: 'integer', enum: [...renderScales], default: 1 },
  },
  _quality: {
    description: `For JPEG, WebP and AVIF; for AVIF at most ${avif.linkLimits.qualityMax}, or the quality of the template.`,
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  },
  _frames: {
    description:
      'Frames of an animated file: as many seconds of a countdown, at most as many of any other animation. It has fewer, with a warning, where all of them are too expensive to draw.',
    schema: { type: 'integer', minimum: 1, maximum: templateLimits.framesMax },
  },
  _animated: {
    description: '1 for a WebP or PNG that moves, if the template does. A GIF always moves.',
    schema: { type: 'integer', enum: [0, 1], default: 0 },
  },
  _size: {
    description:
      'One of the template’s `sizes`, such as `story`; default: its own width and height.',
    schema: { type: 'string', pattern: sizeNamePattern },
  },
  _version: {
    description: 'A published version; default: the newest.',
    schema: { type: 'integer', minimum: 1 },
  },
  _expires: {
    description: 'Of signed links: seconds since 1970 from which the link is refused.',
    schema: { type: 'integer' },
  },
  _signature: {
    description:
      'Of signed links: `v2.` and the lower-case hexadecimal HMAC-SHA256, with a signing key of the template, of path, names and values. Without `v2.`, of path and query as sent without `_signature`.',
    schema: { type: 'string', pattern: '^(v2\\.)?[0-9a-f]{64}$' },
  },
};

const linkHeaders = {
  'If-None-Match': {
    description: 'Tag of the image that the client has; 304 if it is this one.',
    schema: text,
  },
  'X-API-Key': {
    description: 'Only for templates with `"linkAuth": "key"`: a key of their organization.',
    schema: text,
  },
} as const satisfies Declaration['headers'];

const linkAnswers = {
  200: { description: 'The image.', headers: imageHeaders, content: imageContent },
  304: { description: 'The client has this image.' },
} as const satisfies Declaration['answers'];

export const shortLink = endpoint(
  {
    id: 'shortLink',
    route: 'render',
    method: 'get',
    path: '/r/{token}',
    tag: 'Render',
    isUnshared: true,
    summary: 'Draw a short link',
    description:
      'Draws what the equal link draws. The path may end in an extension. A link ends with its time, when it is deleted, and when its template is archived.',
    pathParameters: {
      token: pathParameter(
        'Token of the link, with an extension if wanted.',
        '7Qm3vX0aLr2TzK9cBw5e',
        `^[0-9A-Za-z]{20}(\\.(${formatNames.join('|')}))?$`,
      ),
    },
    headers: linkHeaders,
    answers: linkAnswers,
    errors: {
      400: 'A value, an option or an image cannot be used any more: the template was published again.',
      401: 'The template asks for a key, and it is absent or wrong.',
      404: 'No such link, or its template is archived.',
      429: 'Too many wrong keys from this address, for templates that ask for a key.',
      504: 'The render did not finish before its deadline.',
    },
    errorShape: 'render',
  },
  ({ getShortLink, firstOpens }: { getShortLink: Handler; firstOpens: FirstOpens }) =>
    storeFirstOpens(getShortLink, firstOpens),
);

export const render = endpoint(
  {
    id: 'render',
    route: 'render',
    method: 'get',
    path: '/v1/render/{uid}',
    tag: 'Render',
    isUnshared: true,
    summary: 'Draw a template',
    description: `Draws the published template with the values in the query. The path may end in ${eitherOf(formatNames.map((name) => `\`.${name}\``))}. \`HEAD\` answers the headers of \`GET\`.`,
    pathParameters: { uid: renderPathParameter },
    query: options,
    headers: linkHeaders,
    answers: linkAnswers,
    errors: {
      400: 'A value, an option or an image cannot be used: the message names it and says why. In place of 400, 500, 503, 504 and 507 a request that is made to show an image gets 200 with the best image available, unless the template’s `onError` is `json`.',
      401: 'The template asks for a signed link or a key, and it is absent, wrong or expired.',
      404: 'No such template or version, not published, archived, or an unknown extension.',
      429: 'Too many wrong keys from this address, for templates that ask for a key.',
      504: 'The render did not finish before its deadline.',
    },
    clientCall:
      "const { bytes } = await platen.render('hello', { name: 'Amanda' }, { format: 'png' })",
    errorShape: 'render',
  },
  ({ getRender, firstOpens }: { getRender: Handler; firstOpens: FirstOpens }) =>
    storeFirstOpens(getRender, firstOpens),
);
