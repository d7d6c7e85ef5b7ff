/** A node whose PostgreSQL server dies, and whose standby takes over. */
import { join } from 'node:path';
import t from 'tap';
import { demoKey, eventually, startService } from '../e2e/service.ts';
import { extent, onlyFull } from '../helpers/extent.ts';
import { promote, skipsPostgres, startReplicated } from '../helpers/postgres.ts';

t.setTimeout(300_000);

const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };

t.test(
  'a promoted standby has every acknowledged write',
  { skip: skipsPostgres || onlyFull, timeout: 300_000 },
  async (t) => {
    const { primary, standby, url } = await startReplicated(t);
    const start = (name: string) =>
      startService(t, {
        dataDirectory: join(t.testdirName, name),
        environment: { PLATEN_DATABASE_URL: url },
      });
    t.testdir();
    const nodes = [await start('a'), await start('b')];

    const stored: string[] = [];
    const over = new AbortController();
    let number = 0;
    let failedLinks = 0;
    const write = async (index: number): Promise<void> => {
      while (!over.signal.aborted) {
        const node = nodes[index % nodes.length];
        number += 1;
        const uid = `write-${number}`;
        const answer = await node?.get(`/v1/templates?uid=${uid}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({
            format: 1,
            name: uid,
            width: 9,
            height: 9,
            variables: [],
            layers: [],
          }),
        });
        if (answer?.status === 201) stored.push(uid);
      }
    };
    const read = async (): Promise<void> => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        const answer = await nodes[count % nodes.length]?.render(`hello.png?name=${count % 7}`);
        if (answer?.status !== 200) failedLinks += 1;
      }
    };
    const loops = [write(0), write(1), write(2), write(3), read()];
    const before = extent(20, 100);
    t.ok(await eventually(() => stored.length >= before, 60_000));
    primary.stop();
    const atKill = stored.length;
    promote(standby);
    t.ok(await eventually(() => stored.length >= atKill + before, 60_000), 'writes continue');
    over.abort();
    await Promise.all(loops);

    t.equal(failedLinks, 0, 'links are answered throughout');
    const known = new Set(standby.sql('platen', 'SELECT uid FROM templates').split('\n'));
    t.strictSame(
      stored.filter((uid) => !known.has(uid)),
      [],
      'no acknowledged write is lost',
    );
    for (const node of nodes) {
      t.ok(
        await eventually(async () => {
          const answers = await Promise.all(
            stored.slice(-20).map((uid) => node.get(`/v1/templates/${uid}`, { headers })),
          );
          return answers.every(({ status }) => status === 200);
        }),
      );
    }
  },
);
