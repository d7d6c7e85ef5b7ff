/** Measures the layers of a document as the service does, without a service. */
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import type { Boxes } from '../../src/studio/state/layer-sizes.ts';
import type { DisplayItem } from '../../workers/display-list.ts';
import { validTemplate } from '../helpers/render.ts';

const { bindScene } = await import('../../workers/bind-scene.ts');
const { layoutScene } = await import('../../workers/layout/layout.ts');

type Report = NonNullable<Parameters<typeof placeLayers>[1]>;

/** As far as the studio looks at a report. */
export function reportOf(document: Template): Report {
  const values = new Map(
    document.variables.map((variable) => [variable.name, defaultText(variable)] as const),
  );
  const { displayList } = layoutScene(bindScene(validTemplate(document), values), new Map());
  const layers: object[] = [];
  const collect = (items: readonly DisplayItem[]): void => {
    for (const { layer: id, box, rotation, content } of items) {
      layers.push({ id, box: { ...box, rotation } });
      if (content.kind === 'group') collect(content.items);
    }
  };
  collect(displayList.items);
  return { layers } as unknown as Report;
}

/** The boxes of all layers, as the canvas has them. */
export function boxesOf(document: Template): Boxes {
  const positions = placeLayers(document, reportOf(document));
  return new Map(positions.map(({ id, box }) => [id, box]));
}
