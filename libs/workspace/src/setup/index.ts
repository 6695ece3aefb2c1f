export { bringIn, type BroughtIn } from './bring-in/bring-in.js';
export { makeOwn, makeOwnWhatIsLinked } from './bring-in/make-own.js';
export { clearParts, PART_NAMES } from './bring-in/parts.js';
export { checkCopyPaths, copiedNames } from './copy-files.js';
export { type DependencyPrints, differing, printDependencies, renewed } from './dependency-prints.js';
export { detectSetup } from './detect-setup.js';
export { looseFiles, loosePaths } from './loose-files.js';
export { runSetup, type SetupResult } from './run-setup.js';
export { placeEnvironment, type WorkPlace } from './work-place.js';
