import type { Gate } from '#contracts';
import { answerCommands, optionsOf } from './answer-command.js';
import { bold, dim, yellow } from './style.js';

const WHY_LINES = 12;

/** What waits for a person: what is asked, why, and how to answer it. */
export function gateLines(gate: Gate, indent = ''): string[] {
  const { project, name, ask, why, consequences, default: preset } = gate;
  const part = project.parent ? dim(`, a part of ${project.parent.name}`) : '';
  const reasons = (why ?? '').split('\n').filter((line) => line.trim() !== '');
  const hidden = reasons.length - WHY_LINES;
  const asked = `${bold(project.name)}${part}  ${yellow(name)}: ${ask}`;
  if (gate.decided) return [asked, `  ${storedLine(gate.decided)}`].map((line) => indent + line);
  return [
    asked,
    ...reasons.slice(0, WHY_LINES).map((line) => `  ${dim('│')} ${line}`),
    ...(hidden > 0 ? [`  ${dim(`│ … and ${String(hidden)} lines more, ${whereOf(gate)}`)}`] : []),
    ...answerCommands(gate).flatMap((line, nth) => {
      const leadsTo = consequences[optionsOf(gate)[nth] ?? ''];
      return [`  ${dim('→')} ${line}`, ...(leadsTo === undefined ? [] : [`      ${dim(leadsTo)}`])];
    }),
    ...(preset === null
      ? []
      : [`  ${dim(`if nobody decides${preset.at === null ? '' : ` by ${preset.at}`}: ${preset.does}`)}`]),
  ].map((line) => indent + line);
}

/** Nothing is asked any more: a second answer would be refused. */
const storedLine = ({ decision, at }: NonNullable<Gate['decided']>): string =>
  `${decision} is stored since ${at}: taken up at once, or at RESUME where the project is paused`;

/** A plan stands whole in the page that the question is about. */
const whereOf = ({ name, ask, why, project }: Gate): string =>
  name === 'plan' || `${ask}${why ?? ''}`.includes('PLAN.md') ? `in: qralph show ${project.name} PLAN.md` : 'in --json';
