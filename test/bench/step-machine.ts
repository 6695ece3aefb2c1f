import { defineMachine, type MachineRegistry, report, type RunnableMachine } from '#engine';
import type { Json } from '#kernel';

const machine = defineMachine(
  'bench-steps',
  1,
  {
    STEP: { do: 'step', on: { stepped: [{ to: 'STEP', bound: { name: 'steps', max: 1e9 } }, { to: 'OVER' }] } },
    OVER: { end: 'completed' },
  },
  { abortTo: 'OVER' },
);

/** What one step leaves under the context key `progress`. Called at the start of each step. */
export type Step = (project: string, step: number) => Promise<Json> | Json;

/** A machine that does nothing but move: each step changes one key of the context and enters the state anew. */
export const stepMachine = (step: Step): RunnableMachine => ({
  machine,
  guards: {},
  activities: {
    step: async ({ project, visit }) => report('stepped', { progress: await step(project.id, visit) }),
  },
});

export const registryOf = (runnable: RunnableMachine): MachineRegistry => ({
  resolve: () => Promise.resolve({ kind: 'runnable', runnable }),
  newest: () => runnable,
});
