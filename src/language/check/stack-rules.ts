/** Checks sizes and positions that depend on the layer's parent: a stack positions and sizes its layers. */
import type { Layer, ParentLayer } from '../schema/layers.ts';
import { show } from './template-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

/** Adds the problems of the box of a layer. `parent` is undefined for a layer of the canvas. */
export function checkBox(
  path: string,
  layer: Layer,
  parent: ParentLayer['type'] | undefined,
  problems: TemplateProblem[],
): void {
  const inStack = parent === 'stack';
  const add = (property: string, message: string): void => {
    problems.push({ path: property === '' ? path : `${path}.${property}`, message });
  };
  for (const name of ['x', 'y'] as const) {
    if (inStack && layer[name] !== undefined) {
      add(name, 'is not a property of a layer in a stack, which positions it; remove it');
    }
    if (!inStack && layer[name] === undefined) {
      add('', `needs "${name}", a number from -16384 to 16384; only a stack positions its layers`);
    }
  }
  if (inStack && layer.mask !== undefined) {
    add('mask', 'is not a property of a layer in a stack; put the layer and its mask into a group');
  }
  for (const axis of axes) checkAxis(layer, axis, inStack, add);
  if (layer.type === 'stack' && layer.wrap === true && layer.direction !== 'row') {
    add('wrap', 'is true, but only a row wraps; set "direction": "row"');
  }
}

/**
 * Adds sizes that a default value makes `hug` or `fill`. Layers are checked for these words before values are bound.
 */
export function checkBoundBox(
  path: string,
  layer: Layer,
  bound: Layer,
  problems: TemplateProblem[],
): void {
  for (const { size } of axes) {
    const value = bound[size];
    if ((value !== 'hug' && value !== 'fill') || value === layer[size]) continue;
    const message = `is ${show(value)} with the default values of its variables, expected a number; write ${show(value)} without a variable`;
    problems.push({ path: `${path}.${size}`, message });
  }
}

/** Whether a layer can take the size of its content: texts in lines, and stacks. */
export function canHug(layer: Layer): boolean {
  return (layer.type === 'text' && layer.path === undefined) || layer.type === 'stack';
}

interface Axis {
  size: 'width' | 'height';
  min: 'minWidth' | 'minHeight';
  max: 'maxWidth' | 'maxHeight';
}

/** The size of a layer on each axis, with the names of its limits. */
export const axes: readonly Axis[] = [
  { size: 'width', min: 'minWidth', max: 'maxWidth' },
  { size: 'height', min: 'minHeight', max: 'maxHeight' },
];

function checkAxis(
  layer: Layer,
  { size, min, max }: Axis,
  inStack: boolean,
  add: (property: string, message: string) => void,
): void {
  const value = layer[size];
  if (value === 'fill' && !inStack) {
    add(size, 'is "fill", but only a layer of a stack fills it; use a number');
  }
  if (value === 'hug' && !canHug(layer)) {
    const what = layer.type === 'text' ? 'text along a path' : layer.type;
    add(size, `is "hug", but only texts in lines and stacks hug; give the ${what} a number`);
  }
  if (value === 'hug' || value === 'fill') return;
  for (const name of [min, max]) {
    if (layer[name] === undefined) continue;
    add(name, `limits a ${size} that is "hug" or "fill", but it is a number; remove it`);
  }
}
