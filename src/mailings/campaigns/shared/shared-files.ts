/** Lists and results of campaigns with a shared database: stored in PostgreSQL, and copied to nodes that use them. */
import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SingleFlight } from '../../../foundation/single-flight.ts';
import { openCampaignList } from '../../store/campaigns/campaign-list.ts';
import type {
  Campaign,
  CampaignMode,
  CampaignRun,
  RunFiles,
} from '../../store/campaigns/campaign-records.ts';
import type { CampaignStore } from '../../store/campaigns/campaign-store.ts';
import {
  deleteFiles,
  loadFile,
  readFileParts,
  readPart,
  saveFile,
} from '../../store/campaigns/campaign-files.ts';
import { campaignPaths } from '../list/import-list.ts';
import { diskReserveBytes, requireDiskSpace } from '../results/disk-space.ts';
import { resultPaths } from '../results/files/result-file.ts';
import { whenReachable } from '../run-writes.ts';
import { readProblems, writeProblems } from './problem-file.ts';
import { packImages, unpackImages } from './warm-pack.ts';
import type { Connection } from '../../../store/database/shared-port.ts';

/** File name of the problems that a proof found, for the lists of other nodes. */
export const problemsName = 'problems.jsonl';

/** File name of the warm images of a run. */
const warmName = 'warm.pack';

/** File whose text is the id of the warm images that a node has. */
const warmMarker = 'warm.id';

export interface SharedFilesOptions {
  campaignsFolder: string;
  store: Pick<CampaignStore, 'find' | 'findRun'>;
  /** Runs `work` with a connection to the shared database. */
  use: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;
}

/** Every method rejects with a `StoreError`. */
export class SharedFiles {
  readonly #options: SharedFilesOptions;
  readonly #loads = new SingleFlight<void>();

  constructor(options: SharedFilesOptions) {
    this.#options = options;
  }

  /** Stores a list that was just read. */
  async saveList(id: string): Promise<void> {
    const { list } = this.#pathsOf(id);
    await this.#options.use((connection) =>
      saveFile(connection, { id, campaignId: id }, createReadStream(list)),
    );
  }

  /** Copies the list of a campaign to this node, unless it is here. */
  async loadList(campaign: Campaign): Promise<void> {
    const { id, fileBytes } = campaign;
    const { folder, list } = this.#pathsOf(id);
    if (existsSync(list)) return;
    await this.#loads.run(id, async () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await requireDiskSpace(folder, diskReserveBytes + fileBytes);
      await this.#options.use((connection) => loadFile(connection, id, list));
    });
  }

  /** Copies the problems of the last proof to this node's list, unless the list has them. */
  async loadProblems(id: string): Promise<void> {
    await this.#loads.run(`problems of ${id}`, () => this.#loadProblems(id));
  }

  async #loadProblems(id: string): Promise<void> {
    const { store, use } = this.#options;
    const paths = this.#pathsOf(id);
    const run = store.findRun(id, 'proof');
    if (run === undefined || hasProblems(paths.list, run)) return;
    const file = filesOf(run)[problemsName];
    if (file === undefined) return;
    const path = join(paths.folder, `${problemsName}.${file.id}`);
    try {
      await use((connection) => loadFile(connection, file.id, path));
      // A proof that began meanwhile finds its problems again.
      if (store.findRun(id, 'proof')?.number === run.number) readProblems(path, paths.list, run);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Stores the results of a run. Waits while the database is away. */
  async saveResults(run: CampaignRun, signal: AbortSignal): Promise<RunFiles> {
    const { campaignsFolder } = this.#options;
    const { campaignId, mode } = run;
    const { folder, list, warm } = this.#pathsOf(campaignId);
    if (mode === 'proof') writeProblems(list, join(folder, problemsName));
    const files: Record<string, { id: string; bytes: number }> = {};
    const save = async (name: string, read: () => AsyncIterable<Uint8Array>): Promise<void> => {
      const id = randomUUID();
      const store = (connection: Connection): Promise<number> =>
        saveFile(connection, { id, campaignId }, read(), signal);
      const bytes = await whenReachable(() => this.#options.use(store), signal);
      files[name] = { id, bytes };
    };
    for (const [name, path] of findResults(campaignsFolder, run)) {
      await save(name, () => createReadStream(path));
    }
    if (mode === 'warm') await save(warmName, () => packImages(warm));
    return files;
  }

  /** Stores results under the ids that the run has already. */
  async saveNamed(run: CampaignRun): Promise<void> {
    const { campaignsFolder } = this.#options;
    const { campaignId } = run;
    for (const [name, path] of findResults(campaignsFolder, run)) {
      const file = filesOf(run)[name];
      if (file === undefined) continue;
      await this.#options.use((connection) =>
        saveFile(connection, { id: file.id, campaignId }, createReadStream(path)),
      );
    }
  }

  /** Copies the results of a run to this node, without problems and warm images. */
  async loadResults(run: CampaignRun): Promise<void> {
    const paths = this.#pathsOf(run.campaignId);
    const { files } = paths;
    for (const [name, { id }] of Object.entries(filesOf(run))) {
      const path = resultFiles(run.mode, paths)[name];
      if (path === undefined || name === problemsName) continue;
      if (run.mode === 'files') mkdirSync(files, { recursive: true, mode: 0o700 });
      await this.#options.use((connection) => loadFile(connection, id, path));
    }
  }

  /** Deletes results of a finished run from this node, because the shared database has them. Warm images stay. */
  forgetResults(run: CampaignRun): void {
    const { campaignsFolder } = this.#options;
    for (const [, path] of findResults(campaignsFolder, run)) rmSync(path, { force: true });
    if (run.mode === 'warm') this.#noteWarm(run);
  }

  /** Copies the warm images of another node's run to this node. */
  async loadWarm(run: CampaignRun): Promise<void> {
    const { use, store } = this.#options;
    const file = filesOf(run)[warmName];
    const isDeleted = (): boolean => store.find(run.campaignId) === undefined;
    if (file === undefined || isDeleted()) return;
    const { folder, warm } = this.#pathsOf(run.campaignId);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      await requireDiskSpace(folder, diskReserveBytes + file.bytes);
      await use((connection) => unpackImages(readFileParts(connection, file.id), warm));
      this.#noteWarm(run);
    } catch (error) {
      if (!isDeleted()) throw error;
    }
  }

  #noteWarm(run: CampaignRun): void {
    const { folder } = this.#pathsOf(run.campaignId);
    writeFileSync(join(folder, warmMarker), filesOf(run)[warmName]?.id ?? '', { mode: 0o600 });
  }

  /** Deletes results from the shared database that no run refers to. */
  async discard({ campaignId }: CampaignRun, files: RunFiles): Promise<void> {
    await this.#options.use(async (connection) => {
      for (const { id } of Object.values(files)) await deleteFiles(connection, campaignId, id);
    });
  }

  /** Deletes all files of a campaign from the shared database. */
  async delete(id: string): Promise<void> {
    await this.#options.use((connection) => deleteFiles(connection, id));
  }

  readPart(file: string, part: number): Promise<Uint8Array | undefined> {
    return this.#options.use((connection) => readPart(connection, file, part));
  }

  #pathsOf(id: string): ReturnType<typeof campaignPaths> {
    return campaignPaths(this.#options.campaignsFolder, id);
  }
}

