import { documentIsForgotten, withKinds } from '../targets/fix-and-more.js';
import { jobs } from '../targets/index.js';
import { type OutcomeCase, solvable, wrong } from './case.js';

const openai = { protocol: 'openai' } as const;
const errand = { mode: 'errand' } as const;
const { fixAndDocument, fixAndTest, fixAndKeep } = jobs;

/** Bug fixes with a part for which no author finds a check that fails before the change. */
export const partsOfOtherKinds: readonly OutcomeCase[] = [
  solvable({ name: 'fix-and-readme', job: fixAndDocument }),
  solvable({ name: 'fix-and-readme-errand', job: fixAndDocument, ...errand, ...openai }),
  solvable({
    name: 'fix-and-readme-by-kind',
    job: fixAndDocument,
    believes: withKinds(fixAndDocument.task, 'behaviour', 'document'),
    ...errand,
  }),
  solvable({ name: 'fix-and-regression-test', job: fixAndTest }),
  solvable({
    name: 'fix-and-regression-test-by-kind',
    job: fixAndTest,
    believes: withKinds(fixAndTest.task, 'behaviour', 'tests'),
    ...errand,
    ...openai,
  }),
  solvable({ name: 'rest-stays-as-it-is', job: fixAndKeep }),
  solvable({ name: 'rest-stays-as-it-is-errand', job: fixAndKeep, ...errand, ...openai }),
  solvable({
    name: 'forgotten-demand',
    job: fixAndDocument,
    believes: documentIsForgotten,
    does: { small: wrong(fixAndDocument, 'fix only'), medium: wrong(fixAndDocument, 'fix only') },
  }),
];
