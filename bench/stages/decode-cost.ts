/** Compares `decodeMs` with the CPU time of real decodes: `node bench/stages/decode-cost.ts [runs]`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeSamples, measureDecode } from '../harness/decode-samples.ts';
import { median } from '../harness/statistics.ts';

const runs = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'platen-decode-'));
try {
  for (const [name, bytes] of decodeSamples) {
    const path = join(folder, 'image');
    writeFileSync(path, await bytes);
    for (const share of ['1', '0.03']) {
      const costs = Array.from({ length: runs }, () => measureDecode(path, share));
      const ms = median(costs.map((cost) => cost.ms));
      const [{ msMax }] = costs as [(typeof costs)[number]];
      const ratio = (ms / msMax).toFixed(2);
      console.log(`${name} at ${share}: ${ms.toFixed(0)} of ${msMax.toFixed(0)} ms, ${ratio}×`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
