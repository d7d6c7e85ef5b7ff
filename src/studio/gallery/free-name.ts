/** Chooses the names of copies. */
import { nameLengthMax } from './new-documents.ts';

/** Returns the name, or the name with the next free number if a template has it: `Welcome banner 2`. */
export function freeName(name: string, templates: ReadonlyArray<{ name: string }>): string {
  const taken = new Set(templates.map((template) => template.name));
  const root = name.replace(/ \d+$/, '');
  const base = (taken.has(root) ? root : name).slice(0, nameLengthMax - 4);
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${base} ${number}`;
  return free;
}
