/** Clipboard of an open text: copies words, and pastes layers, styled parts or words. */
import type { TextSpan } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { pasteLayers } from '../clipboard.ts';
import { hasStyles, partsOfHtml } from '../paste-text.ts';
import type { TextRange } from './span-style.ts';

export interface PasteTarget {
  editor: Editor;
  /** Ends the edit. The keys of the canvas then act on the layer. */
  finish: () => void;
  /** Inserts styled parts. False, without a change, if the text cannot have them. */
  paste: (range: TextRange, parts: readonly TextSpan[]) => boolean;
}

/**
 * Pastes copied layers onto the canvas, which ends the edit, or styled parts at a range of the text. Otherwise returns
 * the words, which the field inserts.
 */
export function pasteInText(
  event: ClipboardEvent,
  range: TextRange,
  { editor, finish, paste }: PasteTarget,
): string | undefined {
  const { clipboardData } = event;
  const read = (type: string): string => clipboardData?.getData(type) ?? '';
  const text = read('text/plain').replaceAll(/\r\n?/g, '\n');
  if (pasteLayers(editor, text)) {
    event.preventDefault();
    finish();
    return undefined;
  }
  const parts = withOuterSpaces(partsOfHtml(read('text/html')), text);
  if (hasStyles(parts) && paste(range, parts)) {
    event.preventDefault();
    return undefined;
  }
  // Some programs copy only HTML.
  return text === '' ? parts.map((part) => part.text).join('') : text;
}

/** Parts with the spaces around the words, which HTML does not keep. */
function withOuterSpaces(parts: TextSpan[], text: string): TextSpan[] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return parts;
  first.text = (/^ */.exec(text)?.[0] ?? '') + first.text;
  last.text += / *$/.exec(text)?.[0] ?? '';
  return parts;
}

/**
 * Copies the selected words, without the HTML of the browser, which has the transparent letters and fonts of the field,
 * and without capitals of the look. False if nothing is selected.
 */
export function copyWords(event: ClipboardEvent): boolean {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed) return false;
  event.preventDefault();
  event.clipboardData?.setData('text/plain', selection.getRangeAt(0).toString());
  return true;
}
