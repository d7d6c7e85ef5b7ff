/** Calls in the shape of Bannerbear's API: `POST /v2/images`, complete at once, and `GET /v2/images/{uid}`. */
import { Type } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { adapted, imageRoutes, linkTo, makeWithWebhook, renderImage } from './adapter.ts';
import type { AdapterParts, FoundImage } from './adapter.ts';

const imagesPath = '/v2/images';

const Modification = Type.Object({
  name: Type.String({ maxLength: 64, description: 'of a variable' }),
  text: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  image_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  color: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Other properties are accepted, as Bannerbear does, and ignored. */
const ImageRequest = Type.Object({
  template: Type.String({ pattern: uidSchemaPattern, description: 'uid of a template' }),
  modifications: Type.Optional(Type.Array(Modification, { maxItems: 200 })),
  webhook_url: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
  metadata: Type.Optional(Type.Any()),
});

export function bannerbearRoutes(parts: AdapterParts): Route[] {
  const create = adapted(parts, ImageRequest, async (body, exchange) => {
    const { template, modifications = [], metadata = null } = body;
    // Forms send an empty text for no webhook.
    const webhookUrl = body.webhook_url || undefined;
    const { value } = await makeWithWebhook(parts, exchange, webhookUrl, async () => {
      const image = await renderImage(parts, exchange, template, valuesOf(modifications));
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
      return { id: image.id, value: answer };
    });
    return jsonReply(webhookUrl === undefined ? 200 : 202, value);
  });
  return imageRoutes(parts, { name: 'bannerbear', path: imagesPath }, create, completed);
}

/** Converts modifications to values. A colour beside a text or an image is the value of `<name>_color`. */
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

function completed(image: FoundImage): object {
  return {
    uid: image.id,
    status: 'completed',
    self: `${image.base}${imagesPath}/${image.id}`,
    image_url: linkTo(image, '.png'),
    image_url_png: linkTo(image, '.png'),
    image_url_jpg: linkTo(image, '.jpg'),
  };
}
