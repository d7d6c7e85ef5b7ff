/** The help sheet of the editor. */
import type { VNode } from 'preact';
import { Dialog } from './dialog.tsx';
import { searchLabel, shortcuts } from './shortcuts.ts';
import type { Shortcut } from './shortcuts.ts';
import { isAppleKeyboard, keyLabels } from './wording.ts';

/** Lists every shortcut of the table. */
export function HelpSheet({
  close,
  isEmbedded,
}: {
  close: () => void;
  isEmbedded: boolean;
}): VNode {
  // An embedded editor has no command palette, because that leads to other templates and pages.
  const shown = shortcuts.filter(({ label }) => !isEmbedded || label !== searchLabel);
  const groups = Map.groupBy(shown, ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" close={close} className="help">
      <div class="help-groups">
        {[...groups].map(([group, rows]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>{rows.map(row)}</dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function row({ keys, label }: Shortcut): VNode {
  const isApple = isAppleKeyboard();
  return (
    <div key={label}>
      <dt>{label}</dt>
      <dd>
        {keys.map((each, index) => (
          <>
            {index === 0 ? null : <span class="soft"> or </span>}
            {keyLabels(each, isApple).map((name) => (
              <kbd>{name}</kbd>
            ))}
          </>
        ))}
      </dd>
    </div>
  );
}
