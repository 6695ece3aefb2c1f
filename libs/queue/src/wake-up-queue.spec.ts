import { expect, it } from 'vitest';
import { newId } from '#kernel';
import { jobCatalogue } from './job-catalogue.js';
import { readJob } from './read-job.js';
import { wakeUpQueue } from './wake-up-queue.js';
import type { WorkQueue } from './work-queue.port.js';

it('turns the wake-ups of the engine into jobs that the catalogue takes', async () => {
  const added: [string, unknown][] = [];
  const add: WorkQueue['add'] = async (name, payloads) => {
    for (const payload of payloads) added.push([name, payload]);
  };
  const wakeUps = [
    { id: '1', projectId: newId(), traceparent: null },
    { id: '2', projectId: newId(), traceparent: '00-a-b-01' },
  ];
  await wakeUpQueue({ add }).wake(wakeUps);
  expect(added.map(([name, payload]) => readJob(jobCatalogue, name, payload))).toMatchObject([
    { kind: 'job', payload: { projectId: wakeUps[0]?.projectId } },
    { kind: 'job', payload: { projectId: wakeUps[1]?.projectId, traceparent: '00-a-b-01' } },
  ]);
});