/** Whether a node lacks the warm images of a finished run. */
export function lacksWarm(campaignsFolder: string, run: CampaignRun): boolean {
  const file = run.state === 'finished' ? filesOf(run)[warmName] : undefined;
  if (file === undefined) return false;
  const path = join(campaignPaths(campaignsFolder, run.campaignId).folder, warmMarker);
  return !existsSync(path) || readFileSync(path, 'utf8') !== file.id;
}

/** Names and paths of the results that a data folder has. */
export function findResults(
  campaignsFolder: string,
  { campaignId, mode }: Pick<CampaignRun, 'campaignId' | 'mode'>,
): [name: string, path: string][] {
  const results = Object.entries(resultFiles(mode, campaignPaths(campaignsFolder, campaignId)));
  return results.filter(([, path]) => existsSync(path));
}

/** Paths of the results of a mode, by name. */
function resultFiles(
  mode: CampaignMode,
  { folder, sheet, links, files }: ReturnType<typeof campaignPaths>,
): Readonly<Record<string, string>> {
  const { zip, pdf } = resultPaths(files);
  const results: Record<CampaignMode, Record<string, string>> = {
    proof: { 'sheet.png': sheet, [problemsName]: join(folder, problemsName) },
    links: { 'links.csv': links },
    files: { 'files.zip': zip, 'files.pdf': pdf },
    warm: {},
  };
  return results[mode];
}

/** The files of a run in the shared database. */
export function filesOf({ filesJson }: Pick<CampaignRun, 'filesJson'>): RunFiles {
  return JSON.parse(filesJson) as RunFiles;
}

/** Whether a list has all problems that a finished proof has found. */
function hasProblems(path: string, { number, done }: CampaignRun): boolean {
  const list = openCampaignList(path);
  try {
    const known = list.findCheckpoint('proof');
    return known?.number === number && known.done >= done;
  } finally {
    list.close();
  }
}
