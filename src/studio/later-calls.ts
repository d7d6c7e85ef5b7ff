/** Calls functions of `later.tsx` from modules that it imports itself, and that therefore cannot import it. */
import type { Editor } from './state/editor.ts';
import type { makeBackground } from './state/background.ts';
import type { Point } from './canvas/geometry.ts';
import type { TextCaret } from './panels/caret/text-caret.ts';
import type { ConditionsField } from './panels/conditions/conditions-field.tsx';
import type { RecordField } from './panels/fields/record.tsx';
import type { LineControl } from './panels/values/line-control.tsx';
import type { drawCarried } from './canvas/stage/carried-images.ts';
import type { addAddress, addFiles } from './canvas/gestures/add-images.ts';

export interface LaterFunctions {
  addAddress: typeof addAddress;
  addFiles: typeof addFiles;
  ConditionsField: typeof ConditionsField;
  drawCarried: typeof drawCarried;
  LineControl: typeof LineControl;
  makeBackground: typeof makeBackground;
  RecordField: typeof RecordField;
  TextCaret: typeof TextCaret;
  pasteClipboard: (editor: Editor, at?: Point) => Promise<void>;
}

/** `later-part.tsx` sets `run`, which loads the code and notifies of a failure. */
export const laterCalls: { run?: (call: (code: LaterFunctions) => unknown) => void } = {};
