/** The help sheet: every shortcut of the table. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Dialog } from './dialog.ts';
import { isAppleKeyboard, keyLabels } from './key-names.ts';
import { shortcuts } from './shortcuts.ts';
import type { Shortcut } from './shortcuts.ts';

/** Shows all shortcuts by group. */
export function HelpSheet({ close }: { close: () => void }): VNode {
  const groups = Map.groupBy(shortcuts, ({ group }) => group);
  return html`<${Dialog} title="Keyboard shortcuts" close=${close} className="help">
    <div class="help-groups">
      ${[...groups].map(
        ([group, rows]) =>
          html`<section key=${group}>
            <h3>${group}</h3>
            <dl>${rows.map(row)}</dl>
          </section>`,
      )}
    </div>
  <//>`;
}

function row({ keys, label }: Shortcut): VNode {
  const isApple = isAppleKeyboard();
  return html`<div key=${label}>
    <dt>${label}</dt>
    <dd>
      ${keys.map(
        (each, index) =>
          html`${index === 0 ? null : html`<span class="soft"> or </span>`}${keyLabels(
            each,
            isApple,
          ).map((name) => html`<kbd>${name}</kbd>`)}`,
      )}
    </dd>
  </div>`;
}
