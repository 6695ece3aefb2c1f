import { oneLine } from '../../shared/page-parts.js';
import { contextOf } from '../context.js';
import type { Shown } from './seed-state.js';

/** States in which no work is left. */
const ENDS = ['COMPLETE', 'TEAM_SHUTDOWN'];

/** What a person who comes back to the project does next. */
export function nextInstructions(scene: Shown): readonly string[] {
  const { project, state, status, gate, wait, context } = scene;
  const at = `/v1/projects/${project.id}`;
  if (status === 'paused') return [`The project is paused. \`POST ${at}/commands\` with RESUME continues it.`];
  if (status === 'failed') return ['The project failed because of an error of the service. It does not continue.'];
  if (gate) {
    const isOverBudget = contextOf(scene).block?.cause === 'budget';
    return [
      `The project waits for your decision: ${oneLine(gate.ask)}`,
      '',
      ...(isOverBudget ? [`The budget is spent. To continue, raise it: \`POST ${at}/budget\`.`, ''] : []),
      `To decide: \`POST ${at}/gates/${gate.name}\` with one of ${Object.keys(gate.options).join(', ')}.`,
    ];
  }
  if (wait?.kind === 'step-failed') {
    return [`${oneLine(wait.message)}`, '', `\`POST ${at}/commands\` with RETRY runs the step again.`];
  }
  if (ENDS.includes(state) || status === 'completed' || status === 'aborted') {
    const { baseCommit, branch } = contextOf({ context });
    const look =
      baseCommit && branch ? ` To see the change: \`git log -p ${baseCommit.slice(0, 12)}..${branch}\`.` : '';
    return [`The project has ended. SUMMARY.md says how.${look}`];
  }
  const why = wait?.kind === 'time' ? ` It waits now: ${oneLine(wait.words ?? wait.reason)}` : '';
  return [`You need to do nothing: the project continues by itself.${why} \`GET ${at}/events\` shows it live.`];
}
