import t from 'tap';
import { isAppleKeyboard, keyLabels, keysText, matchesKeys } from '../../src/studio/wording.ts';
import type { KeyPress } from '../../src/studio/wording.ts';

function press(key: string, ...held: Array<'ctrl' | 'meta' | 'shift' | 'alt'>): KeyPress {
  return {
    key,
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    shiftKey: held.includes('shift'),
    altKey: held.includes('alt'),
  };
}

t.test('a press matches its combination alone', async (t) => {
  t.ok(matchesKeys(press('z', 'ctrl'), 'Mod+Z', false));
  t.ok(matchesKeys(press('Z', 'ctrl', 'shift'), 'Mod+Shift+Z', false));
  t.notOk(matchesKeys(press('Z', 'ctrl', 'shift'), 'Mod+Z', false));
  t.notOk(matchesKeys(press('z'), 'Mod+Z', false));
  t.notOk(matchesKeys(press('z', 'ctrl', 'alt'), 'Mod+Z', false));
  t.ok(matchesKeys(press('z', 'meta'), 'Mod+Z', true));
  t.notOk(matchesKeys(press('z', 'ctrl'), 'Mod+Z', true), 'Ctrl is another key on a Mac');
  t.ok(matchesKeys(press('ArrowLeft', 'shift'), 'Shift+ArrowLeft', false));
  t.ok(matchesKeys(press('?', 'shift'), '?', false), 'a sign counts, however it is typed');
  t.ok(matchesKeys(press('+', 'ctrl'), 'Mod++', false));
});

t.test('keys are shown by the names that stand on them', async (t) => {
  t.same(keyLabels('Mod+Shift+ArrowUp', false), ['Ctrl', 'Shift', '↑']);
  t.same(keyLabels('Mod+Alt+Z', true), ['⌘', '⌥', 'Z']);
  t.same(keyLabels('Mod++', false), ['Ctrl', '+']);
  t.same([keysText('Mod+B', false), keysText('Mod+B', true)], ['Ctrl+B', '⌘B']);
});

t.test('the keys are those of the machine', async (t) => {
  const before = Object.getOwnPropertyDescriptor(navigator, 'platform');
  for (const [platform, isApple] of [
    ['MacIntel', true],
    ['iPad', true],
    ['Linux x86_64', false],
  ] as const) {
    Object.defineProperty(navigator, 'platform', { value: platform, configurable: true });
    t.equal(isAppleKeyboard(), isApple, platform);
  }
  if (before === undefined) Reflect.deleteProperty(navigator, 'platform');
});
