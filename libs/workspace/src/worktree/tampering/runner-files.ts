import { dialectOf, RUNNER_FILES, RUNNER_LINES, type RunnerLines } from './dialects.js';
import { patchedPath, type PatchFile, type PatchLine } from '#kernel';

/** Whether a change of this file, or its coming, may change which tests are run. */
export function speaksOfRun(file: PatchFile): boolean {
  const name = patchedPath(file);
  if (isRenamed(file)) return true;
  const hunks = file.hunks.filter((hunk) => hunk.some((line) => isChanged(line, name)));
  if (RUNNER_FILES.test(name)) return hunks.length > 0;
  return RUNNER_LINES.some(
    (rule) =>
      rule.file.test(name) &&
      !(file.from === null && rule.isOfItsOwn === true) &&
      hunks.some((hunk) => speaks(hunk, rule, name)),
  );
}

function speaks(hunk: readonly PatchLine[], { line, beside }: RunnerLines, name: string): boolean {
  if (beside && hunk.some(({ text }) => beside.test(text))) return true;
  return hunk.some((one) => isChanged(one, name) && line.test(one.text));
}

const isChanged = ({ kind, text }: PatchLine, name: string): boolean =>
  kind !== ' ' && text.trim() !== '' && dialectOf(name)?.comment.test(text) !== true;

/** A runner finds what it did not find before, or the other way round; what is in the file need not be in the diff. */
function isRenamed({ from, to }: PatchFile): boolean {
  if (from === null || to === null || from === to) return false;
  if (RUNNER_FILES.test(from) || RUNNER_FILES.test(to)) return true;
  return RUNNER_LINES.some((rule) => rule.isOfItsOwn !== true && rule.file.test(from) !== rule.file.test(to));
}
