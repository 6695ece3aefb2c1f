import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import type { RequestPlan } from '../scoping/request-plan.js';
import { findPutOff } from './put-off.js';

const step = (task: string, parts: number[]) => ({ task, title: `Step ${task}`, parts, findings: [], check: '' });
const part = (title: string, ...failingTests: string[]) => ({ title, interface: '', failingTests });
const PLAN: RequestPlan = {
  class: 'behaviour',
  parts: [part('one', 'test of one'), part('two')],
  steps: [step('T-001', [1]), step('T-002', [2])],
  scope: [
    { name: 'test of one', reason: '' },
    { name: 'another test', reason: '' },
  ],
  fallback: null,
};
const task = (id: string, status: ProjectTask['status']): ProjectTask => ({
  id,
  kind: 'request',
  title: id,
  detail: '',
  finding: null,
  status,
  owner: null,
  commit: null,
  note: null,
});

describe('findPutOff', () => {
  it('finds nothing if every step was carried out', () => {
    const tasks = [task('T-001', 'completed'), task('T-002', 'completed')];
    expect(findPutOff(PLAN, tasks)).toEqual({ parts: [], failures: [], steps: [] });
  });

  it('finds the parts and failures of a step that is deferred', () => {
    const tasks = [task('T-001', 'deferred'), task('T-002', 'completed')];
    expect(findPutOff(PLAN, tasks)).toEqual({ parts: [1], failures: ['test of one'], steps: ['Step T-001'] });
  });

  it('counts a failure of no part to the last step', () => {
    const tasks = [task('T-001', 'completed'), task('T-002', 'deferred')];
    expect(findPutOff(PLAN, tasks)).toMatchObject({ parts: [2], failures: ['another test'] });
  });
});
