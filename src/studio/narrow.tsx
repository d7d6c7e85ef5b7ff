/** The editor on a narrow screen: the image, its values, publishing and sharing; editing needs a larger one. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { animationOf } from '#language/animation/frames.ts';
import { SizeSelect } from './canvas/size-bar.tsx';
import { later } from './later-part.tsx';
import { VariableSample } from './panels/variables/sample.tsx';
import type { Editor } from './state/editor.ts';
import { ProblemBar, QuarantineBar } from './top-bar.tsx';

/** Matches windows that are too narrow for panels beside the canvas. */
const narrowQuery = '(max-width: 840px)';

/** Whether the window is narrow now. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => globalThis.matchMedia(narrowQuery).matches);
  useEffect(() => {
    const query = globalThis.matchMedia(narrowQuery);
    const update = (): void => setNarrow(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isNarrow;
}

const PlayButton = later((code) => code.PlayButton);

/** The newest image, and a field for each variable. */
export function NarrowEditor({ editor }: { editor: Editor }): VNode {
  const { name, variables } = editor.document.value;
  const hasSizes = editor.whole.value.sizes !== undefined;
  const url = editor.frame.value?.url;
  return (
    <main class="narrow-editor" aria-label="Preview">
      <QuarantineBar editor={editor} />
      <ProblemBar editor={editor} />
      <p class="narrow-note">
        Editing wants a larger screen. Here you can try values, publish and share.
      </p>
      <div class="narrow-image" aria-busy={url === undefined}>
        {url !== undefined && <img src={url} alt={`Preview of ${name}`} />}
      </div>
      {hasSizes && <SizeSelect editor={editor} />}
      {animationOf(editor.document.value) === undefined ? null : <PlayButton editor={editor} />}
      {variables.length > 0 && <h2>Values</h2>}
      {variables.map((variable) => (
        <section key={variable.name} aria-label={variable.name}>
          <h3>{variable.name}</h3>
          <VariableSample editor={editor} variable={variable} isAlone />
        </section>
      ))}
    </main>
  );
}
