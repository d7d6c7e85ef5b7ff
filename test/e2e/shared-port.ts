/** Starts processes that may listen on one port, one beside the other. */
import type { Test } from 'tap';
import { shareFonts } from '../helpers/share-fonts.ts';
import { demoKey, eventually, startProgram } from './service.ts';
import type { Program } from './service.ts';

/** What a process prints when it is ready. */
export const readyLine = /^Platen is ready/m;

/** Starts a process that lets another one listen on its port; resolves when it says that it is ready. */
export async function startShared(
  t: Test,
  port: number,
  dataDirectory: string,
  environment: Record<string, string> = {},
): Promise<Program> {
  await shareFonts(dataDirectory);
  const program = startProgram(t, {
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(port),
    PLATEN_PORT_SHARED: 'true',
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_DEMO_API_KEY: demoKey,
    PLATEN_THREADS: '1',
    ...environment,
  });
  const isReady = (): boolean => readyLine.test(program.stdout);
  await eventually(() => isReady() || program.hasEnded, 60_000);
  if (!isReady()) throw new Error(`It did not start.\n${program.stdout}${program.stderr}`);
  return program;
}
