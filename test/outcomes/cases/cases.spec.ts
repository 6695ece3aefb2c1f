import { describe, expect, it } from 'vitest';
import { cases } from './index.js';
import { onePerPoint } from './one-per-point.js';

const POINTS = Array.from({ length: 11 }, (_, index) => index + 1);
const named = (kind: string) => cases.filter((one) => one.kind === kind);

describe('the outcome cases', () => {
  it('are at least 40 solvable ones, 20 lies and 3 for a person', () => {
    expect(named('solvable').length).toBeGreaterThanOrEqual(40);
    expect(named('lie').length).toBeGreaterThanOrEqual(20);
    expect(named('person').length).toBeGreaterThanOrEqual(3);
  });

  it('have names of their own that fit into the name of a model', () => {
    const names = cases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9-]{3,60}$/.test(name))).toEqual([]);
  });

  it('repeat each observed failure', () => {
    const points = new Set(cases.map(({ point }) => point));
    expect(POINTS.filter((point) => !points.has(point))).toEqual([]);
  });

  it('have one case of each observed failure for npm test', () => {
    expect([...new Set(onePerPoint.flatMap(({ point }) => point ?? []))]).toEqual(POINTS);
  });

  it('use each mode and each protocol', () => {
    expect(new Set(cases.map(({ mode }) => mode))).toEqual(new Set(['coding', 'classic', 'work', 'errand']));
    expect(new Set(cases.map(({ protocol }) => protocol))).toEqual(new Set(['anthropic', 'openai', 'none']));
  });

  it('make edits of text that is in its file exactly once', () => {
    const unfit = cases.flatMap(({ name, does, believes, job: { target, task } }) => {
      const steps = (task.steps ?? []).map(({ change }) => change ?? {});
      const fixes = [...(task.findings ?? []), ...(believes.findings ?? [])].map(({ fix }) => fix ?? {});
      const changes = [...Object.values(does), task.right, ...Object.values(task.wrong), ...steps, ...fixes];
      return changes.flatMap(({ edits = [] }) =>
        edits
          .filter(({ path, old }) => (target.files[path] ?? '').split(old).length !== 2)
          .map(({ path, old }) => `${name}: ${path} ${old}`),
      );
    });
    expect(unfit).toEqual([]);
  });
});
