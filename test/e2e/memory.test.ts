/** Memory by holder, as a running service tells it, against what the kernel says of its processes. */
import t from 'tap';
import { parseMetrics } from '../helpers/metrics.ts';
import { readProcessTree } from '../soak/process-memory.ts';
import { request } from './request.ts';
import { eventually, startService } from './service.ts';

if (process.platform !== 'linux') t.plan(0, 'only Linux tells the memory of a process');

/** What may differ between two looks at processes that work: a heap that grows, a buffer that goes. */
const toleranceBytes = 48 * 1024 * 1024;

t.test('the holders add up to what the processes take, and name the caches', async (t) => {
  const service = await startService(t);
  const holders = async (): Promise<Map<string, number>> => {
    const { text } = await request(service.metricsPort, '/metrics');
    const samples = parseMetrics(text).samples.get('platen_memory_bytes') ?? [];
    return new Map(
      samples.map(({ labels, value }) => [
        `${labels?.['process']} ${labels?.['holder']}`,
        Number(value),
      ]),
    );
  };
  let index = 0;
  const hasBaseRenders = async (): Promise<boolean> => {
    index += 1;
    const { status } = await service.render(`welcome-banner?name=${index}`);
    t.equal(status, 200);
    const holder = 'plans';
    return ((await holders()).get(`render ${holder}`) ?? 0) > 0;
  };
  t.ok(await eventually(hasBaseRenders), 'a process tells of its base renders');
  const held = await holders();
  for (const holder of ['js_heap', 'plans', 'drawables', 'parts']) {
    t.ok((held.get(`render ${holder}`) ?? 0) > 0, `render processes tell of ${holder}`);
  }
  t.ok((held.get('front renders') ?? 0) > 0);
  const sum = [...held.values()].reduce((total, bytes) => total + bytes, 0);
  const tree = readProcessTree(service.process.pid);
  const files = Math.max(...tree.map((each) => each.residentBytes - each.anonymousBytes));
  const resident = tree.reduce((total, { anonymousBytes }) => total + anonymousBytes, files);
  t.ok(
    Math.abs(sum - resident) < toleranceBytes,
    `${sum} bytes are reported, the kernel says ${resident}`,
  );
  const { text } = await request(service.metricsPort, '/metrics');
  const each = parseMetrics(text).samples.get('platen_process_resident_bytes') ?? [];
  t.same(
    each.map(({ labels }) => labels?.['process']),
    ['front', 'render-1'],
  );
});
