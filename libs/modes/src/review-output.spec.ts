import { expect, it } from 'vitest';
import { outputSchema } from '#models';
import { ReviewOutput } from '#team';

it('a review can be asked of every model, with nothing lost in its schema', () => {
  const { schema, fromModel } = outputSchema(ReviewOutput);
  expect(JSON.stringify(schema)).not.toMatch(/(min|max)(imum|Length|Items)|pattern|format/);
  const finding = {
    priority: 'P0',
    relation: 'is-request',
    title: 'x',
    body: 'y',
    file: null,
    line: null,
    confidence: 1,
  };
  const said = { summary: 's', findings: [finding] };
  expect(ReviewOutput.parse(fromModel(said))).toEqual(said);
});
