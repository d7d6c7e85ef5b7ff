/** What the API's description shows as an example is taken by the service itself. */
import t from 'tap';
import type { Operation } from '../../src/api/declaration.ts';
import { exampleText } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { demoKey, startService } from './service.ts';

t.test('no example of a body is refused for what it says', async (t) => {
  const service = await startService(t, {
    // The port of the example of a webhook is allowed, as it is by default.
    origins: [{ port: 443 }],
    environment: { PLATEN_EMBED_ORIGINS: 'https://app.example.com' },
  });
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
    const answer = await fetch(service.base + filled, {
      method: method.toUpperCase(),
      headers: { 'X-API-Key': demoKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(example),
    });
    const text = await answer.text();
    // The image that an address leads to is not there: nothing outside is asked in tests.
    const isOutside = answer.status === 400 && /"The image /.test(text);
    t.ok(answer.status !== 400 || isOutside, `${id}: ${answer.status} ${text.slice(0, 200)}`);
    t.ok(answer.status < 500, `${id}: ${answer.status}`);
  }
});
