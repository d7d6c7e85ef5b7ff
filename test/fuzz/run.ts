/**
 * `npm run fuzz -- CASES ROUNDS`: all properties with random seeds, then a long campaign against a service of its own,
 * with progress and figures.
 */
import t from 'tap';
import { demoKey, startService } from '../e2e/service.ts';
import { fuzzService } from './campaign.ts';
import { fuzzProperties } from './properties.ts';

const cases = toCount(process.argv[2] ?? '100000', 'cases');
const rounds = toCount(process.argv[3] ?? '5', 'rounds');

function toCount(text: string, what: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(`"${text}" is no number of ${what}; expected one such as 1000.`);
}

/** Cases between two lines of progress. */
const progressEvery = 20_000;

t.setTimeout(0);
t.test(`properties hold for ${rounds} random seeds`, { timeout: 0 }, async (t) => {
  t.equal(
    fuzzProperties(rounds, (line) => t.comment(line)),
    0,
  );
});

t.test(`${cases} fuzzed cases are answered`, { timeout: 0 }, async (t) => {
  const service = await startService(t, {
    threadCount: 2,
    // How long a render takes is the machine's: that it ends is what counts.
    environment: { PLATEN_LOG_LEVEL: 'error', PLATEN_RENDER_TIMEOUT_MS: '60000' },
  });
  let reportedAt = 0;
  const startedMs = performance.now();
  const report = await fuzzService({ port: service.port, key: demoKey }, cases, (done) => {
    if (service.process.hasEnded) throw new Error('The service has ended.');
    if (done - reportedAt < progressEvery) return;
    reportedAt = done;
    t.comment(`${done} cases, ${Math.round((done / (performance.now() - startedMs)) * 1000)}/s`);
  });
  const byStatus = [...report.statuses].toSorted(([a], [b]) => a - b);
  t.comment(`${report.cases} cases in ${Math.round(report.seconds)} s`);
  for (const [status, count] of byStatus) t.comment(`${status}: ${count}`);
  for (const [reason, count] of report.silences) t.comment(`no answer to ${reason}: ${count}`);
  t.comment(
    `resident: ${Math.round((await service.metric('process_resident_memory_bytes')) / 1e6)} MB`,
  );
  t.equal(service.process.hasEnded, false);
  t.equal(service.process.stderr, '');
});
