/** The parent's side of a painter: starts the process that draws and sends its requests. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild, startRenderChild, temporaryFolder } from './children.ts';
import type { Answer, Order, Request, Round } from './painter-program.ts';
import type { Banner, Sample } from './values.ts';

/** The start options of the service's code, as JSON in its arguments. */
export interface PlatenOptions {
  template: Sample;
  /** The text that differs between images. */
  text: 'full name' | 'short word';
  /** Image files that alternate as a new photo; if empty, the template's photo is always drawn. */
  photos: string[];
}

/** The start options of a peer, as JSON in its arguments. */
export interface PeerOptions {
  template: Banner;
  /** Image files that alternate as a new photo; if empty, the template's photo is always drawn. */
  photos: string[];
}

export interface Painter {
  name: string;
  draw(order: Order): Promise<Uint8Array>;
  /** Draws `count` images with numbers that were never used before. */
  round(format: Order['format'], count: number, concurrency: number): Promise<Round>;
  close(): Promise<void>;
}

const platenProgram = 'bench/programs/platen-process.ts';
const peerProgram = 'bench/peers/peer.ts';

/** Starts the code of the service's render hosts. */
export function startPlatenPainter(options: PlatenOptions): Promise<Painter> {
  const args = [platenProgram, JSON.stringify(options)];
  return openPainter('Platen', startRenderChild(args, painterOptions));
}

/** Starts a peer of `bench/peers`, whose packages must be installed. */
export function startPeer(name: string, options: PeerOptions): Promise<Painter> {
  const args = [peerProgram, name, JSON.stringify(options)];
  return openPainter(name, startChild(process.execPath, args, painterOptions));
}

const painterOptions: SpawnOptions = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };

async function openPainter(name: string, child: ChildProcess): Promise<Painter> {
  const waiting = new Map<number, (answer: Answer) => void>();
  const answered = (id: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(id, (answer) => {
        if (answer.error === undefined) resolve(answer);
        else reject(new Error(`${name} failed: ${answer.error}`));
      });
    });
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once('exit', (code) => {
    for (const [id, settle] of waiting) settle({ id, error: `its process ended with ${code}` });
  });
  await answered(0);

  const folder = temporaryFolder();
  let lastId = 0;
  // Lower numbers are those of checked images.
  let nextNumber = 1000;
  const send = (request: Request): Promise<Answer> => {
    child.send(request);
    return answered(request.id);
  };
  return {
    name,
    async draw(order) {
      const path = join(folder, `${order.number}.${order.format}`);
      await send({ id: (lastId += 1), kind: 'draw', ...order, path });
      return readFileSync(path);
    },
    async round(format, count, concurrency) {
      const from = nextNumber;
      nextNumber += count;
      const { ms, eachCpuMs, cpuMs } = await send({
        id: (lastId += 1),
        kind: 'round',
        format,
        from,
        count,
        concurrency,
      });
      if (ms === undefined || cpuMs === undefined || eachCpuMs === undefined) {
        throw new Error(`${name} did not say what its round took.`);
      }
      return { ms, cpuMs, eachCpuMs };
    },
    async close() {
      // An IPC channel that is closed from this side delays `close` forever.
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
