/** The commands of the editor: keyboard actions, layers, and the properties that the inspector shows. */
import { focusCanvas } from '../canvas/gestures/keys.ts';
import { runLater } from '../later-part.tsx';
import { shortcuts } from '../shortcuts.ts';
import type { ShortcutTarget } from '../shortcuts.ts';
import { findLayer, flattenLayers, nameOf } from '../state/layers.ts';
import { addLabel, newLayerKinds } from '../panels/layers/new-layers.ts';
import type { Command } from './commands.ts';

interface CommandTarget extends ShortcutTarget {
  openShare: () => void;
}

/** Returns the commands for the current document. */
export function editorCommands(target: CommandTarget): Command[] {
  const { editor, openShare } = target;
  const actions = shortcuts.flatMap(({ label, keys, group, run }): Command[] =>
    run === undefined
      ? []
      : [{ id: label, kind: 'Action', name: label, keys, words: group, run: () => run(target) }],
  );
  const adding = newLayerKinds.map((kind): Command => ({
    id: `add ${kind}`,
    kind: 'Action',
    name: addLabel(kind),
    run: () =>
      runLater((code) => {
        code.addSelected(editor, kind);
        focusCanvas();
      }),
  }));
  const layers = flattenLayers(editor.document.value).map(({ layer }): Command => ({
    id: `layer ${layer.id}`,
    kind: 'Layer',
    name: nameOf(layer),
    words: `${layer.id} ${layer.type}`,
    run: () => {
      editor.selection.value = [layer.id];
      focusCanvas();
    },
  }));
  const { document, selection } = editor;
  const [image, ...others] = selection.value.map((id) => findLayer(document.value, id));
  const imageCommands: Command[] =
    image?.type === 'image' && others.length === 0
      ? [
          {
            id: 'background',
            kind: 'Action',
            name: 'Use as background',
            words: 'Image',
            run: () => runLater((code) => code.makeBackground(editor)),
          },
        ]
      : [];
  const words = 'link versions history statistics';
  const share = { id: 'share', kind: 'Action', name: 'Share', words, run: openShare } as const;
  const commands = [...actions, ...imageCommands, share, ...adding, ...layers];
  return [...commands, ...propertyCommands(), ...controlCommands()];
}

/** Controls around the canvas, each with the words by which people look for it beside its name. */
const controls: Readonly<Record<string, string>> = {
  '.tabs [role="tab"]': 'panel rename',
  '.canvas-bar button': 'tool align',
  '.size-bar button': 'size format animate time',
  '.p-panel-head button': 'icon layer variable',
  '.top-bar a': 'campaign list proof',
};

/** Commands for buttons and tabs that the editor shows: one presses its control. */
function controlCommands(): Command[] {
  return Object.entries(controls).flatMap(([selector, words]) =>
    [...document.querySelectorAll<HTMLElement>(selector)].map((control, index): Command => {
      const name = control.ariaLabel ?? control.textContent;
      const run = (): void => {
        control.focus();
        control.click();
      };
      return { id: `${selector} ${index}`, kind: 'Action', name, words, run };
    }),
  );
}

/** Commands for the inspector's properties: one focuses a property, another makes it dynamic. */
function propertyCommands(): Command[] {
  const rows = [...document.querySelectorAll('.p-inspector .p-row')];
  return rows.flatMap((row, index): Command[] => {
    const control = row.querySelector<HTMLElement>(':is(input, select, textarea, button)');
    const title = row.querySelector('label')?.textContent ?? '';
    const bind = row.querySelector<HTMLElement>('.p-bind');
    const section = row.closest('details')?.querySelector('summary')?.textContent ?? '';
    const shared = { kind: 'Property', words: section } as const;
    return [
      { ...shared, id: `property ${index}`, name: title, run: () => control?.focus() },
      ...(bind === null
        ? []
        : [
            { ...shared, id: `bind ${index}`, name: bind.ariaLabel ?? '', run: () => bind.click() },
          ]),
    ];
  });
}
