/** Shows the warnings of the sets of sample data before a template is published. */
import type { VNode } from 'preact';
import type { SampleSets } from '../samples/sample-sets.ts';

/** Warnings listed at most; the rest are counted. */
const listedMax = 6;

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
    found.map(({ text, layer }) => ({ text, layer, name })),
  );
  const listed = [...Map.groupBy(warnings, ({ text }) => text).values()];
  return (
    <div class="publish-warnings" role={isAsking ? 'alert' : undefined}>
      <p>
        {isAsking ? 'Publish although ' : ''}
        {warned.length === 0 ? 'not all sample data is checked' : countText(warned.length)}
        {isAsking ? '?' : ':'}
      </p>
      {isUnchecked && <p class="soft">The service has not drawn every set.</p>}
      <ul>
        {listed.slice(0, listedMax).map((same) => (
          <Warning key={same[0]?.text} same={same} show={show} />
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
  same: readonly { text: string; layer: string | undefined; name: string }[];
  show: SampleWarningsProps['show'];
}

function Warning({ same, show }: WarningProps): VNode {
  const [first] = same;
  const sets = same.length === 1 ? first?.name : `${same.length} sets`;
  const layer = first?.layer;
  return (
    <li>
      {sets}:{' '}
      {layer === undefined ? (
        first?.text
      ) : (
        <button type="button" onClick={() => show(layer)}>
          {first?.text}
        </button>
      )}
    </li>
  );
}
