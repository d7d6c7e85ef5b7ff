/** The options that the service passes to a render process at its start; empty elsewhere, as in tests. */
import type { RenderProcessOptions } from '#wire/render-wire.ts';

/** Set before the modules that read the options are loaded. */
export const processOptions: RenderProcessOptions = {};
