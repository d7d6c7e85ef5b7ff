/** The thumbnail before the name of a layer: its image or drawing, its colour, or the icon of its kind. */
import type { VNode } from 'preact';
import type { Layer } from '#language/schema/layers.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { icon } from '../../icons.tsx';
import { cssPaint, isColor } from '../fields/color-math.ts';
import { splitBinding, wholeBinding } from '../variables/variables.ts';
import { later } from '../../later-part.tsx';
import { imageThumbnail, isImageAddress, LazyImage } from './thumbnails.tsx';

/** Side of the thumbnail in pixels, twice the displayed size. */
const sidePx = 40;

const DrawingThumbnail = later((code) => code.DrawingThumbnail);

export function LayerThumbnail({ editor, layer }: { editor: Editor; layer: Layer }): VNode {
  const source = layer.type === 'image' ? sampleOf(editor, layer.src) : '';
  if (isImageAddress(source)) {
    return (
      <LazyImage
        key={source}
        className="p-kind p-layer-image"
        label=""
        load={() => imageThumbnail(editor.service, source, sidePx)}
      />
    );
  }
  if (layer.type === 'svg') {
    return (
      <span class="p-kind p-layer-image">
        <DrawingThumbnail
          layer={layer}
          read={(value) => sampleOf(editor, value)}
          inputs={[behindFrame(editor).document.value.variables, editor.values.value]}
        />
      </span>
    );
  }
  const fill = layer.type !== 'text' && 'fill' in layer ? layer.fill : undefined;
  const color = typeof fill === 'string' ? sampleOf(editor, fill) : '';
  const isShown = isColor(color);
  return (
    <span class="p-kind" style={isShown ? { '--fill': cssPaint(color) } : {}} data-filled={isShown}>
      {icon(layer.type)}
    </span>
  );
}

/** Returns the value of a property in the preview: the sample value if a variable gives it. */
function sampleOf(editor: Editor, value: string): string {
  const { name } = splitBinding(wholeBinding(value) ?? '');
  if (name === '') return value;
  const { variables } = behindFrame(editor).document.value;
  const variable = variables.find((each) => each.name === name);
  const shown = editor.values.value[name] ?? variable?.value;
  return typeof shown === 'string' ? shown : '';
}
