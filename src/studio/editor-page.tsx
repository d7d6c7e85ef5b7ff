/** One template in the editor: loads it, lays its parts out, and answers the keyboard. */
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { animationOf } from '#language/animation/frames.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { Canvas } from './canvas/canvas.tsx';
import { SizeBar } from './canvas/size-bar.tsx';
import { TimeBar } from './canvas/time-bar.tsx';
import { Inspector } from './panels/inspector.tsx';
import { LeftSide } from './left-side.tsx';
import { later } from './later-part.tsx';
import { NotLoaded, useCode } from './lazy-code.tsx';
import type { PublishDialogProps } from './publish/publish-dialog.tsx';
import { mayPublish, QuarantineBar, TopBar } from './top-bar.tsx';
import { galleryHash } from './session.tsx';
import { NarrowEditor, useIsNarrow } from './narrow.tsx';
import { offerCommands } from './palette/commands.ts';
import { editorCommands } from './palette/editor-commands.ts';
import { SampleStrip } from './samples/sample-strip.tsx';
import { runShortcut, searchLabel, shortcuts } from './shortcuts.ts';
import { failureWords } from './problem-words.ts';
import { loadEditor } from './state/editor.ts';
import type { Editor } from './state/editor.ts';
import { explainError, statusOf, isAppleKeyboard, keyLabels } from './wording.ts';
import type { Service } from './state/service.ts';
import { Dialog } from './dialog.tsx';
import type { Shortcut } from './shortcuts.ts';

type Loaded = { editor: Editor } | { problem: string } | undefined;

interface EditorPageProps {
  service: Service;
  uid: string;
  /** Called when the template is open; what it returns, when it is left. */
  onOpen?: ((editor: Editor) => () => void) | undefined;
}

/** Opens template `uid`; what is not saved when it is left is saved then. */
export function EditorPage({ service, uid, onOpen }: EditorPageProps): VNode {
  const loaded = useSignal<Loaded>(undefined);
  useEffect(() => openEditor(service, uid, loaded), []);
  const current = loaded.value;
  if (current === undefined) return <main class="waiting" aria-busy="true" />;
  if ('problem' in current) {
    return (
      <main class="failed">
        <h1>This template cannot be opened</h1>
        <p>{current.problem}</p>
        {service.embed === undefined && (
          <p>
            <a class="button" href={galleryHash}>
              All templates
            </a>
          </p>
        )}
      </main>
    );
  }
  return <Workbench editor={current.editor} onOpen={onOpen} />;
}

/** Returns what ends it. */
function openEditor(service: Service, uid: string, loaded: Signal<Loaded>): () => void {
  let isGone = false;
  const open = async (): Promise<void> => {
    const result = await tryLoad(service, uid);
    if (!isGone) loaded.value = result;
    else if ('editor' in result) result.editor.close();
  };
  void open();
  return () => {
    isGone = true;
    const current = loaded.value;
    if (current === undefined || 'problem' in current) return;
    const { editor } = current;
    void editor.save().finally(() => editor.close());
  };
}

async function tryLoad(service: Service, uid: string): Promise<NonNullable<Loaded>> {
  try {
    return { editor: await loadEditor(service, uid) };
  } catch (error) {
    if (statusOf(error) !== 404) return { problem: explainError(error) };
    return { problem: `This organization has no template “${uid}”. It may have been archived.` };
  }
}

type Sheet = 'help' | 'publish' | 'share' | undefined;

