/** What a text layer says: one text, or spans of different looks, and the way from one to the other. */
import type { VNode } from 'preact';
import type { TextSpan } from '#language/schema/text.ts';
import { findLayer } from '../state/layers.ts';
import { FieldRow } from './fields/row.tsx';
import type { Field } from './fields/schema-fields.ts';
import type { Target } from './target.ts';

interface TextBodyProps {
  target: Target;
  text: Field;
  spans: Field | undefined;
}

/** A layer has either. */
export function TextBody({ target, text, spans }: TextBodyProps): VNode {
  const [id = ''] = target.ids;
  const hasSpans = target.read(['spans']) !== undefined;
  const split = (): void =>
    target.editor.change('Use spans', (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      layer.spans = [{ text: layer.text ?? '' }];
      delete layer.text;
    });
  const join = (): void =>
    target.editor.change('Use one text', (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      layer.text = (layer.spans ?? []).map((span: TextSpan) => span.text).join('');
      delete layer.spans;
    });
  if (!hasSpans || spans === undefined) {
    return (
      <>
        <FieldRow target={target} field={text} path={['text']} />{' '}
        {spans === undefined ? null : (
          <button type="button" class="p-link" onClick={split}>
            Style parts of it differently
          </button>
        )}
      </>
    );
  }
  return (
    <>
      <FieldRow target={target} field={spans} path={['spans']} />
      <button type="button" class="p-link" onClick={join}>
        Make it one text again
      </button>
    </>
  );
}
