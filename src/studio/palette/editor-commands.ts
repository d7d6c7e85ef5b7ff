/** The commands of the editor: keyboard actions, menus, layers, variables, and the controls that the editor shows. */
import { focusCanvas } from '../panels/parts.ts';
import { layerMenu } from '../canvas/tools/menu-items.ts';
import { commentsOf, hasComments } from '../comments/comments.ts';
import { addSelected } from '../panels/layers/add-layers.ts';
import { addLabel, newLayerKinds } from '../panels/layers/new-layers.ts';
import { shortcuts } from '../shortcuts.ts';
import type { Editor } from '../state/editor.ts';
import { flattenLayers, nameOf } from '../state/layers.ts';
import { notify } from '../wording.ts';
import { synonyms } from './synonyms.ts';
import type { Command, CommandTarget } from './commands.ts';

/** Returns the commands for the current document. */
export function editorCommands(target: CommandTarget): Command[] {
  const { openShare, openIcons, editor } = target;
  const words =
    'link versions history rollback restore statistics html qr code embed email dark mode copy export download png access signed';
  return [
    ...shortcutCommands(target),
    ...menuCommands(editor),
    ...unselectedCommands(editor),
    { id: 'share', kind: 'Action', name: 'Share', words, run: openShare },
    ...newLayerKinds.map((kind): Command => {
      const run = (): void => {
        addSelected(editor, kind);
        focusCanvas();
      };
      const name = addLabel(kind);
      return { id: `add ${kind}`, kind: 'Action', name, words: synonyms[name] ?? '', run };
    }),
    { id: 'add icon', kind: 'Action', name: 'Add icon', words: 'insert library', run: openIcons },
    ...layerCommands(editor),
    ...variableCommands(editor),
    ...sizeCommands(editor),
    ...propertyCommands(),
    ...controlCommands(),
  ];
}

function shortcutCommands(target: CommandTarget): Command[] {
  return shortcuts.flatMap(({ label, keys, group, run, movesFocus }): Command[] => {
    if (run === undefined || movesFocus === true) return [];
    const words = `${group} ${synonyms[label] ?? ''}`;
    return [{ id: label, kind: 'Action', name: label, keys, words, run: () => run(target) }];
  });
}

/** Labels of menu items that a shortcut runs under another label. */
const renamedItems = ['Lock', 'Unlock', 'Hide', 'Show'];

/** Items of the menu of layers that no shortcut runs. */
function menuCommands(editor: Editor): Command[] {
  const run = shortcuts.filter((shortcut) => shortcut.run !== undefined);
  const known = new Set([...renamedItems, ...run.map(({ label }) => label)]);
  return layerMenu(editor)
    .flat()
    .filter(({ label }) => !known.has(label))
    .flatMap(({ label, keys, isOff, run: press }): Command[] => {
      const act = isOff === true ? insteadOf(editor, label) : press;
      if (act === undefined) return [];
      const words = synonyms[label] ?? '';
      const command = {
        id: `menu ${label}`,
        kind: 'Action',
        name: label,
        words,
        run: act,
      } as const;
      return [keys === undefined ? command : { ...command, keys: [keys] }];
    });
}

/** The action in place of a menu item that is off; undefined if the palette does not offer the item. */
function insteadOf(editor: Editor, label: string): (() => void) | undefined {
  if (label === 'Animate') {
    const isOne = editor.selection.value.length === 1;
    const why = isOne ? 'This layer cannot be animated here.' : 'Select one layer to animate it.';
    return () => void notify(why);
  }
  if (label !== 'Comment' || !hasComments(editor)) return undefined;
  // The panel asks for a layer, and shows the comments of all layers.
  return () => (commentsOf(editor).tab.value = 'Comments');
}

/** Properties by which people search before they select a layer, and what each command then says. */
const ofSelected: Readonly<Record<string, string>> = {
  Rotation: 'Select a layer to rotate it.',
  Align: 'Select a layer to align it, or a text to align its lines.',
  Shadow: 'Select a layer to give it a shadow.',
  'Font family': 'Select a text to change its font.',
  Source: 'Select an image to replace it.',
  'Crop the image': 'Select an image to crop it.',
};

/** Commands that ask for a selection while there is none. */
function unselectedCommands({ selection }: Editor): Command[] {
  if (selection.value.length > 0) return [];
  return Object.entries(ofSelected).map(([name, why]): Command => {
    const run = (): void => void notify(why);
    return { id: `of selected ${name}`, kind: 'Property', name, words: synonyms[name] ?? '', run };
  });
}

function layerCommands(editor: Editor): Command[] {
  return flattenLayers(editor.document.value).map(({ layer }): Command => {
    const run = (): void => {
      editor.selection.value = [layer.id];
      focusCanvas();
    };
    const words = `${layer.id} ${layer.type}`;
    const name = nameOf(layer);
    return { id: `layer ${layer.id}`, kind: 'Layer', name, detail: layer.id, words, run };
  });
}

