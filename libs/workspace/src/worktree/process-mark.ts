import { randomUUID } from 'node:crypto';

const thisProcess = randomUUID();
/** Of projects whose gits this process has lost sight of. */
const renewed = new Map<string, string>();

/** What PROCESS_MARK says in the environment of a git. */
export const markOf = (projectId: string): string => `${projectId} ${renewed.get(projectId) ?? thisProcess}`;

/** From now on what runs under this mark counts as another process's: that worktree has to be opened again. */
export function distrust(mark: string): void {
  const projectId = mark.slice(0, mark.lastIndexOf(' '));
  if (mark === markOf(projectId)) renewed.set(projectId, randomUUID());
}
