import { z } from 'zod';
import { listOf } from './list.js';
import { name } from './registry.js';
import { anyJson, checkpointSeen, checksum, isoTime, text } from './text.js';

export const Gate = name(
  'Gate',
  z.strictObject({
    name: z.string(),
    kind: z
      .enum(['gate', 'effect', 'step-failed', 'checkpoint'])
      .describe(
        'A gate of the machine, an effect whose outcome only a person knows, a step that failed for good, or a bad checkpoint',
      ),
    project: z
      .strictObject({
        id: z.uuid(),
        name: z.string(),
        parent: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
      })
      .describe('Who waits; with a parent where it is a part of another project'),
    ask: z.string(),
    why: z.string().nullable().describe('What the project itself says about it: the doubt, the problem, its output'),
    options: z.array(z.string()).describe('What may be decided'),
    consequences: z
      .record(z.string(), z.string())
      .describe('What each option leads to; empty where the project follows a table that does not say it yet'),
    default: z
      .strictObject({ does: z.string(), at: isoTime.nullable() })
      .nullable()
      .describe('What happens by itself, and when, if nobody decides; null where it waits until somebody does'),
    openedAt: isoTime.describe('Since when it waits: `GET /v1/gates` has the longest wait first'),
    answer: z.string().describe('The call that answers it'),
    checkpoint: z.strictObject({ seq: z.int(), checksum }),
    decided: z
      .strictObject({ decision: z.string(), by: z.enum(['human', 'service']), at: isoTime })
      .nullable()
      .describe(
        'What was decided and has yet to be taken up, with RESUME where the project is paused; null while it asks. `GET /v1/gates` lists only what asks',
      ),
  }),
);
export type Gate = z.infer<typeof Gate>;

export const GateList = name('GateList', listOf(Gate));

export const DecideGate = name(
  'DecideGate',
  z.strictObject({
    decision: text(1, 64).describe('One of the options of the gate'),
    feedback: text(0, 20_000).optional(),
    answers: anyJson.optional(),
    checkpoint: checkpointSeen.optional().describe('The checkpoint you looked at: refused if the project has moved on'),
  }),
);
export type DecideGate = z.infer<typeof DecideGate>;

export const DecisionAccepted = name(
  'DecisionAccepted',
  z.strictObject({ projectId: z.uuid(), gate: z.string(), decision: z.string() }),
);
export type DecisionAccepted = z.infer<typeof DecisionAccepted>;

export const GateParams = z.strictObject({
  id: z.string().min(1).max(200),
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/),
});
