/** Finds the layers and the variables of the source images of a render. */
import { createBinder } from '#language/bind/binder.ts';
import type { Binder } from '#language/bind/binder.ts';
import { bindAddress, boundNames } from '#language/bind/bindings.ts';
import { itemBinders, itemsMax, repeatedList } from '#language/bind/list-items.ts';
import type { ItemBinders } from '#language/bind/list-items.ts';
import { walkLayers } from '#language/layer-tree.ts';
import { imageAddresses } from '#language/layers.ts';
import type { StackLayer } from '#language/schema/layers.ts';
import { itemPrefix } from '#language/values/list-value.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { RenderOrder } from '../order.ts';
import type { ResolvedValues } from '../values.ts';

/** The layers that draw a source, and the variables that their addresses bind (possibly none). */
export interface ImageOrigin {
  layers: string[];
  variables: string[];
  /** Whether a value comes from a data table: messages must not contain it. */
  readsTables: boolean;
}

/** Returns the origin of a source. */
export type OriginFinder = (source: string) => ImageOrigin;

/**
 * Creates a finder of origins for these values; the origin of an item's image is the list. The first call binds the
 * addresses of all items and finds all origins, so that many failing images of a link do not repeat this work.
 */
export function imageOrigins(
  { template, options }: Pick<RenderOrder, 'template' | 'options'>,
  values: ResolvedValues,
): OriginFinder {
  let origins: ReadonlyMap<string, ImageOrigin> | undefined;
  return (source) => {
    origins ??= findOrigins(template, createBinder(template.document, values, options));
    return origins.get(source) ?? { layers: [], variables: [], readsTables: false };
  };
}

/** The origins of all sources that the layers of a template have with the values of `binder`, hidden or not. */
function findOrigins(
  { document, variables }: PublishedTemplate,
  binder: Binder,
): ReadonlyMap<string, ImageOrigin> {
  const origins = new Map<string, ImageOrigin>();
  const bindersOf = new Map<StackLayer, ItemBinders>();
  for (const [, layer, , repeating] of walkLayers(document.layers)) {
    const addresses = imageAddresses(layer);
    if (addresses.length === 0) continue;
    const repeat = repeating?.repeat;
    const list = repeatedList(repeat, document.variables);
    let binders: readonly Binder[] = [binder];
    if (repeating && repeat && list) {
      const bound = bindersOf.get(repeating) ?? itemBinders(list, binder, itemsMax(repeat));
      bindersOf.set(repeating, bound);
      binders = layer.id === repeat.more ? [bound.rest ?? binder] : bound.items;
    }
    // If a layer has a source twice, its first address counts.
    const found = new Set<string>();
    for (const [, text] of addresses) {
      const names = boundNames(text, variables).map((name) =>
        list !== undefined && name.startsWith(itemPrefix) ? list.name : name,
      );
      const readsTables = names.some((name) => variables.get(name)?.from !== undefined);
      for (const { values, context } of binders) {
        const source = bindAddress(text, values, context).trim();
        if (found.has(source)) continue;
        found.add(source);
        const known = origins.get(source);
        origins.set(source, {
          layers: [...(known?.layers ?? []), layer.id],
          variables: [...new Set([...(known?.variables ?? []), ...names])],
          readsTables: readsTables || known?.readsTables === true,
        });
      }
    }
  }
  return origins;
}
