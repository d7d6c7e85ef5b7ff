/** The changes of a document in words: which layers, which properties, from what to what. */
import type { VNode } from 'preact';
import { valueText } from './document-diff.ts';
import type { DocumentChange, PropertyChange } from './document-diff.ts';

/** Properties of one change that are shown; the rest are counted. */
const propertiesMax = 8;

interface ChangeListProps {
  changes: readonly DocumentChange[];
  /** Shows a layer on the canvas. */
  show: (id: string) => void;
}

/** The list, or that there is nothing in it. */
export function ChangeList({ changes, show }: ChangeListProps): VNode {
  if (changes.length === 0) return <p class="soft">Nothing has changed since then.</p>;
  return (
    <ul class="change-list">
      {changes.map((change) => (
        <li key={`${change.subject} ${change.id}`} data-kind={change.kind}>
          <ChangeTitle change={change} show={show} />
          {change.properties.length > 0 && (
            <dl>{change.properties.slice(0, propertiesMax).map(propertyLine)}</dl>
          )}
          {change.properties.length > propertiesMax && (
            <p class="soft">and {change.properties.length - propertiesMax} more</p>
          )}
        </li>
      ))}
    </ul>
  );
}

const kindNames = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

function ChangeTitle({
  change,
  show,
}: { change: DocumentChange } & Pick<ChangeListProps, 'show'>): VNode {
  const { subject, kind, id, name, isMoved, properties } = change;
  const isShown = subject === 'layer' && kind !== 'removed';
  const word = isMoved && properties.length === 0 ? 'Moved in order' : kindNames[kind];
  const what = subject === 'variable' ? `{{${name}}}` : name;
  return (
    <p class="change-title">
      <span class="change-kind">{word}</span>
      {isShown ? (
        <button type="button" class="link" title="Show the layer" onClick={() => show(id)}>
          {what}
        </button>
      ) : (
        <strong>{what}</strong>
      )}
    </p>
  );
}

function propertyLine({ path, before, after }: PropertyChange): VNode {
  return (
    <div key={path}>
      <dt>{path}</dt>
      <dd>
        <del>{valueText(before)}</del> <span aria-hidden="true">→</span>
        <ins>{valueText(after)}</ins>
      </dd>
    </div>
  );
}
