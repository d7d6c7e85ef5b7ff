/** When the saver of drafts sends, on a clock that the test moves. */
import { mock } from 'node:test';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { createAutosave } from '../../src/studio/state/autosave.ts';
import { aTemplate } from '../fixtures/template-documents.ts';

// The page of `opened-editor.ts` listens too, where files share a process.
if (!('addEventListener' in globalThis)) {
  Object.assign(globalThis, { addEventListener: () => undefined });
}

t.test('a save that the service has no time for now is tried again', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const statuses = [0, 429, 503];
  const client = {
    updateTemplate: async () => {
      const status = statuses.shift();
      if (status !== undefined) throw Object.assign(new Error('not now'), { status });
      return { cid: 'second' };
    },
  };
  const document = aTemplate({}) as Template;
  const copies = { of: (each: Template) => each, unfinished: { value: undefined } };
  const saver = createAutosave(client as never, 'uid', document, 'first', copies as never);
  saver.note({ ...document, name: 'Changed' });
  for (const [afterMs, state] of [
    [800, 'offline'],
    [4000, 'offline'],
    [4000, 'offline'],
    [4000, 'saved'],
  ] as const) {
    mock.timers.tick(afterMs);
    await new Promise(setImmediate);
    t.equal(saver.state.value, state);
  }
});

t.test('a change that is undone while it is saved is saved as undone', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const client = {
    updateTemplate: async (_: string, { name }: Template) => {
      sent.push(name);
      await new Promise<void>((resolve) => answers.push(resolve));
      return { cid: name };
    },
  };
  const document = aTemplate({ name: 'First' }) as Template;
  const copies = { of: (each: Template) => each, unfinished: { value: undefined } };
  const saver = createAutosave(client as never, 'uid', document, 'first', copies as never);
  saver.note({ ...document, name: 'Changed' });
  const saves = [saver.save()];
  await new Promise(setImmediate);
  saver.note(document);
  t.equal(saver.state.value, 'unsaved');
  saves.push(saver.save());
  answers.shift()?.();
  await new Promise(setImmediate);
  answers.shift()?.();
  await Promise.all(saves);
  t.same([sent, saver.state.value], [['Changed', 'First'], 'saved']);
});
