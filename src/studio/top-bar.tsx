/** The bars above the editor: name, undo, save state, zoom, samples, help and publish; problems; the quarantine notice. */
import type { VNode } from 'preact';
import { IconButton } from './icons.tsx';
import { later } from './later-part.tsx';
import { galleryHash, templateCampaignHash } from './session.tsx';
import { behindFrame } from './panels/behind-frame.ts';
import type { Editor, SaveState } from './state/editor.ts';
import { useEffect, useMemo } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { diffDocuments, unpublishedWords } from './publish/differences.ts';
import { usePublished } from './publish/use-published.ts';
import type { TemplateDetails } from '../client/platen-client.ts';
import { valueProblem } from './wording.ts';
import type { Failure } from './wording.ts';
import { failureWords, unfinishedWords } from './problem-words.ts';
import { limitTexts, typedLengthMax } from './state/typed-variables.ts';

export interface TopBarProps {
  editor: Editor;
  openHelp: () => void;
  openPublish: () => void;
  openShare: () => void;
}

/** Whether the user may publish; false in a frame whose token does not allow it. */
export function mayPublish({ service }: Editor): boolean {
  return service.embed?.mayPublish !== false;
}

export function TopBar({ editor, openHelp, openPublish, openShare }: TopBarProps): VNode {
  const { canUndo, canRedo, undoLabel, redoLabel, publishedVersion } = editor;
  const version = publishedVersion.value;
  const isEmbedded = editor.service.embed !== undefined;
  return (
    <header class="top-bar">
      <h1 class="quiet" dir="auto">
        {behindFrame(editor).document.value.name}
      </h1>
      {!isEmbedded && (
        <a class="home" href={galleryHash} aria-label="All templates" title="All templates">
          <img src="pages/mark.svg" alt="" width="24" height="24" />
        </a>
      )}
      <NameField editor={editor} />
      <SaveNote editor={editor} />
      <div class="bar-group" role="group" aria-label="History">
        <IconButton
          name={label('Undo', undoLabel.value)}
          path={undoPath}
          isOff={!canUndo.value}
          run={() => editor.undo()}
        />
        <IconButton
          name={label('Redo', redoLabel.value)}
          path={redoPath}
          isOff={!canRedo.value}
          run={() => editor.redo()}
        />
      </div>
      <span class="bar-space" />
      <ValuesNote editor={editor} />
      <IconButton name="Keyboard shortcuts" path={helpPath} run={openHelp} />
      <VersionNote editor={editor} />
      {!isEmbedded && (
        <a
          class="button"
          href={templateCampaignHash(editor.uid)}
          title="Prove a list of recipients with the published version, and get its links"
        >
          Campaign
        </a>
      )}
      <span class="bar-actions">
        {version !== null && !isEmbedded && (
          <button
            type="button"
            title="The link, its image, and code for emails"
            onClick={openShare}
          >
            Share
          </button>
        )}
        {mayPublish(editor) && (
          <button type="button" class="primary" onClick={openPublish}>
            Publish
          </button>
        )}
      </span>
    </header>
  );
}

/** Shows the published version, and the number of unpublished changes. A narrow bar has no space for the version. */
function VersionNote({ editor }: { editor: Editor }): VNode {
  const version = editor.publishedVersion.value;
  const draft = behindFrame(editor).whole.value;
  // Without the published document, only the version is shown.
  const { published } = usePublished(editor);
  const changes = useMemo(
    () => (published ? diffDocuments(published, draft).length : 0),
    [published, draft],
  );
  if (version === null) return <span class="version">Not published</span>;
  return (
    <span class="version" data-changed={changes > 0} title="What links show now">
      <span class="version-number">
        Version {version}
        {changes > 0 && ' · '}
      </span>
      {changes > 0 ? unpublishedWords(changes) : null}
      {published && changes === 0 ? <span class="version-live">Live</span> : null}
    </span>
  );
}

/** Renames the template, in one undo step per change of the field. */
function NameField({ editor }: { editor: Editor }): VNode {
  const { name } = behindFrame(editor).document.value;
  const onChange = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const typed = field.value.trim();
    if (typed === '') field.value = name;
    else {
      editor.change('Rename the template', (draft) => {
        draft.name = typed;
      });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target as HTMLInputElement;
    if (event.key === 'Escape') field.value = name;
    if (event.key === 'Escape' || event.key === 'Enter') field.blur();
  };
  return (
    <input
      class="name-field"
      dir="auto"
      aria-label="Name of the template"
      maxlength={200}
      title={name}
      value={name}
      onChange={onChange}
      onKeyDown={onKeyDown}
    />
  );
}

