import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { demoKey, startService } from '../e2e/service.ts';
import { decodePixels } from '../helpers/render.ts';
import { runPlaten } from './run-platen.ts';
import { workplace } from './workplace.ts';

// Each command is a process of its own; on a busy machine they take seconds.
t.setTimeout(240_000);

t.test('an SVG stays the same file through pull and push', async (t) => {
  const root = t.testdir();
  const dataDirectory = join(root, 'data');
  const service = await startService(t, { dataDirectory });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#c00"/></svg>';
  const document = (name: string): string =>
    JSON.stringify({
      format: 1,
      name,
      width: 40,
      height: 40,
      variables: [],
      layers: [
        { id: 'l', type: 'image', x: 0, y: 0, width: 40, height: 40, src: './pictures/mark.svg' },
      ],
    });
  const homes = {
    local: { args: ['--org', 'demo'], environment: { PLATEN_DATA_DIR: dataDirectory } },
    remote: { args: ['--url', service.base], environment: { PLATEN_API_KEY: demoKey } },
  };
  for (const [name, where] of Object.entries(homes)) {
    const mine = workplace(join(root, name), where);
    mkdirSync(join(mine.directory, 'pictures'));
    writeFileSync(join(mine.directory, 'pictures/mark.svg'), svg);
    const file = join(mine.directory, `svg-${name}.json`);
    writeFileSync(file, document(name));
    const valid = await runPlaten(['validate', file]);
    t.equal(valid.code, 0, valid.stdout);
    const drawn = await runPlaten(['render', file, '-o', join(root, `${name}.png`)]);
    t.equal(drawn.code, 0, drawn.stderr);
    const pushed = await mine.run('push', '--yes', '--publish');
    t.equal(pushed.code, 0, pushed.stderr);
    const answer = await service.render(`svg-${name}.png`);
    t.equal(answer.status, 200);
    // Files of the same pixels differ between a process with a base render and one without.
    const [served, here] = await Promise.all([
      decodePixels(answer.body),
      decodePixels(readFileSync(join(root, `${name}.png`))),
    ]);
    t.ok(here.data.equals(served.data), 'drawn as the service does');
    const theirs = workplace(join(root, `${name}-theirs`), where);
    const pulled = await theirs.run('pull', `svg-${name}`);
    t.equal(pulled.code, 0, pulled.stderr);
    const [path, text] =
      Object.entries(theirs.files()).find(([key]) => key.startsWith('/pictures/')) ?? [];
    t.match(path, /^\/pictures\/[0-9a-f]{8}\.svg$/);
    t.equal(text, svg);
  }
  const broken = join(root, 'local/svg-local.json');
  writeFileSync(
    join(root, 'local/pictures/mark.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"><g',
  );
  const refused = await runPlaten(['validate', broken]);
  t.equal(refused.code, 1);
  t.match(refused.stdout, /layers\[0\]\.src .*mark\.svg/);
});
