/** Calls in the shape of Placid's REST API, finished at once: `POST /api/rest/images`, `GET /api/rest/images/{id}`. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { uidSchemaPattern } from '#language/uid.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { adapted, imageRoutes, linkTo, makeWithWebhook, renderImage } from './adapter.ts';
import type { AdapterParts, FoundImage } from './adapter.ts';

const imagesPath = '/api/rest/images';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const Layer = Type.Object({
  text: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  image: Text,
  text_color: Text,
  background_color: Text,
});

/** Other properties are accepted, as Placid does, and ignored. */
const ImageRequest = Type.Object({
  template_uuid: Type.String({ pattern: uidSchemaPattern, description: 'uid of a template' }),
  // PHP writes an empty object as an empty array.
  layers: Type.Optional(
    Type.Union([
      Type.Record(Type.String({ maxLength: 64 }), Layer),
      Type.Array(Type.Never(), { maxItems: 0 }),
    ]),
  ),
  webhook_success: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
});

export function placidRoutes(parts: AdapterParts): Route[] {
  const create = adapted(parts, ImageRequest, async (body, exchange) => {
    const values = valuesOf(body.layers ?? {});
    // Forms send an empty text for no webhook.
    const webhookUrl = body.webhook_success || undefined;
    const { value } = await makeWithWebhook(parts, exchange, webhookUrl, async () => {
      const image = await renderImage(parts, exchange, body.template_uuid, values);
      return { id: image.id, value: finished(image) };
    });
    return jsonReply(200, value);
  });
  return imageRoutes(parts, { name: 'placid', path: imagesPath }, create, finished);
}

/** Converts layers to values. Colours of a layer are the values of `<name>_color` and `<name>_background`. */
function valuesOf(
  layers: Readonly<Record<string, Static<typeof Layer>>> | readonly never[],
): Record<string, unknown> {
  const entries = Object.entries(layers).flatMap(([name, layer]) => [
    [name, layer.text ?? layer.image],
    [`${name}_color`, layer.text_color],
    [`${name}_background`, layer.background_color],
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value != null)) as Record<
    string,
    unknown
  >;
}

function finished(image: FoundImage): object {
  return {
    id: image.id,
    status: 'finished',
    image_url: linkTo(image, '.png'),
    polling_url: `${image.base}${imagesPath}/${image.id}`,
  };
}