function Workbench({
  editor,
  onOpen,
}: { editor: Editor } & Pick<EditorPageProps, 'onOpen'>): VNode {
  const sheet = useSignal<Sheet>(undefined);
  const open = (name: Sheet) => () => {
    sheet.value = name;
  };
  const close = open(undefined);
  const isNarrow = useIsNarrow();
  const target = {
    editor,
    openHelp: open('help'),
    openPublish: mayPublish(editor) ? open('publish') : () => undefined,
    openShare: open('share'),
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      runShortcut(event, target);
    };
    globalThis.addEventListener('keydown', onKeyDown);
    globalThis.addEventListener('beforeunload', guard);
    return () => {
      globalThis.removeEventListener('keydown', onKeyDown);
      globalThis.removeEventListener('beforeunload', guard);
    };
  }, []);
  /** A tab that closes within the pause of the autosave would lose its last words. */
  const guard = (event: BeforeUnloadEvent): void => {
    if (editor.saveState.value === 'saved') return;
    void editor.save();
    event.preventDefault();
  };
  useEffect(() => onOpen?.(editor), []);
  useEffect(() => offerCommands(() => editorCommands(target)), []);
  const { name } = editor.document.value;
  useEffect(() => {
    document.title = `${name} – Platen Studio`;
    return () => {
      document.title = 'Platen Studio';
    };
  }, [name]);
  return (
    <div class={isNarrow ? 'workbench narrow' : 'workbench'}>
      <TopBar {...target} />
      {isNarrow ? <NarrowEditor editor={editor} /> : <WideEditor editor={editor} />}
      {sheet.value === 'help' ? (
        <HelpSheet close={close} isEmbedded={editor.service.embed !== undefined} />
      ) : null}
      {sheet.value === 'publish' || sheet.value === 'share' ? (
        <Publishing
          key={sheet.value}
          editor={editor}
          first={sheet.value === 'share' ? 'link' : 'changes'}
          close={close}
        />
      ) : null}
      {editor.saveState.value === 'conflict' ? <ConflictDialog editor={editor} /> : null}
    </div>
  );
}

/** The panels beside the canvas. */
function WideEditor({ editor }: { editor: Editor }): VNode {
  const type = animationOf(editor.document.value)?.type;
  return (
    <>
      <LeftSide editor={editor} />
      <main class="centre" aria-label="Canvas">
        <QuarantineBar editor={editor} />
        <SizeBar editor={editor} />
        <TimeBar editor={editor} />
        {type === 'countdown' ? <AnimationBar editor={editor} /> : null}
        <Canvas editor={editor} />
        {type === 'motion' || type === 'values' ? <Timeline editor={editor} /> : null}
        <ProblemBar editor={editor} />
        <SampleStrip editor={editor} />
      </main>
      <aside class="side right" aria-label="Properties">
        <Inspector editor={editor} />
      </aside>
    </>
  );
}

const Timeline = later((code) => code.Timeline);
const AnimationBar = later((code) => code.AnimationBar);

const loadPublishing = () => import('./later.tsx');

function Publishing(props: PublishDialogProps): VNode | null {
  const code = useCode(loadPublishing);
  if (code === undefined) return null;
  if (code !== 'failed') return <code.PublishDialog {...props} />;
  return (
    <Dialog title="Publish" close={props.close}>
      <NotLoaded />
    </Dialog>
  );
}

/** What the service does not draw or does not save, and why; the newest good image stays above it. */
function ProblemBar({ editor }: { editor: Editor }): VNode | null {
  const { canUndo, refusal, frameError, retryFrame } = editor;
  const problem = refusal.value ?? frameError.value;
  if (problem === undefined) return null;
  // Nothing that was done is the cause of an outage.
  const retry = refusal.value === undefined ? retryFrame.value : undefined;
  return (
    <div class="problem-bar" role="alert">
      <p>{failureWords(problem, editor.document.value)}</p>
      {retry === undefined ? (
        canUndo.value && (
          <button type="button" onClick={() => editor.undo()}>
            Undo
          </button>
        )
      ) : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

// The help sheet: every shortcut of the table.

/** Shows all shortcuts by group. */
function HelpSheet({ close, isEmbedded }: { close: () => void; isEmbedded: boolean }): VNode {
  // A frame has no command palette, which leads to other templates and pages.
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
