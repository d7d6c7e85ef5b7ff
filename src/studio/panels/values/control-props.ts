/** Properties of the control for one value. */
import type { ListField, ScalarVariable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';

export interface ValueControl {
  editor: Editor;
  id: string;
  label: string;
  /** The label of the time of a date; by default `Time of` and the name of the variable. */
  timeLabel?: string;
  variable: ScalarVariable | ListField;
  value: unknown;
  placeholder: string;
  change: (value: string) => void;
  isInvalid?: boolean;
  /** Returns the limit that a typed text exceeds, as a sentence. The field keeps such a text, and changes nothing. */
  limit?: (typed: string) => string | undefined;
}
