/** Faults of the running service, with its own processes: a deadline that passes, and a render process that is lost. */
import t from 'tap';
import { startRawOrigin } from '../fixtures/images-origin.ts';
import { checkAudience, requesters } from '../helpers/audience.ts';
import { childrenOf } from '../helpers/child-processes.ts';
import { eventually, startService } from './service.ts';

const silent = await startRawOrigin(() => undefined);
t.teardown(() => silent.close());

t.test('when a deadline passes readers get an image and programs 504', async (t) => {
  const environment = {
    PLATEN_RENDER_TIMEOUT_MS: '500',
    // No fetch fails before the test ends: that would be a 400.
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '30000',
  };
  const service = await startService(t, { origins: [silent], environment });
  const photo = encodeURIComponent(silent.url('/photo.png'));
  for (const [index, requester] of requesters.entries()) {
    const link = `welcome-banner.jpg?name=Reader+${index}&photo=${photo}`;
    const { headers } = requester;
    const answer = await service.render(link, { headers, agent: false });
    await checkAudience(t, requester, answer, { status: 504, code: 'TIMEOUT' }, link);
  }
});

t.test('when a render process is lost readers get an image and programs 500', async (t) => {
  const service = await startService(t);
  const isBusy = async (): Promise<boolean> =>
    (await service.metric('platen_render_threads_busy')) === 1;
  // While the process warms up, its end would lose that work, and not the link's.
  await eventually(() => service.process.stdout.includes('"event":"warmed up"'));
  // A template each: two losses of a version would be a quarantine.
  for (const [uid, isReader] of [
    ['quote', true],
    ['hello', false],
  ] as const) {
    t.equal((await service.render(`countdown-banner?headline=${uid}`)).status, 200);
    await eventually(async () => !(await isBusy()));
    const requester = requesters.find((each) => each.isReader === isReader);
    if (requester === undefined) throw new Error('There is no such requester.');
    const [renderer = 0] = childrenOf(service.process.pid, 'baseRendersBytesMax');
    process.kill(renderer, 'SIGSTOP');
    const link = `${uid}.png?name=Zoe&quote=Short`;
    const pending = service.render(link, { headers: requester.headers, agent: false });
    t.ok(await eventually(isBusy), 'the render is under way');
    process.kill(renderer, 'SIGKILL');
    await checkAudience(t, requester, await pending, { status: 500, code: 'INTERNAL' }, link);
  }
});
