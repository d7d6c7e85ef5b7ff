/** The memory of decoding, measured in processes with the environment of a render host, stays within its price. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { decodeSamples, measureDecode } from '../../../bench/harness/decode-samples.ts';
import { extent } from '../../helpers/extent.ts';

/** What varies between runs, and does not grow with the image. */
const slackBytes = 16e6;

t.test(
  'decoding takes no more memory than its price',
  { skip: process.platform !== 'linux' && 'the peak of a process is read from Linux' },
  async (t) => {
    for (const [name, bytes] of decodeSamples) {
      const path = join(t.testdir(), 'image');
      writeFileSync(path, await bytes);
      for (const share of ['1', '0.03'].slice(0, extent(1, 2))) {
        const { peakBytes, peakBytesMax } = measureDecode(path, share);
        const measured = `${name} at ${share}: ${peakBytes / 1e6} of ${peakBytesMax / 1e6} MB`;
        t.ok(peakBytes <= peakBytesMax + slackBytes, measured);
      }
    }
  },
);
