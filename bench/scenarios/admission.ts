/** What the cache of renders keeps beside mailings of one-off links, against a plain list of the same bytes. */
import { run } from '../cache-admission.ts';
import type { AdmissionRow } from '../cache-admission.ts';
import type { Measurement, Scenario } from '../scenario.ts';

const plain = 'plain LRU';
const own = 'admission';

export const admission: Scenario = {
  name: 'admission',
  words: ['hit-ratio', 'cache'],
  programs: [],
  needsPeers: false,
  async run() {
    const rows = run();
    return {
      measurements: [
        measure('admission-returning', rows, 'returning'),
        measure('admission-all', rows, 'all'),
      ],
    };
  },
};

/** The worst of the traces, and each of them: the share of hits against that of the plain list. */
function measure(
  budget: 'admission-returning' | 'admission-all',
  rows: readonly AdmissionRow[],
  kind: 'returning' | 'all',
): Measurement {
  const shares = rows.map(({ title, cacheBytes, ratios }) => {
    const ownShare = ratios[own]?.[kind] ?? Number.NaN;
    const plainShare = ratios[plain]?.[kind] ?? Number.NaN;
    const percent = (share: number): string => (share * 100).toFixed(1);
    const text = `${title}, ${cacheBytes / 1e6} MB: ${percent(ownShare)} against ${percent(plainShare)} %`;
    return { ratio: ownShare / plainShare, text };
  });
  return {
    budget,
    reached: Math.min(...shares.map(({ ratio }) => ratio)),
    how: shares.map(({ text }) => text).join('; '),
  };
}
