import type pg from 'pg';
import type { NewEvent, Signal } from '#engine';
import { loadSignals } from '../projects/load-project.js';

/** Takes what was meant for a discarded present out of the inbox; the events tell each sender what became of it. */
export async function discardSignals(client: pg.PoolClient, projectId: string, version: number): Promise<NewEvent[]> {
  const pending = await loadSignals(client, projectId);
  await client.query(
    'UPDATE signal SET consumed_version = $2 WHERE project_id = $1 AND seq = ANY($3)',
    [projectId, version, pending.map(({ seq }) => seq)], // prettier-ignore
  );
  return pending.map(discarded);
}

function discarded({ seq, by, body }: Signal): NewEvent {
  const note = 'it was meant for what a restore has discarded';
  const named = {
    ...('id' in body && { id: body.id }),
    ...(body.kind === 'command' && { cause: body.command }),
  };
  return { type: 'signal.noted', data: { signal: seq, kind: body.kind, by, ...named, note } };
}
