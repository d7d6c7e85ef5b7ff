/** Every sample, asked by readers and programs for what cannot be rendered: a reader gets an image, a program the error. */
import t from 'tap';
import type { Test } from 'tap';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { checkAudience, requesters } from '../helpers/audience.ts';
import type { Requester } from '../helpers/audience.ts';
import { childrenOf } from '../helpers/child-processes.ts';
import { checkSame, plainImage, sends } from './image-bytes.ts';
import type { Answer } from './request.ts';
import { eventually, startService } from './service.ts';

const origin = await startOrigin({
  '/page': sends('<!doctype html><title>Not found</title>', 'text/html'),
  '/named.png': sends('<!doctype html><title>Not found</title>', 'image/png'),
  '/photo.png': sends(await plainImage('#00ff00')),
});
const silent = await startRawOrigin(() => undefined);
t.teardown(() => Promise.all([origin.close(), silent.close()]));
const environment = {
  PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '1000',
  PLATEN_RENDER_QUEUE_MAX: '1',
  PLATEN_RENDER_TIMEOUT_MS: '60000',
};
const service = await startService(t, { origins: [origin, silent], environment });

/** Each sample's link, with its first text and its image variable. */
const samples = [
  { file: 'welcome-banner.jpg', text: 'name', image: 'photo' },
  { file: 'product-card.png', text: 'title', image: 'product' },
  { file: 'event-ticket.png', text: 'name' },
  { file: 'quote.png', text: 'quote' },
  { file: 'countdown-banner.jpg', text: 'headline' },
  { file: 'hello.png', text: 'name' },
] as const;

const badRequest = { status: 400, code: 'BAD_REQUEST' };

function ask({ headers }: Requester, link: string, method = 'GET'): Promise<Answer> {
  return service.render(link, { headers, method, agent: false });
}

/** Asks for a link as everybody does, twice, so that each kind comes before and after the other. */
async function askInTurn(t: Test, link: string): Promise<void> {
  for (const requester of [...requesters, ...requesters.toReversed()]) {
    const answer = await ask(requester, link);
    await checkAudience(t, requester, answer, badRequest, link);
    const headed = await ask(requester, link, 'HEAD');
    t.equal(headed.status, answer.status, `HEAD of ${requester.name}`);
    // Drawn again, the same pixels may have other bytes.
    t.ok(Number(headed.headers['content-length']) > 50, `HEAD of ${requester.name}`);
    for (const name of ['content-type', 'cache-control', 'vary', 'x-render-error']) {
      t.equal(headed.headers[name], answer.headers[name], `HEAD of ${requester.name}: ${name}`);
    }
  }
}

t.test('what succeeds is the same for everybody, and may be kept for everybody', async (t) => {
  const link = `product-card.png?product=${encodeURIComponent(origin.url('/photo.png'))}`;
  for (const requester of requesters) {
    const { status, headers } = await ask(requester, link);
    t.equal(status, 200);
    t.match(headers['cache-control'], /^public, max-age=300/);
    t.equal(headers['vary'], undefined);
    t.ok(headers.etag);
  }
});

for (const { file, text, ...sample } of samples) {
  t.test(`${file}: a text that is too long`, (t) =>
    askInTurn(t, `${file}?${text}=${'long+'.repeat(500)}`),
  );
  if (!('image' in sample)) continue;
  for (const [trouble, photo] of [
    ['a dead image', origin.url('/nothing.png')],
    ['a dead host', 'http://127.0.0.1:1/photo.png'],
    ['a page in place of an image', origin.url('/page')],
    ['a page that is called an image', origin.url('/named.png')],
    ['no address', 'hello'],
    ['a stalled image', silent.url('/photo.png')],
  ] as const) {
    t.test(`${file}: ${trouble}`, async (t) => {
      const link = `${file}?${text}=Zoe&${sample.image}=${encodeURIComponent(photo)}`;
      await askInTurn(t, link);
      const [reader] = requesters as [Requester];
      const best = await ask(reader, link);
      t.equal(best.headers['x-render-warnings'], `IMAGE_FAILED;layer="${sample.image}"`);
      const expected = await service.render(`${file}?${text}=Zoe`);
      await checkSame(t, best, expected, 'the text is drawn, and the default of the image');
    });
  }
}

t.test('under overload readers get the kept default and programs 503', async (t) => {
  // A countdown shows something else to some kinds of readers, and later ones see a later time.
  const readers = requesters.filter(({ isReader }) => isReader);
  const defaults = new Map<string, Answer[]>();
  for (const { file } of samples) {
    const kept: Answer[] = [];
    for (const reader of readers) kept.push(await ask(reader, file));
    defaults.set(file, kept);
  }
  const [renderer = 0] = childrenOf(service.process.pid, 'baseRendersBytesMax');
  process.kill(renderer, 'SIGSTOP');
  const resume = (): unknown => process.kill(renderer, 'SIGCONT');
  t.teardown(resume);
  // One render that is stopped, and one that waits behind it: there is no slot for more.
  const admitted = [1, 2].map((index) => service.render(`hello?name=first${index}`));
  const isFull = await eventually(
    async () => (await service.metric('platen_render_queue_length')) === 1,
  );
  t.ok(isFull, 'the queue is full');
  for (const { file, text } of samples) {
    for (const [number, requester] of requesters.entries()) {
      const link = `${file}?${text}=Reader+${number}`;
      const answer = await ask(requester, link);
      const overloaded = { status: 503, code: 'OVERLOADED' };
      await checkAudience(t, requester, answer, overloaded, link);
      const isKept = defaults.get(file)?.some(({ body }) => body.equals(answer.body));
      if (requester.isReader) t.ok(isKept, `${file}: its default for ${requester.name}`);
      else t.match(answer.headers['retry-after'], /^[1-9]\d*$/);
    }
  }
  const [reader] = requesters as [Requester];
  const card = await ask(reader, 'hello.webp?name=Zoe');
  await checkAudience(t, reader, card, { status: 503, code: 'OVERLOADED' }, 'a card');
  t.equal(card.headers['content-type'], 'image/webp', 'where no default is kept');
  resume();
  for (const answer of await Promise.all(admitted)) t.equal(answer.status, 200);
  const { status, headers } = await ask(reader, `hello.png?name=Reader+0`);
  t.equal(status, 200);
  t.equal(headers['x-render-error'], undefined, 'nothing of it was kept');
});
