/** The entrance of `npm run build`: bundles of the programs and of browser code, and the pages of `docs/`. */
export { bundle, bundleBrowserCode } from './bundle.ts';
export type { Bundle } from './bundle.ts';
export { describedBase, descriptionFiles, makeDescriptions } from './descriptions.ts';
export { libraryFile } from './guides/library.ts';
export { guideFiles, makeLibrary } from './guides/make-library.ts';
