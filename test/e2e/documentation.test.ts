import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { demoKey, startService } from './service.ts';

const repository = join(import.meta.dirname, '../..');

t.test('the commands of the API page work as they stand, from the first to the last', async (t) => {
  const { base } = await startService(t, {
    // Those of an installation: the page creates a webhook, which is sent nothing.
    environment: { PLATEN_IMAGES_ALLOWED_PORTS: '80,443' },
  });
  const directory = t.testdir();
  copyFileSync(join(repository, 'data/templates/hello.json'), join(directory, 'template.json'));
  const page = readFileSync(join(repository, 'docs/api.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
  t.ok(blocks.length > 8);
  // An answer that is no success fails the command, and is printed.
  const strict = 'set -e; curl() { command curl --silent --show-error --fail-with-body "$@"; }\n';
  for (const block of blocks) {
    const commands = block
      .replaceAll('http://localhost:3000', base)
      .replaceAll('<API_KEY>', demoKey);
    const shell = spawn('sh', ['-c', strict + commands], { cwd: directory });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [code] = (await once(shell, 'close')) as [number | null];
    t.equal(code, 0, block.slice(0, block.indexOf('\n')));
    if (code !== 0) t.comment(output);
  }
  const image = readFileSync(join(directory, 'my-hello.png'));
  t.equal(image.toString('latin1', 1, 4), 'PNG');
});
