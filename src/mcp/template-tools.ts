/** Tools that find, read, preview, save and publish templates. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { previewScales } from '#wire/render-job.ts';
import type { JobScale } from '#wire/render-job.ts';
import { readFormatChapter } from './format-guide.ts';
import { ArgumentError, json, tool } from './tool.ts';

export const uid = Type.String({
  pattern: uidSchemaPattern,
  description: 'uid of a template: 1 to 64 letters, digits, - or _',
});

const document = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'a whole template document; template_format describes it',
  },
);

export const values = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'values of variables, by name; absent: defaults' },
  ),
);

const closed = { additionalProperties: false } as const;

const listTemplates = tool(
  {
    name: 'list_templates',
    title: 'List templates',
    description:
      'Lists templates of the organization, newest first, with uid, name and state (draft, live, changed). Links exist for live and changed ones.',
    schema: Type.Object(
      {
        offset: Type.Optional(Type.Integer({ minimum: 0, description: 'of the next page' })),
      },
      closed,
    ),
    isReadOnly: true,
  },
  async ({ offset = 0 }, { client }) => [json(await client.listTemplates({ offset, limit: 50 }))],
);

const describeTemplate = tool(
  {
    name: 'describe_template',
    title: 'Describe a template',
    description:
      'Gives the variables of a template with their default values, its versions, the access to its links, and the whole document of its draft.',
    schema: Type.Object({ uid }, closed),
    isReadOnly: true,
  },
  async (input, { client }) => {
    const [details, draft] = await Promise.all([
      client.getTemplate(input.uid),
      client.getTemplateDocument(input.uid),
    ]);
    return [json({ ...details, document: draft })];
  },
);

const templateFormat = tool(
  {
    name: 'template_format',
    title: 'Read how templates are written',
    description:
      'Without a chapter: a minimal document and the list of chapters. With one: that chapter of the reference, for example "text", "image", "Variables", "Bindings", "Value formats" or "stack". Read "Document", "Every layer" and the chapters of the layers that you use before you write a template.',
    schema: Type.Object(
      { chapter: Type.Optional(Type.String({ maxLength: 100, description: 'its heading' })) },
      closed,
    ),
    isReadOnly: true,
  },
  ({ chapter }) => Promise.resolve([{ type: 'text', text: readFormatChapter(chapter) }]),
);

const previewTemplate = tool(
  {
    name: 'preview_template',
    title: 'Preview a template',
    description:
      'Draws a document that is not saved, or the draft of a template, with values. Returns the image, a large one smaller than it is, and warnings such as text that is cut. Look at it before you save or publish.',
    schema: Type.Object(
      { uid: Type.Optional(uid), document: Type.Optional(document), values },
      closed,
    ),
    isReadOnly: true,
  },
  async ({ uid: of, document: template, values: given = {} }, { client }) => {
    if (template === undefined && of === undefined)
      throw new ArgumentError('Give uid or document.');
    const drawn = template ?? (await client.getTemplateDocument(of ?? ''));
    const request = {
      ...(of === undefined ? {} : { uid: of }),
      ...(template === undefined ? {} : { template: template as never }),
      values: given as Record<string, unknown>,
      format: 'png' as const,
      scale: previewScale(drawn),
      animated: false,
    };
    const image = await client.preview(request);
    const { warnings } = image;
    return [
      {
        type: 'image',
        data: Buffer.from(image.bytes).toString('base64'),
        mimeType: image.contentType,
      },
      { type: 'text', text: warnings === '' ? 'No warnings.' : `Warnings: ${warnings}` },
    ];
  },
);

/** Upper bound of a preview in pixels. Models scale larger images down, and the answer contains the image in Base64. */
const previewPixelsMax = 1_600_000;

/** The largest scale up to 1 at which a document has at most `previewPixelsMax` pixels; 1 if its size is invalid. */
function previewScale({ width, height }: { width?: unknown; height?: unknown }): JobScale {
  const pixels = Number(width) * Number(height);
  const fits = (scale: number): boolean => !(pixels * scale ** 2 > previewPixelsMax);
  return ([1, ...previewScales.toReversed()] as const).find(fits) ?? 0.125;
}

const saveDraft = tool(
  {
    name: 'save_draft',
    title: 'Save a draft',
    description:
      'Saves a document as a new template, or as the draft of the template with this uid. Links do not change until it is published. Problems are listed by their path in the document. Who may open links (linkAuth, linkOptions, clock.atZero) is taken from the document of a new template alone: later, warnings name what has no effect.',
    schema: Type.Object({ uid, document }, closed),
    isReadOnly: false,
  },
  async (input, { client }) => {
    const template = input.document as never;
    const exists = await client.getTemplate(input.uid).then(
      () => true,
      (error: { status?: number }) => {
        if (error.status === 404) return false;
        throw error;
      },
    );
    const draft = exists
      ? await client.updateTemplate(input.uid, template)
      : await client.createTemplate(template, { uid: input.uid });
    return [json({ ...draft, created: !exists })];
  },
);

const publishTemplate = tool(
  {
    name: 'publish_template',
    title: 'Publish a template',
    description:
      'Makes the draft the next version: all links of the template show it at once. The draft must have been previewed and approved.',
    schema: Type.Object(
      {
        uid,
        note: Type.Optional(Type.String({ maxLength: 500, description: 'what has changed' })),
      },
      closed,
    ),
    isReadOnly: false,
  },
  async (input, { client }) => {
    const note = input.note === undefined ? {} : { note: input.note };
    return [json(await client.publishTemplate(input.uid, note))];
  },
);

export const templateTools = [
  listTemplates,
  describeTemplate,
  templateFormat,
  previewTemplate,
  saveDraft,
  publishTemplate,
];
