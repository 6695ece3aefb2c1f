import { expect, it } from 'vitest';
import { outputSchema } from '#models';
import { PlanOutput } from './classic.prompt.js';

it('a plan can be asked of every model, and need not say how long its steps take', () => {
  const { schema, fromModel } = outputSchema(PlanOutput);
  expect(JSON.stringify(schema)).toContain('"required":["title","check","minutes"]');
  const minutes = { low: 1, expected: 2, high: 3 };
  const said = (step: object) => ({ summary: 's', steps: [{ title: 't', check: 'c', ...step }], risks: [] });
  expect(PlanOutput.parse(fromModel(said({ minutes })))).toEqual(said({ minutes }));
  for (const open of [{ minutes: null }, {}]) expect(PlanOutput.parse(fromModel(said(open)))).toEqual(said({}));
});
