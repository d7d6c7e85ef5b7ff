import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { demoKey, startService } from './service.ts';

const lobster = readFileSync(
  fileURLToPath(
    import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf'),
  ),
);

t.test('the studio gets the files of the fonts that images are drawn with', async (t) => {
  const { base } = await startService(t);
  const ask = async (query: string, key = demoKey): Promise<{ status: number; bytes: Buffer }> => {
    const answer = await fetch(`${base}/studio/fonts?${query}`, { headers: { 'X-API-Key': key } });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const [bold, italic, any] = await Promise.all([
    ask('family=Inter&weight=690'),
    ask('family=inter&weight=700&style=italic'),
    ask('family=Inter'),
  ]);
  const installed = (style: string): Buffer =>
    readFileSync(
      fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${style}/Inter_${style}.ttf`)),
    );
  t.ok(bold.bytes.equals(installed('700Bold')), 'the nearest weight');
  t.ok(
    italic.bytes.equals(installed('700Bold_Italic')),
    'the slant, whatever the case of the name',
  );
  t.ok(any.bytes.equals(installed('400Regular')), 'the regular one unless asked otherwise');

  t.equal((await ask('family=Lobster')).status, 404, 'a family that is not there');
  t.equal((await ask('family=..%2F..%2Fpackage.json')).status, 404);
  t.equal((await ask('')).status, 404);
  t.equal((await ask('family=Inter', 'no-key')).status, 401);
  const uploaded = await fetch(`${base}/v1/fonts`, {
    method: 'POST',
    headers: { 'X-API-Key': demoKey },
    body: lobster,
  });
  await uploaded.arrayBuffer();
  t.equal(uploaded.status, 201);
  const black = await ask('family=Lobster&weight=900');
  t.equal(black.status, 200, 'one of the organization');
  t.equal(black.bytes.length, lobster.length);
});
