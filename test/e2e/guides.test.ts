/** The guides: their commands and programs work, and a running service shows them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { demoKey, startService } from './service.ts';
import type { Service } from './service.ts';

t.setTimeout(120_000);

const repository = join(import.meta.dirname, '../..');
const folder = join(repository, 'docs/guides');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));

/** Blocks of code with their language, in order. */
function blocksOf(page: string): { language: string; code: string }[] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** How a program of a language is run; absent languages are skipped. */
const interpreters: Readonly<Record<string, { program: string; extension: string }>> = {
  php: { program: 'php', extension: 'php' },
  python: { program: 'python3', extension: 'py' },
  ruby: { program: 'ruby', extension: 'rb' },
  js: { program: join(repository, 'node_modules/.bin/node'), extension: 'mjs' },
};

async function run(
  command: string,
  args: string[],
  directory: string,
  environment: Record<string, string | undefined> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd: directory, env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** A folder with the files that guides name. */
function prepare(t: Test): string {
  const directory = t.testdir();
  copyFileSync(join(repository, 'data/templates/hello.json'), join(directory, 'greeting.json'));
  const lobster = 'node_modules/@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';
  copyFileSync(join(repository, lobster), join(directory, 'font.ttf'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(repository, join(directory, 'node_modules/platen'));
  return directory;
}

async function follow(t: Test, service: Service, name: string): Promise<void> {
  const directory = prepare(t);
  const blocks = blocksOf(readFileSync(join(folder, name), 'utf8'));
  const strict = 'set -e; curl() { command curl --silent --show-error --fail-with-body "$@"; }\n';
  let shellBlocks = 0;
  for (const [index, { language, code }] of blocks.entries()) {
    if (language === 'sh') {
      shellBlocks += 1;
      const commands = code
        .replaceAll('http://localhost:3000', service.base)
        .replaceAll('<API_KEY>', demoKey);
      // oxlint-disable-next-line no-await-in-loop -- each needs what the one before has made
      const ran = await run('sh', ['-c', strict + commands], directory);
      t.equal(ran.code, 0, `${name}: ${code.slice(0, 60)}\n${ran.output.slice(0, 500)}`);
      // test/studio/embed.test.ts runs the program of that guide.
    } else if (language !== 'text' && name !== 'embedding.md') {
      // oxlint-disable-next-line no-await-in-loop
      await runProgram(t, service, directory, { language, code, index });
    }
  }
  t.ok(shellBlocks > 0, `${name} has commands`);
}

/** A program prints a link that renders, or writes an image into its second argument. */
async function runProgram(
  t: Test,
  service: Service,
  directory: string,
  { language, code, index }: { language: string; code: string; index: number },
): Promise<void> {
  const interpreter = interpreters[language];
  if (interpreter === undefined) throw new Error(`nothing runs ${language}`);
  if (spawnSync(interpreter.program, ['--version']).status !== 0) {
    t.comment(`${language} is not installed: its program is skipped`);
    return;
  }
  const { key } = JSON.parse(readFileSync(join(directory, 'signing-key.json'), 'utf8')) as {
    key: string;
  };
  const file = `program-${index}.${interpreter.extension}`;
  writeFileSync(join(directory, file), code);
  const image = `image-${index}.png`;
  const { code: exitCode, output } = await run(
    interpreter.program,
    [file, "Zoë O'Neill & أماندا", image],
    directory,
    { SIGNING_KEY: key, BASE_URL: service.base, API_KEY: demoKey },
  );
  t.equal(exitCode, 0, `${language} ${index}: ${output}`);
  const printed = output.trim();
  const bytes = printed.startsWith('http')
    ? await (async () => {
        const answer = await fetch(printed);
        t.equal(answer.status, 200, `${language}: ${printed}`);
        const changed = await fetch(printed.replace('Zo', 'Bo'));
        t.equal(changed.status, 401, 'another value is refused');
        return Buffer.from(await answer.arrayBuffer());
      })()
    : readFileSync(join(directory, image));
  t.equal(bytes.toString('latin1', 1, 4), 'PNG', `${language} ${index}`);
}

t.test('guides work as they stand, and are pages of the service', async (t) => {
  // Those of an installation, where an address of a webhook would be checked.
  const service = await startService(t, {
    environment: {
      PLATEN_IMAGES_ALLOWED_PORTS: '80,443',
      PLATEN_EMBED_ORIGINS: 'https://app.example.com',
    },
  });
  t.same(guides, [
    'automation.md',
    'embedding.md',
    'first-template.md',
    'fonts-and-scripts.md',
    'migrate.md',
    'signed-links.md',
  ]);
  // A page of the reference with commands.
  for (const name of [...guides, '../scaling.md']) {
    // oxlint-disable-next-line no-await-in-loop -- they share a service
    await t.test(name, (t) => follow(t, service, name));
  }

  await t.test('pages have their text, links that lead on, and a search', async (t) => {
    const { text, headers } = await service.get('/docs/first-template');
    t.match(text, '<h1 id="your-first-template">Your first template</h1>');
    t.match(text, 'href="template-format#text"', 'links lead to pages of the service');
    t.match(text, 'aria-current="page">Your first template');
    t.match(headers['content-security-policy'], "form-action 'self'");
    t.notMatch(text, /<script|\son\w+=/, 'pages need no script');
    const names = new Set(
      [...text.matchAll(/href="([\w-]+)(?:#[\w-]*)?"/g)].map(([, name = '']) => name),
    );
    t.ok(names.size > 20);
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- few
      t.equal((await service.get(`/docs/${name}`)).status, 200, name);
    }
    const found = await service.get('/docs/search?q=signing+key');
    t.match(found.text, 'href="signed-links');
    const hostile = await service.get('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E');
    t.match(hostile.text, '&lt;script&gt;');
    t.notMatch(hostile.text, '<script>');
    t.equal((await service.get(`/docs/search?q=${'x+'.repeat(2000)}`)).status, 200);
    t.equal((await service.get('/docs/no-such-page')).status, 404);
    t.equal((await service.get('/docs/..%2Fpackage')).status, 404);
  });
});
