import { isTestFile } from '../tampering/dialects.js';
import { isSourceFile } from './exported-names.js';

/** `omitted`: vendored or generated, so neither read nor listed. */
export type FileKind = 'source' | 'test' | 'other' | 'omitted';

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[_-]party|\.?venv|site-packages|\.yarn|Pods)\//;
const GENERATED =
  /(?:^|\/)(?:dist|coverage|generated|__generated__|__snapshots__|__pycache__|\.next|\.nuxt)\/|\.min\.(?:[cm]?js|css)$|\.map$|\.pb\.\w+$|_pb2(?:_grpc)?\.pyi?$|[._-]generated\.\w+$|\.g\.\w+$|\.designer\.cs$|\.pyc$/i;
const LESS_USEFUL =
  /(?:^|\/)(?:examples?|docs?|documentation|bench(?:marks?)?|demos?|fixtures?|__fixtures__|samples?|website)\//i;
/** More than the depth of any folder that matters. */
const LATER = 100;

export const isOmitted = (path: string): boolean => VENDORED.test(path) || GENERATED.test(path);

export function kindOf(path: string): FileKind {
  if (isOmitted(path)) return 'omitted';
  if (!isSourceFile(path)) return 'other';
  return isTestFile(path) ? 'test' : 'source';
}

/** Files nearest to the root first; examples and documentation last. */
export function sortByUse(paths: readonly string[]): readonly string[] {
  const ranked = paths.map((path) => ({ path, rank: depthOf(path) + (LESS_USEFUL.test(path) ? LATER : 0) }));
  ranked.sort((one, other) => one.rank - other.rank || (one.path < other.path ? -1 : 1));
  return ranked.map(({ path }) => path);
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0 && depth < LATER; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}
