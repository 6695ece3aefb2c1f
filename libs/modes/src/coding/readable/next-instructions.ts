import { oneLine } from '../../shared/page-parts.js';
import { contextOf } from '../context.js';
import type { Shown } from './seed-state.js';

/** Where all that can be done is done. */
const ENDS = ['COMPLETE', 'TEAM_SHUTDOWN'];

/** What somebody does next who comes back to the project. */
export function nextInstructions(scene: Shown): readonly string[] {
  const { project, state, status, gate, wait, context } = scene;
  const at = `/v1/projects/${project.id}`;
  if (status === 'paused') return [`Paused. \`POST ${at}/commands\` with RESUME goes on.`];
  if (status === 'failed') return ['It failed by a fault of the service, and goes no further.'];
  if (gate) {
    const isOverBudget = contextOf(scene).block?.cause === 'budget';
    return [
      `A person is asked: ${oneLine(gate.ask)}`,
      '',
      ...(isOverBudget ? [`A spent budget is left by raising it: \`POST ${at}/budget\`.`, ''] : []),
      `\`POST ${at}/gates/${gate.name}\` with a decision: ${Object.keys(gate.options).join(', ')}.`,
    ];
  }
  if (wait?.kind === 'step-failed') {
    return [`${oneLine(wait.message)}`, '', `\`POST ${at}/commands\` with RETRY tries it again.`];
  }
  if (ENDS.includes(state) || status === 'completed' || status === 'aborted') {
    const { baseCommit, branch } = context as { readonly baseCommit?: string; readonly branch?: string };
    const look = baseCommit && branch ? ` What was changed: \`git log -p ${baseCommit.slice(0, 12)}..${branch}\`.` : '';
    return [`Nothing goes on by itself any more. How it ended is in SUMMARY.md.${look}`];
  }
  const why = wait?.kind === 'time' ? ` It waits: ${oneLine(wait.words ?? wait.reason)}` : '';
  return [`Nothing: it goes on by itself.${why} \`GET ${at}/events\` shows it live.`];
}
