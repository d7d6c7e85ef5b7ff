/** How memory is divided: pure arithmetic, for machines from the smallest on. */
import t from 'tap';
import {
  cacheSizes,
  decodeLimits,
  memoryBudget,
  memoryBytesMin,
  memoryProblem,
  renderProcessesFor,
} from '../src/scheduling/memory-budget.ts';

const mebibyte = 1024 * 1024;

t.test('the defaults of every machine with enough memory fit into it', async (t) => {
  for (const cores of [1, 2, 4, 16, 64]) {
    for (let memory = 400; memory <= 131_072; memory = Math.ceil(memory * 1.1)) {
      const memoryBytes = memory * mebibyte;
      const processes = renderProcessesFor(memoryBytes, cores);
      const budget = memoryBudget(cacheSizes({}, memoryBytes, processes), processes);
      if (budget.sum > memoryBytes || memoryProblem(memoryBytes, budget) !== undefined) {
        t.fail(`${memory} MiB, ${cores} cores: ${JSON.stringify(budget)}`);
      }
      if (processes < 1 || processes > cores) t.fail(`${processes} processes on ${cores} cores`);
    }
  }
});

t.test('small machines get fewer processes, never none', async (t) => {
  const processes = (memory: number, cores: number): number =>
    renderProcessesFor(memory * mebibyte, cores);
  t.equal(processes(100, 8), 1);
  t.equal(processes(512, 8), 1);
  t.equal(processes(1024, 8), 3);
  t.equal(processes(1024, 2), 2);
  t.equal(processes(24_576, 2), 2);
});

t.test('caches follow what the processes leave, unless they are set', async (t) => {
  const inMebibytes = (memory: number, set = {}, processes = 2): number[] => {
    const sizes = cacheSizes(set, memory * mebibyte, processes);
    return Object.values(sizes).map((bytes) => Math.round(bytes / mebibyte));
  };
  // Renders, links, base renders, assets, sources, drawables, parts, and the heap from which on V8 collects.
  t.same(inMebibytes(400, {}, 1), [16, 2, 16, 8, 16, 8, 8, 24]);
  t.same(inMebibytes(512, {}, 1), [20, 2, 16, 8, 16, 8, 8, 24]);
  t.same(inMebibytes(8192), [952, 60, 48, 119, 238, 32, 16, 96]);
  t.same(inMebibytes(1_000_000), [4096, 256, 48, 256, 1024, 32, 16, 96]);
  t.same(inMebibytes(2048, { rendersBytesMax: mebibyte }).slice(0, 2), [1, 2]);
  t.equal(inMebibytes(2048, { baseRendersBytesMax: 200 * mebibyte })[2], 200);
});

t.test('decoding may take a quarter of a small machine', async (t) => {
  t.same(decodeLimits(400 * mebibyte), { image: 100 * mebibyte, all: 100 * mebibyte });
  t.same(decodeLimits(64 * 1024 * mebibyte), { image: 340_000_000, all: 1024 * mebibyte });
});

t.test('too little memory is reported in one sentence that names what is needed', async (t) => {
  const budgetOf = (memoryBytes: number, set = {}): ReturnType<typeof memoryBudget> =>
    memoryBudget(cacheSizes(set, memoryBytes, 1), 1);
  const short = memoryBytesMin - mebibyte;
  t.equal(
    memoryProblem(short, budgetOf(short)),
    'The service may use 399 MiB of memory and needs at least 400 MiB: large renders will fail until it has more.',
  );
  t.equal(memoryProblem(memoryBytesMin, budgetOf(memoryBytesMin)), undefined);
  const memory = 1024 * mebibyte;
  t.match(
    memoryProblem(memory, budgetOf(memory, { rendersBytesMax: memory })),
    /^These settings need \d+ MiB of memory and there are 1024 MiB: set /,
  );
});
