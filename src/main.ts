/** Starts the service, unless its code in `dist/` is stale. */
import { useZoneRules } from './foundation/zone-rules.ts';
import { refuseStaleBuild } from './process/build-stamp.ts';

useZoneRules();
refuseStaleBuild();
await import('./serve.ts');
