/** Shows the warnings of the sets of sample data before a template is published. */
import type { VNode } from 'preact';
import type { PresetWarning } from '../samples/preset-warnings.ts';
import type { SampleSets } from '../samples/sample-sets.ts';

/** Warnings listed at most; the rest are counted. */
const listedMax = 6;

/** Names of sets after a warning at most; the rest are counted. */
const namesMax = 3;

interface SampleWarningsProps {
  sets: SampleSets;
  /** Whether publishing waits for the user's confirmation. */
  isAsking: boolean;
  /** Shows a layer on the canvas. */
  show: (id: string) => void;
}

/** Lists each warning of all sets once, with its sets and a button that shows its layer. */
export function SampleWarnings({ sets, isAsking, show }: SampleWarningsProps): VNode | null {
  const warned = sets.warned.value;
  const isUnchecked = isAsking && (sets.isDrawing.value || sets.failed.value.size > 0);
  if (warned.length === 0 && !isUnchecked) return null;
  const warnings = warned.flatMap(({ preset: { name }, warnings: found }) =>
    found.map((warning) => ({ ...warning, name })),
  );
  const groups = Map.groupBy(warnings, ({ layer, common }) => JSON.stringify([layer, common]));
  const listed = [...groups];
  return (
    <div class="publish-warnings" role={isAsking ? 'alert' : undefined}>
      <p>
        {isAsking ? 'Publish although ' : ''}
        {warned.length === 0 ? 'not all sample data is checked' : countText(warned.length)}
        {isAsking ? '?' : ':'}
      </p>
      {isUnchecked && <p class="soft">The service has not drawn every set.</p>}
      <ul>
        {listed.slice(0, listedMax).map(([key, same]) => (
          <Warning key={key} same={same} show={show} />
        ))}
      </ul>
      {listed.length > listedMax && <p class="soft">and {listed.length - listedMax} more</p>}
    </div>
  );
}

function countText(count: number): string {
  return count === 1
    ? '1 set of sample data has warnings'
    : `${count} sets of sample data have warnings`;
}

interface WarningProps {
  /** One warning, with an entry for each set that has it. */
  same: ReadonlyArray<PresetWarning & { name: string }>;
  show: SampleWarningsProps['show'];
}

function Warning({ same, show }: WarningProps): VNode {
  const [first] = same;
  const isSame = same.every(({ text }) => text === first?.text);
  const words = isSame ? first?.text : first?.common;
  const names = [...new Set(same.map(({ name }) => name))];
  const layer = first?.layer;
  return (
    <li>
      {layer === undefined ? (
        words
      ) : (
        <button type="button" onClick={() => show(layer)}>
          {words}
        </button>
      )}
      <p class="publish-warned" title={names.join(', ')}>
        {namesText(names)}
      </p>
    </li>
  );
}

function namesText(names: readonly string[]): string {
  const count = names.length === 1 ? '1 set' : `${names.length} sets`;
  const rest = names.length - namesMax;
  return `${count}: ${names.slice(0, namesMax).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
