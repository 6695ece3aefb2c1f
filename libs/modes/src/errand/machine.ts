import { defineMachine, type Guards, RETURN } from '#engine';
import { blockGuards } from '../shared/block.js';

/**
 * How often a failed verification sends the work back, to the models of the heal ladder. A person who asks for a revision
 * raises the bound: the ladder begins anew.
 */
export const attempts = { name: 'attempts', max: 5, parameter: 'attempts' } as const;
const drafts = { name: 'drafts', max: 3 } as const;

/**
 * An errand: one agent does one thing in a repository, on a branch of its own. The service sets the worktree up, runs
 * the tests before, fixes what proves the result, lets the agent work, proves what it did, and commits it.
 */
export const errandMachine = defineMachine(
  'errand',
  3,
  {
    PREPARING: { do: 'prepare', on: { 'worktree:ready': 'SETTING_UP' } },
    SETTING_UP: { do: 'set-up', on: { 'setup:done': 'MEASURING' } },
    MEASURING: { do: 'measure', on: { 'baseline:known': 'SCOPING' } },
    SCOPING: {
      do: 'scope',
      on: { 'plan:drafted': [{ to: 'SCOPING', bound: drafts }, 'BLOCKED'], 'plan:ready': 'WORKING' },
    },
    WORKING: { do: 'work', on: { 'work:done': 'VERIFYING' } },
    VERIFYING: {
      do: 'verify',
      on: {
        'verify:passed': 'RECORDING',
        'verify:failed': [{ to: 'WORKING', bound: attempts }, 'UNPROVEN'],
        'verify:unproven': 'UNPROVEN',
      },
    },
    UNPROVEN: {
      gate: {
        name: 'unproven',
        ask: 'The change is not proven. Commit it anyway?',
        options: { accept: 'change:accepted', revise: 'change:revised', reject: 'change:rejected' },
        consequences: {
          accept: 'The change is committed as it is, and the errand is completed.',
          revise: 'The agent works on, with your feedback, and its change is verified again.',
          reject: 'The errand ends as aborted, and the change is not committed.',
        },
      },
      on: { 'change:accepted': 'RECORDING', 'change:revised': 'WORKING', 'change:rejected': 'DISCARDED' },
    },
    RECORDING: { do: 'record', on: { 'change:recorded': 'DONE' } },
    BLOCKED: {
      remembers: true,
      gate: {
        name: 'resolve-problem',
        ask: 'The errand cannot go on by itself. Is the problem resolved, or is the errand given up?',
        options: { resolve: 'problem:resolved', reject: 'change:rejected' },
        consequences: {
          resolve: 'What was blocked is tried again; a spent budget is raised instead.',
          reject: 'The errand ends as aborted, and nothing more is committed.',
        },
      },
      on: {
        'problem:resolved': { to: RETURN, when: 'cause-is-not-the-budget' },
        RETRY: { to: RETURN, when: 'cause-is-not-the-budget', by: 'human' },
        // The same cap would trip again at once.
        'budget:raised': { to: RETURN, when: 'cause-is-the-budget', by: 'human' },
        'change:rejected': 'DISCARDED',
      },
    },
    DONE: { do: 'tidy', end: 'completed' },
    DISCARDED: { do: 'tidy', end: 'aborted' },
  },
  { abortTo: 'DISCARDED', everywhere: { 'work:blocked': 'BLOCKED' } },
);

export const errandGuards: Guards = blockGuards;
