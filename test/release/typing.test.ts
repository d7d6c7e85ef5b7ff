/** The moving image of README is what the service makes of its template. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { repository, runPlaten } from '../cli/run-platen.ts';

t.setTimeout(120_000);

t.test('the moving image of README is that of its template', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, command = ''] = scripts['docs:typing']?.split(' -- ') ?? [];
  const args = command.split(' ');
  const path = args.pop() ?? '';
  const made = await runPlaten([...args, '-', '--format', 'gif'], {
    environment: { PLATEN_DATA_DIR: t.testdir() },
  });
  t.equal(made.code, 0, made.stderr);
  const kept = readFileSync(join(repository, path));
  t.ok(kept.equals(made.bytes), 'run "npm run docs:typing"');
  t.ok(kept.byteLength < 1_000_000, 'it loads at once');
});
