/** Calls in the shape of Bannerbear's API: `POST /v2/images`, complete at once, and `GET /v2/images/{uid}`. */
import { Type } from 'typebox';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import {
  adapted,
  bodyBytesMax,
  findImage,
  renderImage,
  sendWebhook,
  withMessages,
} from './adapter.ts';
import type { AdaptedImage, AdapterParts } from './adapter.ts';

const Modification = Type.Object({
  name: Type.String({ maxLength: 64, description: 'of a variable' }),
  text: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  image_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  color: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Other properties are accepted, as Bannerbear does, and ignored. */
const ImageRequest = Type.Object({
  template: Type.String({ minLength: 1, maxLength: 64, description: 'uid of a template' }),
  modifications: Type.Optional(Type.Array(Modification, { maxItems: 200 })),
  webhook_url: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
  metadata: Type.Optional(Type.Any()),
});

export function bannerbearRoutes(parts: AdapterParts): Route[] {
  const create = adapted(ImageRequest, async (body, exchange) => {
    const { template, modifications = [], metadata = null } = body;
    const image = await renderImage(parts, exchange, template, valuesOf(modifications));
    const webhookUrl = body.webhook_url ?? undefined;
    const answer = {
      ...completed(image),
      template,
      modifications,
      metadata,
      width: image.width,
      height: image.height,
      created_at: new Date().toISOString(),
      webhook_url: webhookUrl ?? null,
    };
    sendWebhook(parts, webhookUrl, image.id, answer);
    return jsonReply(webhookUrl === undefined ? 200 : 202, answer);
  });
  const shared = { name: 'bannerbear', errorShape: 'organization' } as const;
  return [
    { ...shared, path: '/v2/images', bodyBytesMax, post: create },
    {
      ...shared,
      path: '/v2/images/:uid',
      get: (exchange) =>
        withMessages(async () => jsonReply(200, completed(await findImage(parts, exchange)))),
    },
  ];
}

/** A colour beside a text or an image is the value of `<name>_color`. */
function valuesOf(
  modifications: ReadonlyArray<{
    name: string;
    text?: string | number | null;
    image_url?: string | null;
    color?: string | null;
  }>,
): Record<string, unknown> {
  const entries = modifications.flatMap(({ name, text, image_url: image, color }) => {
    const value = text ?? image;
    const colorName = value == null ? name : `${name}_color`;
    return [
      ...(value == null ? [] : [[name, value] as const]),
      ...(color == null ? [] : [[colorName, color] as const]),
    ];
  });
  return Object.fromEntries(entries);
}

function completed({ id, linkOf }: Pick<AdaptedImage, 'id' | 'linkOf'>): object {
  return {
    uid: id,
    status: 'completed',
    self: linkOf('').replace(/\/r\/([\w-]+)$/, '/v2/images/$1'),
    image_url: linkOf('.png'),
    image_url_png: linkOf('.png'),
    image_url_jpg: linkOf('.jpg'),
  };
}
