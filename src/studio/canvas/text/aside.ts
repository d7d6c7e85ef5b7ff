/** What stands beside a text that is edited: where typed text goes, and the field that cannot lie over the picture. */
import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Point, Rect } from '../geometry.ts';
import type { Size } from '../view.ts';

/** Screen pixels between the text and what stands beside it, and between that and the window. */
const gapPx = 8;

/** Screen pixels at the top and the bottom of the window that its bars take. */
const barsPx = 58;

/** Holds `children` beside `box`, both in screen pixels of the window. */
export function TextAside({
  box,
  window,
  children,
}: {
  box: Rect;
  window: Size;
  children?: ComponentChildren;
}): VNode {
  const asideRef = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current: element } = asideRef;
    if (element === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    if (width !== size.width || height !== size.height) setSize({ width, height });
  });
  const { x, y } = placeBeside(box, size, window);
  const transform = `translate(${x}px, ${y}px)`;
  return html`<div class="text-aside" ref=${asideRef} style=${{ transform }}>${children}</div>`;
}

/** The corner of what is `size` large: below the box or above it, inside the window and clear of its bars. */
export function placeBeside(box: Rect, size: Size, window: Size): Point {
  const below = box.y + box.height + gapPx;
  const above = box.y - gapPx - size.height;
  const lowest = window.height - barsPx - size.height;
  const isAbove = below > lowest && above >= barsPx;
  const y = isAbove ? Math.min(above, lowest) : Math.min(Math.max(below, barsPx), lowest);
  const x = Math.min(box.x, window.width - gapPx - size.width);
  return { x: Math.round(Math.max(gapPx, x)), y: Math.round(Math.max(gapPx, y)) };
}
