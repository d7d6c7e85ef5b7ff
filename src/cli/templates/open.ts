/** Opens the source of a command's templates: a service if it names one, else the local database. */
import { CommandError, exitCodes } from '../exit-codes.ts';
import { openLocalTemplates } from './local.ts';
import { openRemoteTemplates } from './remote.ts';
import type { TemplateHome } from './home.ts';

/** Options of all commands for templates. */
export interface HomeOptions {
  /** An organization of the local database. */
  org?: string;
  /** A service. */
  url?: string;
}

/** The caller closes it. */
export async function openTemplates({ org, url }: HomeOptions): Promise<TemplateHome> {
  if (url === undefined) return openLocalTemplates(org);
  if (org === undefined) return openRemoteTemplates(url);
  throw new CommandError(
    exitCodes.usage,
    '--org and --url exclude each other: the key says which organization of a service it is.',
  );
}
