import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '#kernel';
import { jobCatalogue } from './job-catalogue.js';
import { readJob } from './read-job.js';

const read = (name: unknown, data: unknown): string => readJob(jobCatalogue, name, data).kind;
const projectId = newId();

describe('reading a job', () => {
  it('takes a wake-up with and without trace context', () => {
    expect(read('project.wake', { projectId })).toBe('job');
    expect(read('project.wake', { projectId, traceparent: null })).toBe('job');
    expect(read('project.wake', { projectId, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })).toBe('job');
  });

  it('refuses names the catalogue does not have, inherited ones too', () => {
    for (const name of ['project.sleep', 'toString', '__proto__', '', 7, null, undefined]) {
      expect(read(name, { projectId })).toBe('refused');
    }
  });

  it.each([
    ['no project', {}],
    ['another kind of id', { projectId: '7' }],
    ['an unknown key', { projectId, priority: 1 }],
    ['an endless trace context', { projectId, traceparent: 'x'.repeat(201) }],
    ['a list', [projectId]],
    ['nothing', null],
  ])('refuses a wake-up with %s and says why', (_what, data) => {
    expect(readJob(jobCatalogue, 'project.wake', data)).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/./) as string,
    });
  });

  it('never throws, and keeps its reason short, whatever somebody wrote into the backend', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant('project.wake'), fc.string()), fc.jsonValue({ maxDepth: 20 }), (name, data) => {
        const result = readJob(jobCatalogue, name, data);
        if (result.kind === 'refused') expect(result.reason.length).toBeLessThanOrEqual(500);
      }),
    );
  });
});
