/** Starts the service, unless its code in `dist/` is stale. */
import { refuseStaleBuild } from './process/build-stamp.ts';

refuseStaleBuild();
await import('./serve.ts');