/** Shows the variables, and presses a control there. */
function pressInVariables(editor: Editor, selector: string): void {
  commentsOf(editor).tab.value = 'Variables';
  requestAnimationFrame(() => {
    const control = document.querySelector<HTMLElement>(`.p-variables ${selector}`);
    control?.focus();
    if (control?.ariaExpanded !== 'true') control?.click();
  });
}

function variableCommands(editor: Editor): Command[] {
  const commands = editor.document.value.variables.map(({ name, type }): Command => {
    const run = (): void => pressInVariables(editor, `[data-variable="${name}"] button`);
    return { id: `variable ${name}`, kind: 'Variable', name, words: type, run };
  });
  const add = (): void => pressInVariables(editor, '.p-add');
  return [...commands, { id: 'add variable', kind: 'Action', name: 'Add variable', run: add }];
}

function sizeCommands(editor: Editor): Command[] {
  const { sizes = [] } = editor.whole.value;
  const names = sizes.length === 0 ? [] : [undefined, ...sizes.map(({ name }) => name)];
  return names.map((name): Command => {
    const run = (): void => {
      editor.endGesture();
      editor.size.value = name;
    };
    return { id: `size ${name ?? ''}`, kind: 'Action', name: `Show size ${name ?? 'Base'}`, run };
  });
}

/** Selectors of controls: the words by which people look for them beside their name, and what precedes the name. */
const controls: Readonly<Record<string, readonly [words: string, before?: string]>> = {
  '.tabs [role="tab"]': ['panel'],
  '.tool-bar button': ['draw', 'Tool: '],
  '.canvas-bar:not(.zoom-bar, .tool-bar, .empty-canvas) button': ['align'],
  '.size-bar button': ['size format time clock'],
  '.timeline button:not(.timeline-name)': ['animation'],
  '.p-layers .p-panel-head button': ['layer'],
  '.top-bar a': ['list proof gallery'],
  '.name-field': ['rename title'],
  '.values-note': ['reset values default'],
  '.samples-save': ['sample data preset'],
  '.preset-pick': ['preview values preset', 'Sample data: '],
  '.p-inspector summary': ['section settings', 'Properties: '],
  '.p-inspector button:not(.p-row button)': ['property'],
};

/** Commands for controls that the editor shows: each presses its control. */
function controlCommands(): Command[] {
  return Object.entries(controls).flatMap(([selector, [words, before = '']]) =>
    [...document.querySelectorAll<HTMLElement>(selector)].flatMap((control, index): Command[] => {
      if (control.matches(':disabled')) return [];
      const name = before + (control.ariaLabel ?? control.textContent).trim();
      const run = (): void => {
        control.focus();
        // An open section stays open.
        if (!control.matches('[open] > summary')) control.click();
        // Enter then uses the tool.
        if (control.matches('.tool-bar *')) focusCanvas();
      };
      const more = `${words} ${synonyms[name] ?? ''}`;
      return [{ id: `${selector} ${index}`, kind: 'Action', name, words: more, run }];
    }),
  );
}

/** Commands for the inspector's properties: one focuses a property, another makes it dynamic. */
function propertyCommands(): Command[] {
  const rows = [...document.querySelectorAll('.p-inspector :is(.p-row, .p-structured)')];
  const found = rows.map((row, index): [property: Command, bind: Command | undefined] => {
    const control = row.querySelector<HTMLElement>(':is(input, select, textarea, button)');
    const title = row.querySelector('label, .p-head-label')?.textContent ?? '';
    const name = longLabels[title] ?? title;
    const bind = row.querySelector<HTMLElement>('.p-bind');
    const section = row.closest('details')?.querySelector('summary')?.textContent ?? '';
    const around = row.parentElement?.closest('.p-structured');
    const group = around?.querySelector('.p-head-label')?.textContent ?? '';
    const detail = group === '' ? section : group;
    const words = `${section} ${group} ${synonyms[name] ?? ''}`;
    const shared = { kind: 'Property', detail } as const;
    return [
      { ...shared, id: `property ${index}`, name, words, run: () => control?.focus() },
      bind === null
        ? undefined
        : {
            ...shared,
            id: `bind ${index}`,
            name: bind.ariaLabel ?? '',
            words: `${section} ${group} variable`,
            run: () => bind.click(),
          },
    ];
  });
  const properties = found.map(([property]) => property);
  return [...properties, ...found.flatMap(([, bind]) => bind ?? [])];
}

/** Labels of fields that are shown side by side, in full. */
const longLabels: Readonly<Record<string, string>> = {
  X: 'X position',
  Y: 'Y position',
  W: 'Width',
  H: 'Height',
};
