/** Opens the templates of a command: those of the service at `--url`, otherwise those of the local database. */
import { CommandError, exitCodes } from '../exit-codes.ts';
import { openLocalTemplates } from './local.ts';
import { openRemoteTemplates } from './remote.ts';
import type { TemplateHome } from './home.ts';

/** Options of all commands for templates. */
export interface HomeOptions {
  /** Uid or name of an organization in the local database. */
  org?: string;
  /** Address of a service. */
  url?: string;
}

/** Opens the templates, which the caller closes. */
export async function openTemplates({ org, url }: HomeOptions): Promise<TemplateHome> {
  if (url === undefined) return openLocalTemplates(org);
  if (org === undefined) return openRemoteTemplates(url);
  throw new CommandError(
    exitCodes.usage,
    '--org and --url exclude each other: the key says which organization of a service it is.',
  );
}