/** Shows the number of sample values on the canvas. A click removes them. */
function ValuesNote({ editor }: { editor: Editor }): VNode | null {
  const names = new Set(behindFrame(editor).document.value.variables.map(({ name }) => name));
  const count = Object.keys(editor.values.value).filter((name) => names.has(name)).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="quiet-button values-note"
      title="Shows the defaults again"
      onClick={() => {
        editor.values.value = {};
      }}
    >
      {count === 1 ? '1 sample value' : `${count} sample values`}
      <span class="soft">Clear</span>
    </button>
  );
}

/** Text and tooltip of the note. */
const notes: Readonly<Record<SaveState, readonly [text: string, title: string]>> = {
  saved: ['Saved', 'The draft is saved. Links show it when it is published.'],
  unsaved: ['Saving …', 'The draft is saved in a moment.'],
  saving: ['Saving …', 'The draft is being saved.'],
  conflict: ['Conflict', 'Somebody else has saved this template.'],
  refused: ['Not saved', 'The service does not take this document.'],
  offline: ['Offline', 'The service does not answer. The draft is saved as soon as it does.'],
};

function SaveNote({ editor }: { editor: Editor }): VNode {
  const { refusal } = editor;
  const state = editor.saveState.value;
  const [text, title] = notes[state];
  const isPart = state === 'saved' && refusal.value !== undefined;
  return (
    <span
      class="save-note"
      data-state={state}
      role="status"
      title={
        refusal.value === undefined
          ? title
          : failureWords(refusal.value, behindFrame(editor).whole.value)
      }
    >
      <span class="dot" aria-hidden="true" />
      {isPart ? 'Saved in part' : text}
    </span>
  );
}

function label(verb: string, step: string | undefined): string {
  return step === undefined ? verb : `${verb}: ${step}`;
}

const undoPath = 'M6 4 3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H7';
const redoPath = 'm10 4 3 3-3 3m3-3H6.5a3.5 3.5 0 0 0 0 7H9';
const helpPath = 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.6';

interface Remedy {
  name: string;
  /** Undefined if there is nothing to undo. */
  run: (() => void) | undefined;
}

/** The remedy for a problem of the document or of a sample value. */
function remedyOf(editor: Editor, problem: Failure): Remedy {
  const samples = Object.entries(editor.values.value);
  const valid = samples.filter(([name]) => valueProblem(problem, name) === undefined);
  if (valid.length < samples.length) {
    const run = (): void => {
      editor.values.value = Object.fromEntries(valid);
    };
    return { name: 'Show the default', run };
  }
  if (problem.isTooLong === true) {
    const run = (): void => editor.changeWhole('Limit texts', limitTexts);
    return { name: `Limit texts to ${typedLengthMax} characters`, run };
  }
  return { name: 'Undo', run: editor.canUndo.value ? () => editor.undo() : undefined };
}

/** Reports what is unfinished, or why the service refuses to save or render the document. Offers a remedy. */
export function ProblemBar({ editor }: { editor: Editor }): VNode | null {
  const { refusal, frameError, retryFrame, saveState } = editor;
  // An outage has no cause in the document, so undo does not help.
  const retry = retryFrame.value;
  const problem = (retry === undefined ? refusal.value : undefined) ?? frameError.value;
  if (problem === undefined) return null;
  const isUnfinished = frameError.value === undefined && saveState.value !== 'refused';
  const { name, run } =
    retry === undefined ? remedyOf(editor, problem) : { name: 'Try again', run: retry };
  return (
    <div class="problem-bar" role={isUnfinished ? 'status' : 'alert'}>
      <p>
        {(isUnfinished ? unfinishedWords : failureWords)(
          problem,
          behindFrame(editor).document.value,
        )}
      </p>
      {run !== undefined && (
        <button type="button" onClick={run}>
          {name}
        </button>
      )}
    </div>
  );
}

/** Null while links are rendered. Loads the state again after each publication. */
export function QuarantineBar({ editor }: { editor: Editor }): VNode | null {
  const { client } = editor.service;
  const quarantine = useSignal<TemplateDetails['quarantine']>(null);
  const published = editor.publishedVersion.value;
  useEffect(() => {
    const load = async (): Promise<void> => {
      const details = await client.getTemplate(editor.uid);
      quarantine.value = details.quarantine;
    };
    // The editor already shows that the service does not answer.
    load().catch(() => undefined);
  }, [published]);
  const state = quarantine.value;
  if (state === null || !mayPublish(editor)) return null;
  return <QuarantineNotice editor={editor} {...state} release={() => (quarantine.value = null)} />;
}

const QuarantineNotice = later((code) => code.QuarantineNotice);
