/** The program of a render process. Its argument is a `RenderProcessOptions` in JSON. */
import { processOptions } from './process-options.ts';
import { serveRenders } from './serve-renders.ts';

Object.assign(processOptions, JSON.parse(process.argv[2] ?? '{}'));
const { render } = await import('./render.ts');
const { processFigures } = await import('./process-figures.ts');
serveRenders(render, processFigures);
