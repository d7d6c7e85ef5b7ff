/** Warns if the first frame shows no layer that changes: some email clients show only the first frame. */
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import { itemBounds } from '../paint/bounds.ts';
import { overlap } from '../paint/geometry.ts';

/**
 * Returns a warning if the first frame shows none of the layers that only some frames show. Alternating layers cause no
 * warning, because the first frame shows one of them.
 */
export function firstFrameWarning(lists: readonly DisplayList[]): RenderWarning | undefined {
  const frames = lists.map((list) => new Set(visibleLayers(list.items, list)));
  const all = new Set(frames.flatMap((frame) => [...frame]));
  const changing = [...all].filter((layer) => !frames.every((frame) => frame.has(layer)));
  const [layer] = changing;
  if (layer === undefined || changing.some((each) => frames[0]?.has(each))) return undefined;
  const others =
    changing.length === 1 ? '' : `, nor ${changing.length - 1} others that appear later`;
  return {
    code: 'FIRST_FRAME_EMPTY',
    layer,
    detail: `the first frame of the animation does not show it${others}; some email clients show the first frame alone`,
  };
}

function* visibleLayers(items: readonly DisplayItem[], canvas: DisplayList): Generator<string> {
  const { width, height } = canvas;
  const area: Rect = { x: 0, y: 0, width, height };
  for (const item of items) {
    if (item.opacity === 0 || !overlap(itemBounds(item), area)) continue;
    const { content } = item;
    if (content.kind === 'group') yield* visibleLayers(content.items, canvas);
    else if (!isEmptyText(item)) yield item.layer;
  }
}

function isEmptyText({ content }: DisplayItem): boolean {
  if (content.kind === 'text') return content.runs.length === 0;
  return content.kind === 'path-text' && content.glyphs.length === 0;
}
