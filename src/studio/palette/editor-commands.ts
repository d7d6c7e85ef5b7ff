/** The commands of the editor: the actions of the keyboard, and the layers. */
import { shortcuts } from '../shortcuts.ts';
import type { ShortcutTarget } from '../shortcuts.ts';
import { flattenLayers, nameOf } from '../state/layers.ts';
import { addLabel, addSelected, newLayerKinds } from '../panels/layers/new-layers.ts';
import type { Command } from './commands.ts';

/** What commands act on. */
interface CommandTarget extends ShortcutTarget {
  openShare: () => void;
}

/** Those of the document as it is now. */
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
    run: () => {
      addSelected(editor, kind);
      // Keys of the canvas go on with the new layer.
      document.querySelector<HTMLElement>('.canvas-window')?.focus();
    },
  }));
  const layers = flattenLayers(editor.document.value).map(({ layer }): Command => ({
    id: `layer ${layer.id}`,
    kind: 'Layer',
    name: nameOf(layer),
    words: `${layer.id} ${layer.type}`,
    run: () => {
      editor.selection.value = [layer.id];
    },
  }));
  const share = { id: 'share', kind: 'Action', name: 'Share', run: openShare } as const;
  return [...actions, share, ...adding, ...layers];
}
