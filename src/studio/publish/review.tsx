/** The changes that publishing makes: images and properties, with a note and the button. */
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PreviewRequest } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { nameOf, findLayer } from '../state/layers.ts';
import type { Editor } from '../state/editor.ts';
import type { SampleSets } from '../samples/sample-sets.ts';
import { LostSizes } from './lost-sizes.tsx';
import { SampleWarnings } from './sample-warnings.tsx';
import { useCheck } from './use-check.ts';
import { UnsetDefaults } from './unset-defaults.tsx';
import { usePublishing } from './use-publishing.ts';
import { namedLayers } from '../wording.ts';
import type { Failure } from '../wording.ts';
import { Comparison, useImage, valuesFor } from './comparison.tsx';
import { failureWords } from '../problem-words.ts';
import { ChangeList } from './change-list.tsx';
import { diffDocuments } from './differences.ts';

/** Longest note, in characters (the service's limit). */
const noteLengthMax = 1000;

export interface ReviewProps {
  editor: Editor;
  sets: SampleSets;
  /** The draft as it is saved, without unfinished values. */
  draft: Template;
  /** The published document; undefined if the template was never published. */
  published: Template | undefined;
  /** Called with the number of the new version. */
  onPublished: (version: number) => void;
  /** Selects a layer on the canvas and closes the dialog. */
  show: (id: string) => void;
}

/** The draft must be saved, because the service publishes its saved draft. */
export function Review(props: ReviewProps): VNode {
  const { editor, sets, draft, published, onPublished, show } = props;
  const changes = useMemo(
    () => (published === undefined ? [] : diffDocuments(published, draft)),
    [published, draft],
  );
  const version = editor.publishedVersion.value;
  return (
    <div class="review">
      <Images editor={editor} draft={draft} published={published} />
      <div class="review-side">
        <h3>{published === undefined ? 'First version' : `Since version ${version}`}</h3>
        <div class="review-changes">
          {published === undefined ? (
            <p class="soft">
              Until now nobody but you can see this template. Publishing gives it a link.
            </p>
          ) : (
            <ChangeList changes={changes} show={show} />
          )}
        </div>
        {published !== undefined && <LostSizes now={published} then={draft} />}
        <PublishForm
          editor={editor}
          sets={sets}
          onPublished={onPublished}
          show={show}
          isSame={published !== undefined && changes.length === 0}
        />
      </div>
    </div>
  );
}

/** The image of the draft, compared with the published image if there is one. */
function Images({
  editor,
  draft,
  published,
}: Pick<ReviewProps, 'editor' | 'draft' | 'published'>): VNode {
  const { service, uid } = editor;
  const version = editor.publishedVersion.value;
  const [withSamples, setWithSamples] = useState(false);
  const sizes = useMemo(() => comparedSizes(published, draft), [published, draft]);
  const [chosen, setSize] = useState<string | undefined>(undefined);
  const size = chosen ?? sizes.find(({ isChanged }) => isChanged)?.name ?? '';
  const hasSamples = Object.keys(editor.values.value).length > 0;
  const requestOf = (document: Template, rest: PreviewRequest): PreviewRequest => ({
    format: 'png',
    values: withSamples ? valuesFor(editor.values.value, draft, document) : {},
    ...(size === '' ? {} : { size }),
    ...rest,
  });
  const after = useImage(
    service,
    requestOf(draft, { template: draft }),
    [draft, withSamples, size],
    { keepsOld: true },
  );
  const isNew = sizes.find(({ name }) => name === size)?.isNew === true;
  const old =
    published === undefined || version === null || isNew
      ? undefined
      : requestOf(published, { uid, version });
  const before = useImage(service, old, [version, withSamples, size]);
  const problems = [after.problem, before.problem].filter((problem) => problem !== undefined);
  return (
    <div class="review-images" data-old={after.isOld === true}>
      {sizes.length > 1 && <SizeChoice sizes={sizes} size={size} choose={setSize} />}
      {after.url !== undefined && before.url !== undefined ? (
        <Comparison
          before={before.url}
          after={after.url}
          beforeName={`Version ${version}, published`}
          afterName="Draft"
        />
      ) : (
        <figure class="review-image" aria-busy={problems.length === 0}>
          {after.url !== undefined && <img src={after.url} alt="The draft" />}
        </figure>
      )}
      {problems.map((problem) => (
        <p class="problem" role="alert">
          {problem}
        </p>
      ))}
      {hasSamples && (
        <label class="check">
          <input
            type="checkbox"
            checked={withSamples}
            onChange={() => setWithSamples(!withSamples)}
          />
          Show the preview values instead of the defaults
        </label>
      )}
    </div>
  );
}

