/** The documentation: its commands, programs and examples work as they stand, and a running service shows its guides. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
import type { Operation } from '../../src/api/declaration.ts';
import { exampleText } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/app.ts';
import { demoKey, startService } from './service.ts';
import type { Service } from './service.ts';

t.setTimeout(180_000);

const repository = join(import.meta.dirname, '../..');
const guides = readdirSync(join(repository, 'docs/guides')).filter((name) => name.endsWith('.md'));
const folder = t.testdir();
const dataDirectory = join(folder, 'data');
const service = await startService(t, {
  dataDirectory,
  // Those of an installation, where an address of a webhook would be checked.
  environment: {
    PLATEN_IMAGES_ALLOWED_PORTS: '80,443',
    PLATEN_EMBED_ORIGINS: 'https://app.example.com',
  },
});

/** Blocks of code of a page with their language, in order. */
function blocksOf(page: string): { language: string; code: string }[] {
  const text = readFileSync(join(repository, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(([, language = '', code = '']) => ({
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

/** A folder with the files that pages name. */
function prepare(t: Test): string {
  const directory = t.testdir();
  for (const name of ['greeting.json', 'template.json']) {
    copyFileSync(join(repository, 'data/templates/hello.json'), join(directory, name));
  }
  const lobster = 'node_modules/@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf';
  copyFileSync(join(repository, lobster), join(directory, 'font.ttf'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(repository, join(directory, 'node_modules/platen'));
  return directory;
}

/** Executes the blocks of a page, from the first to the last; resolves to their folder. */
async function follow(t: Test, page: string): Promise<string> {
  const directory = prepare(t);
  // An answer that is no success fails the command, and is printed.
  const strict = 'set -e; curl() { command curl --silent --show-error --fail-with-body "$@"; }\n';
  let shellBlocks = 0;
  for (const [index, { language, code }] of blocksOf(page).entries()) {
    if (language === 'sh') {
      shellBlocks += 1;
      const commands = code
        .replaceAll('http://localhost:3000', service.base)
        .replaceAll('<API_KEY>', demoKey);
      const ran = await run('sh', ['-c', strict + commands], directory);
      t.equal(ran.code, 0, `${page}: ${code.slice(0, 60)}\n${ran.output.slice(0, 500)}`);
      // test/studio/embed.test.ts runs the program of that guide.
    } else if (page.startsWith('guides/') && language !== 'text' && !page.includes('embedding')) {
      await runProgram(t, directory, { language, code, index });
    }
  }
  t.ok(shellBlocks > 0, `${page} has commands`);
  return directory;
}

/** A program prints a link that renders, or writes an image into its second argument. */
async function runProgram(
  t: Test,
  directory: string,
  { language, code, index }: { language: string; code: string; index: number },
): Promise<void> {
  const interpreter = interpreters[language];
  if (interpreter === undefined) throw new Error(`nothing runs ${language}`);
  const { program, extension } = interpreter;
  if (spawnSync(program, ['--version']).status !== 0) {
    t.comment(`${language} is not installed: its program is skipped`);
    return;
  }
  const { key } = JSON.parse(readFileSync(join(directory, 'signing-key.json'), 'utf8')) as {
    key: string;
  };
  const file = `program-${index}.${extension}`;
  writeFileSync(join(directory, file), code);
  const image = `image-${index}.png`;
  const { code: exitCode, output } = await run(
    program,
    [file, "Zoë O'Neill & أماندا", image],
    directory,
    { SIGNING_KEY: key, BASE_URL: service.base, API_KEY: demoKey },
  );
  t.equal(exitCode, 0, `${language} ${index}: ${output}`);
  const printed = output.trim();
  let bytes = Buffer.alloc(0);
  if (printed.startsWith('http')) {
    const answer = await fetch(printed);
    t.equal(answer.status, 200, `${language}: ${printed}`);
    const changed = await fetch(printed.replace('Zo', 'Bo'));
    t.equal(changed.status, 401, 'another value is refused');
    bytes = Buffer.from(await answer.arrayBuffer());
  } else bytes = readFileSync(join(directory, image));
  t.equal(bytes.toString('latin1', 1, 4), 'PNG', `${language} ${index}`);
}

// The API page names the first keys of its organization.
for (const page of ['api.md', ...guides.map((name) => `guides/${name}`), 'scaling.md']) {
  t.test(`the commands and programs of ${page} work as they stand`, async (t) => {
    const directory = await follow(t, page);
    if (page !== 'api.md') return;
    const image = readFileSync(join(directory, 'my-hello.png'));
    t.equal(image.toString('latin1', 1, 4), 'PNG');
  });
}

t.test('no example of a body is refused for what it says', async (t) => {
  const shown = endpoints.flatMap((operation: Operation) => {
    const media = operation.body?.content['application/json'];
    return media?.example === undefined ? [] : [{ operation, example: media.example }];
  });
  t.ok(shown.length >= 5, `${shown.length} examples`);
  for (const { operation, example } of shown) {
    const { id, method, path, parameters } = operation;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      exampleText(parameters.find((each) => each.name === name)),
    );
    const { status, text } = await service.get(filled, {
      method: method.toUpperCase(),
      headers: { 'X-API-Key': demoKey },
      body: JSON.stringify(example),
    });
    // The image that an address leads to is not there: nothing outside is asked in tests.
    const isOutside = status === 400 && /"The image /.test(text);
    t.ok(status !== 400 || isOutside, `${id}: ${status} ${text.slice(0, 200)}`);
    t.ok(status < 500, `${id}: ${status}`);
  }
});

t.test('guides are pages with their text, links that lead on, and a search', async (t) => {
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
  for (const name of names) t.equal((await service.get(`/docs/${name}`)).status, 200, name);
  const found = await service.get('/docs/search?q=signing+key');
  t.match(found.text, 'href="signed-links');
  const hostile = await service.get('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E');
  t.match(hostile.text, '&lt;script&gt;');
  t.notMatch(hostile.text, '<script>');
  t.equal((await service.get(`/docs/search?q=${'x+'.repeat(2000)}`)).status, 200);
  t.equal((await service.get('/docs/no-such-page')).status, 404);
  t.equal((await service.get('/docs/..%2Fpackage')).status, 404);
});

/**
 * Runs the commands of the first block of the operations page that has a text, with the folders of the test in place of
 * those of an installation. The test is systemd: it stops and starts.
 */
function operate(text: string): void {
  const found = blocksOf('operations.md').find(({ code }) => code.includes(text));
  if (found === undefined) throw new Error(`no block of the page has "${text}"`);
  const placed = found.code
    .replaceAll(/^sudo systemctl .*$/gm, '')
    .replaceAll(/\/var\/lib(?:\/private)?\/platen/g, dataDirectory)
    .replaceAll('/var/backups', folder)
    .replaceAll('/opt/platen/current', repository);
  const prelude = 'set -e; sudo() { env "$@"; }; date() { echo 2030-01-31; }\n';
  execFileSync('sh', ['-c', prelude + placed], { stdio: 'pipe' });
}

// Last, because it ends the service.
t.test('a backup of the operations page is restored by the commands of the page', async (t) => {
  const ask = (to: Service, path: string, body = ''): Promise<number> =>
    to
      .get(path, { method: body === '' ? 'GET' : 'POST', headers: { 'X-API-Key': demoKey }, body })
      .then(({ status }) => status);
  const hello = readFileSync(join(repository, 'data/templates/hello.json'), 'utf8');
  t.equal(await ask(service, '/v1/templates?uid=before-the-backup', hello), 201);
  operate('-- backup /var/backups/platen-$(date');
  t.equal(await ask(service, '/v1/templates?uid=after-the-backup', hello), 201);
  service.process.kill('SIGTERM');
  t.equal((await service.process.ended).code, 0);
  operate('platen-2030-01-31.db /var/lib');
  const restored = await startService(t, { dataDirectory });
  t.equal(await ask(restored, '/v1/templates/before-the-backup'), 200);
  t.equal(await ask(restored, '/v1/templates/after-the-backup'), 404);
  t.equal((await restored.render('hello.png?name=Amanda')).status, 200);
});
