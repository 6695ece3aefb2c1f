import { randomUUID } from 'node:crypto';

let thisProcess = randomUUID();

/** What PROCESS_MARK says in the environment of a git. */
export const markOf = (projectId: string): string => `${projectId} ${thisProcess}`;

/** From now on what was started before counts as another process's: worktrees have to be opened again. */
export const renewMark = (): void => {
  thisProcess = randomUUID();
};
