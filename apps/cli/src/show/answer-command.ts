import type { Gate } from '#contracts';

/** Decisions that are commands of their own. */
export const VERBS: readonly string[] = ['approve', 'revise', 'reject'];

/** What the lines below stand for, one by one. */
export const optionsOf = ({ kind, options }: Gate): readonly string[] => (kind === 'checkpoint' ? [] : options);

/** The very lines that answer what waits for a person: on what was looked at, so that a stale answer is refused. */
export function answerCommands(gate: Gate): string[] {
  const { name, kind, project, options, checkpoint } = gate;
  switch (kind) {
    case 'step-failed':
      // Commands, of which not each may be given: what is at its end already is not given up.
      return options.map((option) => `qralph ${option.toLowerCase()} ${project.name}`);
    case 'checkpoint':
      return [`qralph checkpoints ${project.name}`, `qralph checkpoints restore ${project.name} SEQ`];
    case 'gate':
    case 'effect':
      return options.map((option) => {
        const on = `--checkpoint ${String(checkpoint.seq)}${wordsFor(option)}`;
        return VERBS.includes(option)
          ? `qralph ${option} ${project.name} ${name} ${on}`
          : `qralph decide ${project.name} ${name} ${option} ${on}`;
      });
  }
}

function wordsFor(option: string): string {
  if (option === 'revise') return " --feedback '…'";
  return option === 'answer' ? ' --answers \'{"Q1": "…"}\'' : '';
}
