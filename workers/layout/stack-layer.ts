/** Arranges the layers of a stack by the rules of a CSS flexbox. Plain numbers, no pixels. */
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import type { Rect } from '../display-list.ts';
import type { FlexItem } from './flex.ts';
import {
  clampSize,
  flexLines,
  flexOffsets,
  flexSizes,
  shareBefore,
  sizeTolerance,
} from './flex.ts';
import type { Arrangement, MeasureContext } from './measure-layer.ts';
import {
  clampHeight,
  clampWidth,
  contentHeight,
  contentWidth,
  fitsLowerBox,
  heightAt,
  layerWidth,
  leastHeight,
  measureOnce,
  stackInsets,
} from './measure-layer.ts';

/**
 * Arranges the layers in a stack of this size. Without a height, the stack is as high as its layers. Rows start at the
 * right edge, and columns align to it, in a language that is written from right to left.
 */
export function arrangeStack(
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
): Arrangement {
  return measureOnce(stack, `boxes ${width} ${height} ${context.textScale}`, context, () =>
    arrange(stack, width, height, context),
  );
}

function arrange(
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
): Arrangement {
  const { top, right, bottom, left } = stackInsets(stack);
  const inner = {
    width: Math.max(0, width - left - right),
    height: height === undefined ? undefined : Math.max(0, height - top - bottom),
  };
  const arrangeLayers = stack.direction === 'row' ? arrangeRow : arrangeColumn;
  const isMirrored = mirrors(context.scene.lang);
  const content = arrangeLayers(stack, inner.width, inner.height, context);
  const boxes = content.boxes.map((box) => {
    const x = isMirrored ? inner.width - box.x - box.width : box.x;
    return { ...box, x: x + left, y: box.y + top };
  });
  return { width, height: height ?? content.height + top + bottom, boxes };
}

const noInsets = { top: 0, right: 0, bottom: 0, left: 0 };

type Content = Pick<Arrangement, 'height' | 'boxes'>;

function arrangeColumn(
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
): Content {
  const { layers, gap = 0, justify = 'start' } = stack;
  const widths = layers.map((layer) => acrossWidth(stack, layer, width, context));
  const heights = layers.map((layer, index) => heightAt(layer, widths[index] ?? 0, context));
  const gaps = gap * Math.max(0, layers.length - 1);
  const natural = heights.reduce((sum, each) => sum + each, 0) + gaps;
  const available = height ?? natural;
  const items = layers.map((layer, index): FlexItem => {
    const fixedPx = heights[index] ?? 0;
    const grows = layer.height === 'fill';
    const min = layer.minHeight ?? leastHeight(layer, widths[index] ?? 0, context);
    const max = grows || layer.height === 'hug' ? (layer.maxHeight ?? Infinity) : Infinity;
    const { top, bottom } = layer.type === 'stack' ? stackInsets(layer) : noInsets;
    const hugs = layer.height === 'hug';
    const basis = hugs ? contentHeight(layer, widths[index] ?? 0, context) : fixedPx;
    const shrinkWeight = hugs ? Math.max(0, basis - top - bottom) : 0;
    return { basis: grows ? 0 : basis, grows, shrinkWeight, min, max };
  });
  const sizes = sizesAlong(items, available - gaps, (index) => {
    const layer = layers[index];
    if (layer === undefined) return 0;
    return layer.minHeight ?? leastHeight(layer, widths[index] ?? 0, context, true);
  });
  const offsets = flexOffsets(sizes, gap, available, justify);
  const boxes = layers.map((layer, index): Rect => {
    const layerWide = widths[index] ?? 0;
    const x = (width - layerWide) * acrossShare(stack, layer.width);
    return { x, y: offsets[index] ?? 0, width: layerWide, height: sizes[index] ?? 0 };
  });
  return { height: available, boxes };
}

/** Returns the share of free space before a layer across the direction. A layer that fills has none, as in CSS. */
function acrossShare({ align = 'start' }: StackLayer, size: Layer['width']): number {
  return size === 'fill' ? 0 : shareBefore(align);
}

/** Returns the width of a layer of a column: `fit-content` of CSS if the layer hugs. */
function acrossWidth(
  stack: StackLayer,
  layer: Layer,
  available: number,
  context: MeasureContext,
): number {
  if (typeof layer.width === 'number') return layer.width;
  if (layer.width === 'fill' || stack.align === 'stretch') return clampWidth(layer, available);
  const natural = layerWidth(layer, 'natural', context);
  const width = Math.min(natural, Math.max(layerWidth(layer, 'fitted', context), available));
  return clampWidth(layer, width);
}

