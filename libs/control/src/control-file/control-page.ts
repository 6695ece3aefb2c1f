import { type Command, COMMANDS, type Machine, TABLE_COMMANDS } from '#engine';

/** The commands that a machine's table has a use for, in any state; the engine's own are in every one. */
export function commandsOf(machine: Machine | undefined): readonly Command[] {
  const accepted = new Set(Object.values(machine?.states ?? {}).flatMap(({ on }) => Object.keys(on)));
  const isOfTable = (command: Command): boolean => TABLE_COMMANDS.some((one) => one === command);
  // A step that failed is tried again in every machine.
  return COMMANDS.filter(
    (command) => machine === undefined || !isOfTable(command) || command === 'RETRY' || accepted.has(command),
  );
}

const MEANING: Readonly<Record<Command, string>> = {
  PAUSE: 'nothing new is begun; what is under way comes to its next safe point',
  RESUME: 'goes on after a PAUSE',
  SKIP: 'leaves out the step that is under way: questions, reviewers, a task, an attempt, a scenario',
  ABORT: 'gives the project up; what was done so far stays on its branch',
  STATUS: 'writes STATUS.md',
  ESCALATE: 'calls in the full team',
  RETRY: 'tries a step that failed, or a heal attempt, again. Out of BLOCKED only a person may, through the API',
};

/** CONTROL.md as a project begins with it. No line of it is a command. */
export const controlPage = (name: string, commands: readonly Command[]): string =>
  [
    `# ${name}`,
    '',
    'Write a command below, in capitals, on a line of its own, and save the file. It is looked at every 30 seconds or',
    'sooner; the line is then marked with what became of it. Gates are decided through the API alone.',
    '',
    ...commands.map((command) => `- ${command}: ${MEANING[command]}`),
    '',
    '## Commands',
    '',
    '',
  ].join('\n');
