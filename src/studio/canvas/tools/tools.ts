/** The tools of the canvas, and the keys that choose them. */
import { isAppleKeyboard, matchesKeys } from '../../wording.ts';
import type { KeyPress } from '../../wording.ts';
import type { Tool } from '../canvas-state.ts';

/** A tool, with the name of its icon. */
export interface ToolEntry {
  tool: Tool;
  name: string;
  key: string;
}

/** In the order of the bar. */
export const tools: readonly ToolEntry[] = [
  { tool: 'select', name: 'Select', key: 'V' },
  { tool: 'hand', name: 'Move the view', key: 'H' },
  { tool: 'text', name: 'Text', key: 'T' },
  { tool: 'rect', name: 'Rectangle', key: 'R' },
  { tool: 'ellipse', name: 'Ellipse', key: 'O' },
  { tool: 'line', name: 'Line', key: 'L' },
  { tool: 'image', name: 'Image', key: 'K' },
];

/** The tool that a key press chooses. */
export function toolOf(press: KeyPress): Tool | undefined {
  const isApple = isAppleKeyboard();
  return tools.find(({ key }) => matchesKeys(press, key, isApple))?.tool;
}