function arrangeRow(
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
): Content {
  const { layers, gap = 0, justify = 'start' } = stack;
  const items = layers.map((layer) => rowItem(layer, context));
  const lines =
    stack.wrap === true ? flexLines(items, gap, width) : [items.map((_, index) => index)];
  const boxes: Rect[] = [];
  let top = 0;
  for (const [number, line] of lines.entries()) {
    const gaps = gap * Math.max(0, line.length - 1);
    const lineLayers = line.map((index) => layers[index]).filter((layer) => layer !== undefined);
    const lineItems = line.flatMap((index) => items[index] ?? []);
    const sizes = sizesAlong(lineItems, width - gaps, (index) => {
      const layer = lineLayers[index];
      return layer === undefined ? 0 : (layer.minWidth ?? layerWidth(layer, 'fitted', context));
    });
    const offsets = flexOffsets(sizes, gap, width, justify);
    // A row that wraps is as high as its layers, as `align-content: start` makes it.
    const fixed = stack.wrap === true ? undefined : height;
    const lineHeight =
      fixed ??
      Math.max(0, ...lineLayers.map((each, at) => heightAt(each, sizes[at] ?? 0, context)));
    if (number > 0) top += gap;
    for (const [at, layer] of lineLayers.entries()) {
      const across = acrossHeight(stack, layer, sizes[at] ?? 0, lineHeight, context);
      const y = top + (lineHeight - across) * acrossShare(stack, layer.height);
      boxes.push({ x: offsets[at] ?? 0, y, width: sizes[at] ?? 0, height: across });
    }
    top += lineHeight;
  }
  return { height: height ?? top, boxes };
}

/**
 * Returns sizes along the direction. If the layers are too large at their smallest sizes, they shrink in proportion to
 * their sizes, down to `fitted`: texts then shrink to fit a word, or are cut.
 */
function sizesAlong(
  items: readonly FlexItem[],
  available: number,
  fitted: (index: number) => number,
): number[] {
  const sizes = flexSizes(items, available);
  if (sizes.reduce((sum, size) => sum + size, 0) <= available + sizeTolerance) return sizes;
  const shrunk = sizes.map((basis, index): FlexItem => {
    const min = Math.min(basis, fitted(index));
    return { basis, grows: false, shrinkWeight: basis, min, max: Infinity };
  });
  return flexSizes(shrunk, available);
}

function rowItem(layer: Layer, context: MeasureContext): FlexItem {
  const { width, maxWidth = Infinity } = layer;
  if (typeof width === 'number') {
    return { basis: width, grows: false, shrinkWeight: 0, min: width, max: width };
  }
  const grows = width === 'fill';
  const basis = grows ? 0 : contentWidth(layer, 'natural', context);
  const min = layer.minWidth ?? layerWidth(layer, grows ? 'fitted' : 'least', context);
  const { left, right } = layer.type === 'stack' ? stackInsets(layer) : noInsets;
  const shrinkWeight = grows ? 0 : Math.max(0, basis - left - right);
  return { basis, grows, shrinkWeight, min, max: maxWidth };
}

/** Returns the height of a layer of a row. A text that fits lower boxes is at most as high as the line. */
function acrossHeight(
  stack: StackLayer,
  layer: Layer,
  width: number,
  available: number,
  context: MeasureContext,
): number {
  const { height } = layer;
  if (typeof height === 'number') return heightAt(layer, width, context);
  if (height === 'fill' || stack.align === 'stretch') return clampHeight(layer, available);
  const natural = heightAt(layer, width, context);
  const gives = fitsLowerBox(layer) || layer.type === 'stack';
  if (!gives || natural <= available) return natural;
  return clampSize(available, leastHeight(layer, width, context, true), natural);
}

/** Cache for the language of the last layout: the runtime takes 20 µs to find its script. */
let last = { lang: 'en', isMirrored: false };

/** Whether rows and columns start at the right edge. */
function mirrors(lang: string): boolean {
  if (last.lang !== lang) last = { lang, isMirrored: isRightToLeft(lang) };
  return last.isMirrored;
}
