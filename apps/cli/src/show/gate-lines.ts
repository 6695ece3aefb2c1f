import type { Gate } from '#contracts';
import { answerCommands, optionsOf } from './answer-command.js';
import { bold, dim, yellow } from './style.js';

/** A plan stands in PLAN.md. What a person is asked otherwise is made to fit on one screen, and is shown whole. */
const PLAN_LINES = 12;
const SCREEN_LINES = 60;

/** What waits for a person: what is asked, why, and how to answer it. */
export function gateLines(gate: Gate, indent = ''): string[] {
  const { project, name, ask, why, consequences, default: preset } = gate;
  const part = project.parent ? dim(`, a part of ${project.parent.name}`) : '';
  const reasons = (why ?? '').split('\n').filter((line) => line.trim() !== '');
  const most = isInPlan(gate) ? PLAN_LINES : SCREEN_LINES;
  const hidden = reasons.length - most;
  const asked = `${bold(project.name)}${part}  ${yellow(name)}: ${ask}`;
  if (gate.decided) return [asked, `  ${storedLine(gate.decided)}`].map((line) => indent + line);
  return [
    asked,
    ...reasons.slice(0, most).map((line) => `  ${dim('│')} ${line}`),
    ...(hidden > 0 ? [`  ${dim(`│ … and ${String(hidden)} more lines, ${whereOf(gate)}`)}`] : []),
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

const isInPlan = ({ name, ask, why }: Gate): boolean => name === 'plan' || `${ask}${why ?? ''}`.includes('PLAN.md');

const whereOf = (gate: Gate): string => (isInPlan(gate) ? `in: qralph show ${gate.project.name} PLAN.md` : 'in --json');
