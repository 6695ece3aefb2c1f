import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from './logger.js';
import { telemetryProbe } from './probe.js';
import { queueAround } from './spans.js';
import { formatTraceparent, newTraceparent, parseTraceparent } from './traceparent.js';
import { startTracing, type Tracing } from './tracing.js';

type Line = Readonly<Record<string, unknown>>;

let lines: Line[];
let tracing: Tracing;
const logger = createLogger(
  { logLevel: 'info', name: 'test' },
  { write: (line: string) => lines.push(JSON.parse(line) as Line) },
);
const probe = telemetryProbe({ warn: (details, message) => logger.warn(details, message) });

beforeEach(async () => {
  lines = [];
  const nowhere = { isExporting: false, serviceName: 't', sampler: 'always_on', samplerRatio: 1, exportEveryMs: 1 } as const;
  tracing = await startTracing(nowhere, 'i');
}); // prettier-ignore
afterEach(() => tracing.stop(1_000));

const said = (): Line[] => lines.map(({ projectId, traceId, spanId, msg }) => ({ projectId, traceId, spanId, msg }));
const traceOf = (traceparent: string): string | undefined => parseTraceparent(traceparent)?.traceId;

it('names the project and its trace on every line of one that is driven, with nowhere to send spans to', async () => {
  const parent = newTraceparent();
  await probe.within('project', { attributes: { projectId: 'p1' }, parent }, () =>
    probe.within('activity', { attributes: { state: 'WORKING' } }, async () => {
      await turn();
      probe.warn('a step failed', { state: 'WORKING' });
    }),
  );
  logger.info('afterwards');
  expect(said()).toEqual([
    { projectId: 'p1', traceId: traceOf(parent), spanId: undefined, msg: 'a step failed' },
    { projectId: undefined, traceId: undefined, spanId: undefined, msg: 'afterwards' },
  ]);
});

it('names the trace of a wake-up while it is handled', async () => {
  const parent = newTraceparent();
  await queueAround('project.wake', parent, async () => {
    await turn();
    logger.info('nobody is home');
  });
  expect(said()).toEqual([
    { projectId: undefined, traceId: traceOf(parent), spanId: undefined, msg: 'nobody is home' },
  ]);
});

it('never takes one project for another, however their steps interleave', async () => {
  const drives = fc.array(fc.array(fc.nat(3), { maxLength: 5 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(drives, async (all) => {
      lines = [];
      const drive = async (pauses: readonly number[], index: number): Promise<void> => {
        const traceId = String(index + 1).padStart(32, '0');
        const parent = formatTraceparent({ traceId, spanId: '1'.padStart(16, '0'), traceFlags: 1 });
        await probe.within('project', { attributes: { projectId: String(index) }, parent }, async () => {
          for (const pause of pauses) {
            for (let left = pause; left > 0; left -= 1) await turn();
            logger.info({ by: String(index), under: traceId }, 'at work');
          }
        });
      };
      await Promise.all(all.map(drive));
      expect(lines.length).toBe(all.flat().length);
      for (const { by, under, projectId, traceId } of lines) expect([projectId, traceId]).toEqual([by, under]);
    }),
    { numRuns: 30 },
  );
});