interface ComparedSize {
  /** Empty for the canvas of the document. */
  name: string;
  label: string;
  isNew: boolean;
  /** Whether a layer or a setting differs in this size. */
  isChanged: boolean;
}

/** The sizes of the draft, with those that publishing changes. */
function comparedSizes(published: Template | undefined, draft: Template): ComparedSize[] {
  const { sizes = [], width, height } = draft;
  return [{ name: '', width, height }, ...sizes].map((size): ComparedSize => {
    const name = size.name === '' ? undefined : size.name;
    const after = documentInSize(draft, name);
    const before = published && documentInSize(published, name);
    const isNew = published !== undefined && before === undefined;
    const isChanged =
      before !== undefined && after !== undefined && diffDocuments(before, after).length > 0;
    return {
      name: size.name,
      label: `${name ?? 'Base'} · ${size.width} × ${size.height}`,
      isNew,
      isChanged: isNew || isChanged,
    };
  });
}

interface SizeChoiceProps {
  sizes: readonly ComparedSize[];
  size: string;
  choose: (name: string) => void;
}

/** Chooses the size whose images are compared. */
function SizeChoice({ sizes, size, choose }: SizeChoiceProps): VNode {
  return (
    <label class="field review-size">
      Size
      <select value={size} onChange={(event) => choose(event.currentTarget.value)}>
        {sizes.map(({ name, label, isNew, isChanged }) => (
          <option key={name} value={name} selected={name === size}>
            {label}
            {isNew ? ', new' : isChanged ? ', changed' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PublishFormProps extends Pick<ReviewProps, 'editor' | 'sets' | 'onPublished' | 'show'> {
  /** Whether the draft equals the published document. */
  isSame: boolean;
}

function PublishForm({ editor, sets, onPublished, show, isSame }: PublishFormProps): VNode {
  const [note, setNote] = useState('');
  const unfinished = editor.refusal.value;
  const { isBusy, refusal, publish } = usePublishing(editor, note, onPublished);
  const { isChecking, isAsking, begin } = useCheck(sets, () => void publish());
  const submit = (event: Event): void => {
    event.preventDefault();
    begin();
  };
  return (
    <form class="publish-form" onSubmit={submit}>
      <UnsetDefaults editor={editor} />
      {!isSame && <SampleWarnings sets={sets} isAsking={isAsking} show={show} />}
      {unfinished !== undefined && (
        <>
          <p class="soft">Unfinished, and so not published:</p>
          <Refusal failure={unfinished} editor={editor} show={show} />
        </>
      )}
      {refusal !== undefined && <Refusal failure={refusal} editor={editor} show={show} />}
      <div class="publish-bar">
        <label class="field">
          Note, for people (optional)
          <textarea
            rows={2}
            maxlength={noteLengthMax}
            placeholder="What is new"
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <button class="primary" disabled={isBusy || isSame} aria-disabled={isChecking}>
          {isBusy
            ? 'Publishing …'
            : isSame
              ? 'Nothing to publish'
              : isChecking
                ? 'Checking the sample data …'
                : isAsking
                  ? 'Publish all the same'
                  : 'Publish'}
        </button>
      </div>
    </form>
  );
}

interface RefusalProps extends Pick<ReviewProps, 'editor' | 'show'> {
  failure: Failure;
}

/** Shows the service's message, with a button for each layer that it names. */
function Refusal({ failure, editor, show }: RefusalProps): VNode {
  const document = editor.whole.value;
  return (
    <div class="refusal" role="alert">
      <p class="problem">{failureWords(failure, document)}</p>
      {namedLayers(failure.problems, document).map((id) => {
        const layer = findLayer(document, id);
        return (
          <button type="button" key={id} onClick={() => show(id)}>
            Show {layer === undefined ? id : nameOf(layer)}
          </button>
        );
      })}
    </div>
  );
}
