/** What the clipboard holds of copied layers, and its checks when another tab pastes it. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import type { ItemScope } from '../state/list-items.ts';
import type { Box } from './geometry.ts';

/** Content of the clipboard. It is stored as JSON text, so that another tab can paste it. */
export interface Clip {
  platenLayers: Layer[];
  /** The template of the layers. */
  uid?: string;
  /** Drawn boxes of the layers on the canvas, by layer id. */
  boxes?: Record<string, Box>;
  /** Item variables that layers in a repeating stack may bind, by layer id. */
  items?: Record<string, ItemScope>;
  /** Variables that the layers bind, and the key variables of their table lookups. */
  variables?: Variable[];
  /** The clock of the document, if the layers bind its values. */
  clock?: Template['clock'];
  /** Families for letters that those of the layers lack. */
  fonts?: string[];
}

/** The layers of a text, and none of another text. */
export function parseClip(text: string): Clip {
  try {
    const clip = JSON.parse(text) as Partial<Clip>;
    const { platenLayers, uid, boxes, items, variables, clock, fonts } = clip;
    const layers = Array.isArray(platenLayers) ? platenLayers.filter(isLayer) : [];
    const measured = Object.entries(boxes ?? {}).filter(([, box]) => isBox(box));
    const scopes = Object.entries(items ?? {}).filter(([, scope]) =>
      Array.isArray(scope?.variables),
    );
    return {
      platenLayers: layers,
      ...(typeof uid === 'string' && { uid }),
      boxes: Object.fromEntries(measured),
      items: Object.fromEntries(scopes),
      variables: Array.isArray(variables) ? variables.filter(isVariable) : [],
      ...(typeof clock === 'object' && clock !== null && { clock }),
      fonts: Array.isArray(fonts) ? fonts.filter((family) => typeof family === 'string') : [],
    };
  } catch {
    return { platenLayers: [] };
  }
}

function isBox(box: Partial<Box> | null): boolean {
  return [box?.x, box?.y, box?.width, box?.height].every(Number.isFinite);
}

function isVariable(variable: Partial<Variable> | null): variable is Variable {
  if (typeof variable?.name !== 'string' || typeof variable.type !== 'string') return false;
  return variable.type !== 'list' || [variable.fields, variable.value].every(Array.isArray);
}

/** Checks only the properties that showing a layer needs. The service validates the rest. */
function isLayer(layer: unknown): layer is Layer {
  return typeof layer === 'object' && layer !== null && 'id' in layer && 'type' in layer;
}
