/** What comes to the studio from other programs, as a browser reports it: dragged files, and what is pasted. */
import type { Page } from 'playwright-core';
import { plainImage } from '../e2e/image-bytes.ts';

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
  return { name, type: 'image/png', bytes: [...(await plainImage(background, width, height))] };
}

/** Sends the events of a drag of files over a point of the screen. */
export function dragFile(
  page: Page,
  events: ReadonlyArray<'dragover' | 'dragleave' | 'drop'>,
  [clientX, clientY]: readonly [number, number],
  ...files: DraggedFile[]
): Promise<void> {
  return page.evaluate(
    ({ types, at, dragged }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, type, bytes } of dragged)
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const options = { bubbles: true, cancelable: true, dataTransfer, ...at };
      for (const each of types) {
        document.querySelector('.canvas-window')?.dispatchEvent(new DragEvent(each, options));
      }
    },
    { types: events, at: { clientX, clientY }, dragged: files },
  );
}

/** Pastes texts, by their MIME types, or a file into an element; false if the page handles it. */
export function pasteInto(
  page: Page,
  selector: string,
  texts: Readonly<Record<string, string>>,
  file?: DraggedFile,
): Promise<boolean> {
  return page.locator(selector).evaluate(
    (element, pasted) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(pasted.texts)) clipboardData.setData(type, text);
      for (const { name, type, bytes } of pasted.files)
        clipboardData.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const options = { bubbles: true, cancelable: true, clipboardData };
      return element.dispatchEvent(new ClipboardEvent('paste', options));
    },
    { texts, files: file === undefined ? [] : [file] },
  );
}
