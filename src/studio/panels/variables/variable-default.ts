/** The default of a variable: changes it, and converts the value of a property to one. */
import type { Template, VariableType } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';

/** Changes the default of a variable that is no list, in one undo step; `gesture` as for `Editor.change`. */
export function changeDefault(editor: Editor, name: string, value: string, gesture?: string): void {
  const recipe = (draft: Template): void => {
    const stored = draft.variables.find((each) => each.name === name);
    if (stored !== undefined && stored.type !== 'list') stored.value = value;
  };
  editor.changeWhole('Change default', recipe, gesture);
}

/** Converts a value to a default of `type`. A value that does not fit becomes 0, false, black or an empty text. */
export function defaultOf(type: VariableType, value: unknown): string {
  if (type === 'color') return colorOf(value);
  if (type === 'number') return typeof value === 'number' ? String(value) : '0';
  if (type === 'boolean') return String(value === true);
  return typeof value === 'string' ? value : '';
}

/** Returns a colour, or the first colour of a gradient; black for other values. */
function colorOf(fill: unknown): string {
  if (typeof fill === 'string' && fill.startsWith('#')) return fill;
  const stops = (fill as { stops?: Array<{ color?: unknown }> } | undefined)?.stops ?? [];
  const color = stops.map((stop) => stop.color).find((each) => typeof each === 'string');
  return typeof color === 'string' && color.startsWith('#') ? color : '#000000';
}
