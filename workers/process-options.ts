/** What the service gives a render process when it starts; nothing elsewhere, as in tests. */
import type { RenderProcessOptions } from '#wire/render-wire.ts';

/** Set before the modules that read it are loaded. */
export const processOptions: RenderProcessOptions = {};
