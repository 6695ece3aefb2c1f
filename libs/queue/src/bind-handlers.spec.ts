import { describe, expect, it } from 'vitest';
import { EngineBug } from '#kernel';
import { bindHandlers } from './bind-handlers.js';
import { jobCatalogue } from './job-catalogue.js';
import type { JobHandler } from './work-queue.port.js';

const wake: JobHandler = { job: 'project.wake', handle: () => Promise.resolve() };
const stranger = { job: 'constructor', handle: () => Promise.resolve() } as unknown as JobHandler;

const refusal = (handlers: JobHandler[]): unknown => {
  try {
    return bindHandlers(jobCatalogue, handlers);
  } catch (error) {
    expect(error).toBeInstanceOf(EngineBug);
    return (error as EngineBug).code;
  }
};

describe('binding handlers to the catalogue', () => {
  it('binds one handler to each job', () => {
    expect([...bindHandlers(jobCatalogue, [wake]).keys()]).toEqual(['project.wake']);
  });

  it('refuses a job without, a job with two, and a handler without a job', () => {
    expect(refusal([])).toBe('MISSING_HANDLER');
    expect(refusal([wake, wake])).toBe('DOUBLE_HANDLER');
    expect(refusal([wake, stranger])).toBe('UNKNOWN_HANDLER');
  });
});
