/** The paste of a menu, which reads the clipboard without an event of the browser. */
import type { Editor } from '../../state/editor.ts';
import { canvasOf } from '../canvas-state.ts';
import { lastCopied } from '../clipboard.ts';
import type { Point } from '../geometry.ts';
import { pasteClip, takeFiles } from './paste.ts';

/**
 * Pastes the clipboard at a point, or in sight. Pastes the last copy of this tab if the page may not read the
 * clipboard.
 */
export async function pasteClipboard(editor: Editor, at?: Point): Promise<void> {
  const { image, text = lastCopied(), html } = await readClipboard();
  const state = canvasOf(editor);
  if (image === undefined || state === undefined) pasteClip(editor, text, { html, at });
  else takeFiles(state, [image], at);
}

/** Empty if the user refuses, the page has no TLS, or the browser has no such function. */
async function readClipboard(): Promise<{ image?: File; text?: string; html?: string }> {
  try {
    const [item] = await navigator.clipboard.read();
    const types = item?.types ?? [];
    const blobOf = async (type: string): Promise<Blob> =>
      types.includes(type) && item !== undefined ? item.getType(type) : new Blob();
    const imageType = types.find((type) => type.startsWith('image/'));
    if (imageType !== undefined) {
      const image = new File([await blobOf(imageType)], 'Image', { type: imageType });
      return { image };
    }
    const [text, html] = await Promise.all(
      ['text/plain', 'text/html'].map(async (type) => (await blobOf(type)).text()),
    );
    return { text: text ?? '', html: html ?? '' };
  } catch {
    return {};
  }
}
