import type { AgentOutcome } from '#agents';

/**
 * An implementer whose final message never has the asked shape is finished all the same. Its message is the summary, and
 * its files are judged as always.
 */
export function acceptText(outcome: AgentOutcome): AgentOutcome {
  if (outcome.kind !== 'failed' || outcome.code !== 'AGENT_OUTPUT_INVALID') return outcome;
  const { text, said, commit, isSimulated, report } = outcome;
  const ended = { text: text ?? said, output: null, promise: null, turns: 0, commit, isSimulated };
  return { kind: 'finished', ...ended, ...(report && { report }) };
}
