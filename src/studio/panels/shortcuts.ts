/** The keys and presses that the panels answer themselves: rows for the studio's table of shortcuts. */

/** A row of the table, as `Shortcut` of the studio wants it. */
export interface PanelShortcut {
  group: 'Edit' | 'Arrange';
  label: string;
  keys: readonly string[];
}

/** In the order of the help sheet. */
export const panelShortcuts: readonly PanelShortcut[] = [
  { group: 'Edit', label: 'Rename, in the list of layers', keys: ['F2'] },
  {
    group: 'Arrange',
    label: 'Order, in the list of layers',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown'],
  },
  {
    group: 'Arrange',
    label: 'Out of a group, into the one below',
    keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'],
  },
];
