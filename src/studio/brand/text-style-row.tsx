/** Row that chooses a text style of the brand kit. The text layers then follow the style. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { textStyleLink, textStyleProperties } from '#language/brand.ts';
import type { BrandTextStyle } from '#language/brand.ts';
import { findLayer } from '../state/layers.ts';
import { behindFrame } from '../panels/behind-frame.ts';
import { brandOf, followedEntry, followEntry } from '../state/brand.ts';
import type { Target } from '../panels/target.ts';

/** Renders nothing if the kit has no text styles or no layer is selected. */
export function TextStyleRow({ target }: { target: Target }): VNode | null {
  const id = useId();
  const { editor, ids } = target;
  const { textStyles } = brandOf(editor.service).value;
  if (textStyles.length === 0 || ids.length === 0) return null;
  const followed = ids.map((layer) => {
    const found = findLayer(behindFrame(editor).document.value, layer);
    return found === undefined ? undefined : followedEntry(found, textStyleLink);
  });
  const [first] = followed;
  const isSame = followed.every((entry) => entry === first);
  const shown = isSame ? textStyles.find((style) => style.id === first)?.id : undefined;
  return (
    <div class="p-row" data-field="textStyle">
      <label class="p-label" for={id}>
        Text style
      </label>
      <div class="p-control">
        <select
          id={id}
          value={shown ?? ''}
          onChange={(event) => {
            const style = textStyles.find((each) => each.id === event.currentTarget.value);
            if (style === undefined) release(target);
            else take(target, style);
          }}
        >
          <option value="" selected={shown === undefined}>
            {isSame ? 'None' : 'Mixed'}
          </option>
          {textStyles.map((style) => (
            <option key={style.id} value={style.id} selected={style.id === shown}>
              {style.name}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function take({ editor, ids }: Target, style: BrandTextStyle): void {
  editor.change(`Use ${style.name}`, (draft) => {
    for (const layer of ids.map((id) => findLayer(draft, id))) {
      if (layer?.type !== 'text') continue;
      for (const name of textStyleProperties) {
        if (style[name] !== undefined) Reflect.set(layer, name, style[name]);
      }
      // The layers of a size hold properties only, no brand links.
      if (editor.size.value === undefined) followEntry(layer, textStyleLink, style.id);
    }
  });
}

/** Removes the link to the style. The properties keep their values. */
function release({ editor, ids }: Target): void {
  editor.change('Follow no text style', (draft) => {
    for (const layer of ids.map((id) => findLayer(draft, id))) {
      if (layer?.brand === undefined) continue;
      layer.brand = layer.brand.filter(({ property }) => property !== textStyleLink);
      if (layer.brand.length === 0) delete layer.brand;
    }
  });
}
