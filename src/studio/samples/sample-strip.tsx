/** The strip below the canvas: the image of the template with each set of sample values. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { behindFrame } from '../panels/behind-frame.ts';
import type { Editor } from '../state/editor.ts';
import { later } from '../later-part.tsx';
import { showSame } from './presets.ts';
import type { Preset } from './presets.ts';
import type { PresetImage } from './preset-images.ts';
import { presetWarnings } from './preset-warnings.ts';
import type { PresetWarning } from './preset-warnings.ts';
import type { SampleSets } from './sample-sets.ts';
import { icon } from '../icons.tsx';

const SaveForm = later((code) => code.SaveForm);

export interface SampleStripProps {
  editor: Editor;
  sets: SampleSets;
}

/** A click on an image takes its values. A click on a warning also selects its layer. */
export function SampleStrip({ editor, sets }: SampleStripProps): VNode {
  const { saved, presets, images, isDrawing, failed } = sets;
  const section = useKeptFocus();
  const row = useRow();
  const document = behindFrame(editor).document.value;
  const active = presets.value.find(({ values }) =>
    showSame(values, editor.values.value, document),
  );
  const warned = sets.warned.value.map(({ preset }) => preset);
  const [defaults, ...others] = presets.value;
  // The cards keep their order until all warnings are known.
  const order = isDrawing.value
    ? presets.value
    : [
        ...(defaults === undefined ? [] : [defaults]),
        ...others.filter((preset) => warned.includes(preset)),
        ...others.filter((preset) => !warned.includes(preset)),
      ];
  const frame = behindFrame(editor).frame.value;
  const shownWarnings = frame === undefined ? [] : presetWarnings(frame.report, frame.document);
  const select = (warning: PresetWarning): void => selectLayer(editor, warning);
  return (
    <section class="samples" ref={section} aria-label="Sample data" aria-busy={isDrawing.value}>
      <header class="samples-head">
        <h2>Sample data</h2>
        <p class="samples-state" role="status">
          {stateText(isDrawing.value, failed.value.size, warned.length, presets.value.length)}
        </p>
        <WarningChips warnings={shownWarnings} select={select} />
        <SaveForm editor={editor} saved={saved} isKnown={active !== undefined} />
      </header>
      <ul
        class="samples-list"
        ref={row.ref}
        data-earlier={row.hasEarlier}
        data-more={row.hasMore}
        onScroll={row.look}
      >
        {order.map((preset) => (
          <PresetCard
            key={preset.id}
            preset={preset}
            image={images.value.get(preset.id)}
            isActive={preset === active}
            take={() => (editor.values.value = preset.values)}
            select={select}
            remove={() => saved.remove(preset.id)}
          />
        ))}
      </ul>
      {row.hasEarlier && <RowButton name="Earlier sets" side="earlier" press={row.goBack} />}
      {row.hasMore && <RowButton name="More sets" side="more" press={row.goOn} />}
    </section>
  );
}

interface RowButtonProps {
  name: string;
  side: 'earlier' | 'more';
  press: () => void;
}

function RowButton({ name, side, press }: RowButtonProps): VNode {
  return (
    <button
      type="button"
      class={`icon samples-${side}`}
      aria-label={name}
      title={name}
      onClick={press}
    >
      {icon('open')}
    </button>
  );
}

/** Moves the focus from a control that a render removes to the one in its place. */
function useKeptFocus() {
  const section = useRef<HTMLElement>(null);
  const focused = document.activeElement;
  const hadFocus = section.current?.contains(focused);
  useLayoutEffect(() => {
    if (hadFocus !== true || document.activeElement !== document.body) return;
    const next = 'button.samples-save, .preset-pick[aria-pressed="true"]';
    // At the end of the row its button leaves, and the row must stay there.
    section.current?.querySelector<HTMLElement>(next)?.focus({ preventScroll: true });
  });
  return section;
}

/** State of a row that scrolls sideways: whether it continues beyond its visible edges. */
function useRow() {
  const ref = useRef<HTMLUListElement>(null);
  const [hasEarlier, setEarlier] = useState(false);
  const [hasMore, setMore] = useState(false);
  const look = (): void => {
    const { scrollWidth = 0, clientWidth = 0, scrollLeft = 0 } = ref.current ?? {};
    setEarlier(scrollLeft > 1);
    setMore(scrollWidth - clientWidth - scrollLeft > 1);
  };
  // After the paint, so that the measurement needs no extra layout of the page.
  useEffect(look);
  const go = (pages: number): void =>
    ref.current?.scrollBy({ left: ref.current.clientWidth * pages, behavior: 'smooth' });
  return { ref, hasEarlier, hasMore, look, goBack: () => go(-0.8), goOn: () => go(0.8) };
}

function stateText(isDrawing: boolean, failed: number, warned: number, count: number): string {
  if (isDrawing) return 'Drawing …';
  if (failed > 0) return `${failed} of ${count} not drawn`;
  if (warned > 0) return `${warned} of ${count} with warnings`;
  return count === 1 ? 'It fits' : `All ${count} fit`;
}

function selectLayer(editor: Editor, { layer }: PresetWarning): void {
  if (layer !== undefined) editor.selection.value = [layer];
}

interface WarningChipsProps {
  warnings: readonly PresetWarning[];
  select: (warning: PresetWarning) => void;
}

/** The warnings of the values on the canvas. A click selects the layer. */
function WarningChips({ warnings, select }: WarningChipsProps): VNode {
  return (
    <ul class="samples-warnings" aria-label="Warnings of these values">
      {warnings.map((warning) => (
        <li key={warning.text}>
          {warning.layer === undefined ? (
            <span title={warning.text}>{warning.text}</span>
          ) : (
            <button
              type="button"
              title={`${warning.text}. Select the layer.`}
              onClick={() => select(warning)}
            >
              {warning.text}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface PresetCardProps {
  preset: Preset;
  image: PresetImage | undefined;
  isActive: boolean;
  take: () => void;
  select: (warning: PresetWarning) => void;
  remove: () => void;
}

function PresetCard({ preset, image, isActive, take, select, remove }: PresetCardProps): VNode {
  const { name, isSaved } = preset;
  const warnings = image?.warnings ?? [];
  const [first] = warnings;
  const notes = warnings.map(({ text }) => text).join('\n');
  const follow = (warning: PresetWarning): void => {
    take();
    select(warning);
  };
  return (
    <li class="preset" data-warned={first !== undefined} data-preset={preset.id}>
      <button
        type="button"
        class="preset-pick"
        aria-pressed={isActive}
        title={notes === '' ? name : notes}
        onClick={take}
      >
        {image?.url === undefined ? (
          <span class="preset-blank">{image === undefined ? null : 'No image'}</span>
        ) : (
          <img src={image.url} alt="" draggable={false} />
        )}
        <span class="preset-name">{name}</span>
      </button>
      {first !== undefined && (
        <button type="button" class="preset-warning" title={notes} onClick={() => follow(first)}>
          <span>{first.brief}</span>
          {warnings.length > 1 && <b>+{warnings.length - 1}</b>}
        </button>
      )}
      {isSaved && (
        <button
          type="button"
          class="preset-remove"
          aria-label={`Delete the preset ${name}`}
          onClick={remove}
        >
          ✕
        </button>
      )}
    </li>
  );
}
