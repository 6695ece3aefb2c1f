import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { type Field, openField } from '../harness/field.js';
import type { ServiceProcess } from '../harness/service-process.js';

type Line = Readonly<Record<string, unknown>>;

const linesOf = ({ log }: ServiceProcess): Line[] =>
  log.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

describe('the log, with nowhere to send spans to', () => {
  let field: Field;
  beforeAll(async () => {
    field = await openField();
    // No drill can make its repository here, and its worker says so.
    await writeFile(join(field.dataDir, 'scratch'), 'in the way');
  });
  afterAll(() => field.close());

  it('has project and trace on every line of a worker about a project, whose request has the same trace', async () => {
    const orchestrator = await field.orchestrator({ QRALPH_WORKER: 'off' });
    const worker = await field.process({ role: 'worker' });
    const started = await Promise.all([orchestrator.api.startDrill(), orchestrator.api.startDrill()]);
    for (const { id, traceId } of started) {
      await orchestrator.api.untilStatus(id, 'blocked');
      const about = linesOf(worker).filter(({ projectId }) => projectId === id);
      expect(about.filter(({ msg }) => msg === 'a step failed').length).toBe(4);
      expect(new Set(about.map((line) => line['traceId']))).toEqual(new Set([traceId]));
      const request = await eventually('the request is in the log', () =>
        linesOf(orchestrator).find((line) => line['traceId'] === traceId),
      );
      expect(request).toMatchObject({ msg: 'answered', method: 'POST', path: '/v1/projects', status: 202 });
    }
  });
});
