import { describe, expect, it } from 'vitest';
import { planActions } from '../targets/change.js';
import { cases } from './index.js';

const named = (kind: string) => cases.filter((one) => one.kind === kind);

describe('the outcome cases', () => {
  it('are enough', () => {
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
    expect(Array.from({ length: 11 }, (_, index) => index + 1).filter((point) => !points.has(point))).toEqual([]);
  });

  it('use each mode and each protocol', () => {
    expect(new Set(cases.map(({ mode }) => mode))).toEqual(new Set(['coding', 'classic', 'errand']));
    expect(new Set(cases.map(({ protocol }) => protocol))).toEqual(new Set(['anthropic', 'openai', 'none']));
  });

  it('make changes that fit their repositories', () => {
    const unfit = cases.flatMap(({ name, does, job }) =>
      Object.values(does).flatMap((change) => {
        const read = (path: string): string | null => job.target.files[path] ?? null;
        const edits = (change.edits ?? []).filter(({ path, old }) => !(read(path)?.includes(old) ?? false));
        return edits.map(({ path }) => `${name}: ${path} (${String(planActions(change, read).length)} actions)`);
      }),
    );
    expect(unfit).toEqual([]);
  });
});
