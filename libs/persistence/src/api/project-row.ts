import type { WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';

export const checksumView = (hex: string): string => (hex.startsWith('sha256:') ? hex : `sha256:${hex}`);

export const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];
export const hasEndedStatus = (status: string): boolean => ENDED.includes(status);

/** What the row says it waits for: the engine's own words, or those of the rule for bad checkpoints. */
export const waitOf = (row: Pick<ProjectModel, 'waiting'>): WaitingFor | null =>
  row.waiting === null ? null : (JSON.parse(row.waiting) as WaitingFor);
