/** What stands beside a layer, inside the window and clear of its bars: the tools of a text, and those of a list. */
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeBeside, toScreen } from '../canvas-state.ts';
import type { Size, View } from '../canvas-state.ts';
import { boundsOf } from '../geometry.ts';
import type { Rect } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';

interface BesideProps {
  className: string;
  /** Screen pixels of the window. */
  box: Rect;
  window: Size;
  /** Screen pixels from the box. */
  gapPx?: number;
  children?: ComponentChildren;
}

export function Beside({ className, box, window, gapPx, children }: BesideProps): VNode {
  const reference = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current: element } = reference;
    if (element === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    if (width !== size.width || height !== size.height) setSize({ width, height });
  });
  const { x, y } = placeBeside(box, size, window, gapPx);
  return (
    <div class={className} ref={reference} style={{ transform: `translate(${x}px, ${y}px)` }}>
      {children}
    </div>
  );
}

/** What the layer takes of the window, turned or not. */
export function screenBounds({ seen }: LayerGeometry, view: View): Rect {
  const bounds = boundsOf([seen]) ?? seen;
  const { zoom } = view;
  return { ...toScreen(view, bounds), width: bounds.width * zoom, height: bounds.height * zoom };
}
