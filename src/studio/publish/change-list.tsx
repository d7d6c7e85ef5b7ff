/** The list of changes: layers, properties, old and new values. */
import type { VNode } from 'preact';
import { pathWords } from '../panels/fields/labels.ts';
import { documentFields, layerFields, layerTypes } from '../panels/fields/schema-fields.ts';
import type { Field } from '../panels/fields/schema-fields.ts';
import type { SchemaNode } from '../panels/fields/schema-node.ts';
import { templateSchema } from '../panels/template-schema.ts';
import { valueText } from './differences.ts';
import type { DocumentChange, PropertyChange } from './differences.ts';

/** Properties shown per change at most; the rest are counted. */
const propertiesMax = 8;

interface ChangeListProps {
  changes: readonly DocumentChange[];
  /** Shows a layer on the canvas. */
  show: (id: string) => void;
}

/** Lists the changes, or says that there are none. */
export function ChangeList({ changes, show }: ChangeListProps): VNode {
  const schema = templateSchema().value;
  if (changes.length === 0) return <p class="soft">Nothing has changed since then.</p>;
  return (
    <ul class="change-list">
      {changes.map((change) => (
        <li key={`${change.subject} ${change.id}`} data-kind={change.kind}>
          <ChangeTitle change={change} show={show} />
          {change.properties.length > 0 && (
            <dl>
              {change.properties
                .slice(0, propertiesMax)
                .map((property) => propertyLine(property, standardOf(schema, change, property)))}
            </dl>
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

/** The fields of all layer types of a schema: each line of the list looks for one of them. */
const knownFields = new WeakMap<SchemaNode, readonly Field[]>();

function layerFieldsOf(schema: SchemaNode): readonly Field[] {
  const known =
    knownFields.get(schema) ?? layerTypes(schema).flatMap((type) => layerFields(schema, type));
  knownFields.set(schema, known);
  return known;
}

/** Returns the value that the absence of a property means; undefined if there is none or if it depends on the layer's type. */
function standardOf(
  schema: SchemaNode | undefined,
  { subject }: DocumentChange,
  { path }: PropertyChange,
): unknown {
  if (schema === undefined || subject === 'variable') return undefined;
  const fields = subject === 'document' ? documentFields(schema) : layerFieldsOf(schema);
  const [first, ...others] = fields
    .filter(({ name }) => name === path)
    .map(({ standard }) => standard);
  return others.every((standard) => standard === first) ? first : undefined;
}

function propertyLine({ path, before, after }: PropertyChange, standard: unknown): VNode {
  const name = path.split('.').at(-1) ?? path;
  const words = (value: unknown): string =>
    value === undefined && path.startsWith('bySize.') ? 'as in Base' : valueText(value, name);
  return (
    <div key={path}>
      <dt>{pathWords(path)}</dt>
      <dd>
        <del dir="auto">{words(before ?? standard)}</del> <span aria-hidden="true">→</span>{' '}
        <ins dir="auto">{words(after ?? standard)}</ins>
      </dd>
    </div>
  );
}
