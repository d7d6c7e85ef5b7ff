/** Measures the layers of a document as the service does, without a service. */
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import type { Boxes } from '../../src/studio/state/layer-sizes.ts';
import { flattenLayers } from '../../src/studio/state/layers.ts';
import type { SourceImage } from '#wire/render-job.ts';
import type { DisplayItem, ImagePlacement } from '../../workers/display-list.ts';
import { validTemplate } from '../helpers/render.ts';

const { bindScene } = await import('../../workers/bind-scene.ts');
const { layoutScene } = await import('../../workers/layout/layout.ts');

type Report = NonNullable<Parameters<typeof placeLayers>[1]>;

/** A file of 400 × 300 px of which nothing is drawn. */
const file: SourceImage = {
  digest: 'drawn by nobody',
  format: 'png',
  widthPx: 400,
  heightPx: 300,
  orientation: 1,
  bytes: Uint8Array.of(),
};

/** As far as the studio looks at a report. `hasImages` if all images are found, each of 400 × 300 px. */
export function reportOf(document: Template, hasImages = false): Report {
  const values = new Map(
    document.variables.map((variable) => [variable.name, defaultText(variable)] as const),
  );
  const sources = flattenLayers(document).flatMap(({ layer }) =>
    layer.type === 'image' && hasImages ? [layer.src] : [],
  );
  const files = new Map(sources.map((source) => [source, file]));
  const { displayList } = layoutScene(bindScene(validTemplate(document), values), files);
  const layers: object[] = [];
  const collect = (items: readonly DisplayItem[]): void => {
    for (const { layer: id, box, rotation, content } of items) {
      layers.push({
        id,
        box: { ...box, rotation },
        ...(content.kind === 'image' && { image: imageOf(content.image) }),
      });
      if (content.kind === 'group') collect(content.items);
    }
  };
  collect(displayList.items);
  return { layers } as unknown as Report;
}

function imageOf({ request: { source }, placed }: ImagePlacement): object {
  return { source, placed, naturalWidth: file.widthPx, naturalHeight: file.heightPx };
}

/** The boxes of all layers, as the canvas has them. */
export function boxesOf(document: Template): Boxes {
  const positions = placeLayers(document, reportOf(document));
  return new Map(positions.map(({ id, box }) => [id, box]));
}
