/** Resizes a box by a handle, with its moved edges snapped to layers, guides and the canvas. */
import { resizeBox } from '../geometry.ts';
import type { Box, Handle, Point, ResizeOptions } from '../geometry.ts';
import { snapResize } from './snapping.ts';
import type { Guide, SnapTargets } from './snapping.ts';

interface SnappedBox {
  to: Box;
  met: readonly Guide[];
}

/** The box after a drag by `delta`. Edges snap within `reach` design pixels; 0 disables snapping. */
export function resizeSnapped(
  box: Box,
  handle: Handle,
  delta: Point,
  options: ResizeOptions,
  targets: SnapTargets,
  reach: number,
): SnappedBox {
  const to = resizeBox(box, handle, delta, options);
  if (reach === 0) return { to, met: [] };
  const exactly = { ...options, isWhole: false };
  const free = resizeBox(box, handle, delta, exactly);
  const { shift, guides } = snapResize(free, handle, targets, reach);
  if (options.keepsRatio === true) {
    const [guide] = guides.toSorted((a, b) => Math.abs(shift[a.axis]) - Math.abs(shift[b.axis]));
    if (guide === undefined) return { to, met: [] };
    return { to: meetInRatio(box, handle, free, shift[guide.axis], guide, options), met: [guide] };
  }
  const snapped = resizeBox(box, handle, { x: delta.x + shift.x, y: delta.y + shift.y }, exactly);
  const isMet = (axis: 'x' | 'y'): boolean => guides.some((guide) => guide.axis === axis);
  const horizontal = isMet('x') ? snapped : to;
  const vertical = isMet('y') ? snapped : to;
  const sides = {
    x: horizontal.x,
    width: horizontal.width,
    y: vertical.y,
    height: vertical.height,
  };
  return { to: { ...box, ...sides }, met: guides };
}

/** The box whose edge meets a guide that is `shift` from that of `free`. The other side keeps the ratio. */
function meetInRatio(
  box: Box,
  handle: Handle,
  free: Box,
  shift: number,
  { axis }: Guide,
  options: ResizeOptions,
): Box {
  const gain = options.fromCenter === true ? 2 : 1;
  const { horizontal, vertical } = handle;
  const grown =
    axis === 'x'
      ? (free.width + horizontal * shift * gain) / box.width - 1
      : (free.height + vertical * shift * gain) / box.height - 1;
  const delta = {
    x: (horizontal * grown * box.width) / gain,
    y: (vertical * grown * box.height) / gain,
  };
  return resizeBox(box, handle, delta, options);
}
