/** How large a display list is in device pixels. */
import type { DisplayList } from '../display-list.ts';

/** Size of the whole picture in device pixels. */
export function pictureSize(
  list: DisplayList,
  scale: number,
): { widthPx: number; heightPx: number } {
  return { widthPx: Math.round(list.width * scale), heightPx: Math.round(list.height * scale) };
}
