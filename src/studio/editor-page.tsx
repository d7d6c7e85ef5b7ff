/** Page of one template: loads it, lays out the parts of the editor, and handles shortcuts. */
import { useComputed, useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { animationOf } from '#language/animation/frames.ts';
import { Canvas } from './canvas/canvas.tsx';
import { SizeBar } from './canvas/size-bar.tsx';
import { focusCanvas } from './panels/parts.ts';
import { Inspector } from './panels/inspector.tsx';
import { IconPicker } from './panels/layers/add-menu.tsx';
import { LeftSide } from './left-side.tsx';
import { later, laterDialog, loadLater } from './later-part.tsx';
import { mayPublish, ProblemBar, QuarantineBar, TopBar } from './top-bar.tsx';
import { galleryHash } from './session.tsx';
import { NarrowEditor, useIsNarrow } from './narrow.tsx';
import { offerCommands } from './palette/commands.ts';
import { createSampleSets } from './samples/sample-sets.ts';
import type { SampleSets } from './samples/sample-sets.ts';
import { SampleStrip } from './samples/sample-strip.tsx';
import { runShortcut } from './shortcuts.ts';
import { loadEditor } from './state/editor.ts';
import type { Editor } from './state/editor.ts';
import { explainError, statusOf } from './wording.ts';
import type { Service } from './state/service.ts';
import { loadCheck } from './state/valid-copies.ts';

type Loaded = { editor: Editor } | { problem: string } | undefined;

interface EditorPageProps {
  service: Service;
  uid: string;
  /** Called when the template is open. The returned function is called when the page closes. */
  onOpen?: ((editor: Editor) => () => void) | undefined;
}

/** Opens template `uid`. Saves pending changes when the page closes. */
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

/** Loads an editor into `loaded`. The returned function saves and closes the editor. */
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
    const editor = await loadEditor(service, uid);
    // Without the code, new layers are the same in all sizes.
    if (editor.whole.value.sizes !== undefined) await loadLater().catch(() => undefined);
    return { editor };
  } catch (error) {
    if (statusOf(error) !== 404) return { problem: explainError(error) };
    return { problem: `This organization has no template “${uid}”. It may have been archived.` };
  }
}

type Sheet = 'help' | 'icons' | 'publish' | 'share' | undefined;

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
  const sets = useMemo(() => createSampleSets(editor), [editor]);
  useEffect(() => () => sets.close(), [sets]);
  const target = {
    editor,
    openHelp: open('help'),
    openPublish: mayPublish(editor) ? open('publish') : () => undefined,
    openShare: open('share'),
    openIcons: open('icons'),
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
  /** Saves and asks before a tab with unsaved changes closes. The autosave waits after a change. */
  const guard = (event: BeforeUnloadEvent): void => {
    if (editor.saveState.value === 'saved' && editor.refusal.value === undefined) return;
    void editor.save();
    event.preventDefault();
  };
  useEffect(() => onOpen?.(editor), []);
  const hasFrame = useComputed(() => editor.frame.value !== undefined).value;
  // Before the first change needs it, and after what the page shows.
  useEffect(() => {
    if (hasFrame) void loadCheck();
  }, [hasFrame]);
  useEffect(() => offerCommands((code) => code.editorCommands(target)), []);
  useTitle(useComputed(() => editor.document.value.name).value);
  return (
    <div class={isNarrow ? 'workbench narrow' : 'workbench'}>
      <TopBar {...target} />
      {isNarrow ? <NarrowEditor editor={editor} /> : <WideEditor editor={editor} sets={sets} />}
      {sheet.value === 'help' ? (
        <HelpSheet close={close} isEmbedded={editor.service.embed !== undefined} />
      ) : null}
      {sheet.value === 'publish' || sheet.value === 'share' ? (
        <PublishDialog
          key={sheet.value}
          editor={editor}
          sets={sets}
          first={sheet.value === 'share' ? 'link' : 'changes'}
          close={close}
        />
      ) : null}
      {sheet.value === 'icons' ? <IconPicker editor={editor} close={close} /> : null}
      <Conflict editor={editor} />
    </div>
  );
}

/** Shows the name of the template as the title of the page. */
function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} – Platen Studio`;
    return () => {
      document.title = 'Platen Studio';
    };
  }, [name]);
}

/** Layout for wide windows: the canvas between two side panels. */
function WideEditor({ editor, sets }: { editor: Editor; sets: SampleSets }): VNode {
  const type = useComputed(() => animationOf(editor.document.value)?.type).value;
  const hasClock = useComputed(() => editor.document.value.clock !== undefined).value;
  useEffect(() => {
    // A frame leaves the focus to the page around it.
    if (editor.service.embed === undefined && document.activeElement === document.body) {
      focusCanvas();
    }
  }, []);
  return (
    <>
      <LeftSide editor={editor} />
      <main class="centre" aria-label="Canvas">
        <QuarantineBar editor={editor} />
        <SizeBar editor={editor} />
        {hasClock ? <TimeBar editor={editor} /> : null}
        {type === 'countdown' ? <AnimationBar editor={editor} /> : null}
        <Canvas editor={editor} />
        {type === 'motion' || type === 'values' ? <Timeline editor={editor} /> : null}
        <ProblemBar editor={editor} />
        <SampleStrip editor={editor} sets={sets} />
      </main>
      <aside class="side right" aria-label="Properties">
        <Inspector editor={editor} />
      </aside>
    </>
  );
}

const Timeline = later((code) => code.Timeline);
const AnimationBar = later((code) => code.AnimationBar);
const TimeBar = later((code) => code.TimeBar);

const ConflictDialog = laterDialog('Changed somewhere else', (code) => code.ConflictDialog);
const HelpSheet = laterDialog('Keyboard shortcuts', (code) => code.HelpSheet);
const PublishDialog = laterDialog('Publish', (code) => code.PublishDialog);

/** The choice between two drafts, while there is one. It stays until the user has chosen. */
function Conflict({ editor }: { editor: Editor }): VNode | null {
  if (editor.saveState.value !== 'conflict') return null;
  return <ConflictDialog editor={editor} close={() => undefined} />;
}
