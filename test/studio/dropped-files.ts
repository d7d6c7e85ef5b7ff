/** Files that are dragged onto the canvas, as a browser reports those of another program. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';

export interface DraggedFile {
  name: string;
  type: string;
  bytes: number[];
}

/** An image of one colour. */
export async function imageFile(
  name: string,
  width: number,
  height: number,
  background: string,
): Promise<DraggedFile> {
  const image = sharp({ create: { width, height, channels: 3, background } });
  return { name, type: 'image/png', bytes: [...(await image.png().toBuffer())] };
}

/** Sends the events of a drag of a file over a point of the screen. */
export function dragFile(
  page: Page,
  events: ReadonlyArray<'dragover' | 'dragleave' | 'drop'>,
  [clientX, clientY]: readonly [number, number],
  file: DraggedFile,
): Promise<void> {
  return page.evaluate(
    ({ types, at, dragged }) => {
      const dataTransfer = new DataTransfer();
      const { name, type, bytes } = dragged;
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const options = { bubbles: true, cancelable: true, dataTransfer, ...at };
      for (const each of types) {
        document.querySelector('.canvas-window')?.dispatchEvent(new DragEvent(each, options));
      }
    },
    { types: events, at: { clientX, clientY }, dragged: file },
  );
}
