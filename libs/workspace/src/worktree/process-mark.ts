import { randomUUID } from 'node:crypto';

const thisProcess = randomUUID();

/** What PROCESS_MARK says in the environment of a git. */
export const markOf = (projectId: string): string => `${projectId} ${thisProcess}`;
