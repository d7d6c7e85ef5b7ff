/** The left side of the editor: layers, variables or comments. */
import type { VNode } from 'preact';
import { commentsOf, hasComments, sideTabs } from './comments/comments.ts';
import { NotLoaded, useCode } from './lazy-code.tsx';
import { LayersPanel } from './panels/layers/panel.tsx';
import { VariablesPanel } from './panels/variables/panel.tsx';
import type { Editor } from './state/editor.ts';

export function LeftSide({ editor }: { editor: Editor }): VNode {
  const { tab: shown, open } = commentsOf(editor);
  const tabs = sideTabs.filter((name) => name !== 'Comments' || hasComments(editor));
  const count = [...open.value.values()].reduce((sum, each) => sum + each, 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const step = event.key === 'ArrowLeft' ? -1 : 1;
    const next = tabs.at((tabs.indexOf(shown.value) + step) % tabs.length);
    shown.value = next ?? 'Layers';
    document.getElementById(`tab-${shown.value}`)?.focus();
    event.stopPropagation();
  };
  return (
    <aside class="side left" aria-label="Layers, variables and comments">
      <div class="tabs" role="tablist" aria-label="What the left side shows" onKeyDown={onKeyDown}>
        {tabs.map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`tab-${name}`}
            aria-selected={shown.value === name}
            aria-controls="side-panel"
            tabindex={shown.value === name ? 0 : -1}
            onClick={() => {
              shown.value = name;
            }}
          >
            {name}
            {name === 'Comments' && count > 0 ? <span class="tab-count"> {count}</span> : null}
          </button>
        ))}
      </div>
      <div
        class="side-panel"
        id="side-panel"
        role="tabpanel"
        aria-labelledby={`tab-${shown.value}`}
      >
        <Panel editor={editor} name={shown.value} />
      </div>
    </aside>
  );
}

function Panel({ editor, name }: { editor: Editor; name: (typeof sideTabs)[number] }): VNode {
  if (name === 'Layers') return <LayersPanel editor={editor} />;
  if (name === 'Variables') return <VariablesPanel editor={editor} />;
  return <LazyComments editor={editor} />;
}

const loadComments = (): Promise<typeof import('./later.tsx')> => import('./later.tsx');

function LazyComments({ editor }: { editor: Editor }): VNode {
  const code = useCode(loadComments);
  if (code === 'failed') return <NotLoaded />;
  return code === undefined ? <p aria-busy="true" /> : <code.CommentsPanel editor={editor} />;
}
