import type { Priority } from '#contracts';
import type { RawFinding } from '../findings/raw-finding.js';
import { block, inline, shortNumber } from './page-text.js';

const PRIORITIES: readonly Priority[] = ['P0', 'P1', 'P2'];

interface Shown extends RawFinding {
  readonly id?: string;
  readonly agents?: readonly string[];
}

/** `### P0`, `### P1`, `### P2`, each with a bullet for each of its findings. */
export const findingLines = (findings: readonly Shown[], mostOfBody: number): readonly string[] =>
  PRIORITIES.flatMap((level) => {
    const shown = findings.filter(({ priority }) => priority === level);
    const bullets = shown.flatMap((finding) => bulletOf(finding, mostOfBody));
    return ['', `### ${level}`, '', ...(bullets.length === 0 ? ['- none'] : bullets)];
  });

function bulletOf(
  { id, title, body, file, line, confidence, agents, relation = 'aside' }: Shown,
  mostOfBody: number,
): readonly string[] {
  const where = file === null ? '' : `${inline(file, 500)}${line === null ? '' : `:${String(line)}`}, `;
  const who = agents ? ` [${agents.map((agent) => inline(agent)).join(', ')}]` : '';
  const number = id === undefined ? '' : `${id}: `;
  const said = block(body, mostOfBody, 'bullet');
  return [
    `- **${number}${inline(title)}** (${where}${relation}, confidence ${shortNumber(confidence)})${who}`,
    ...(said.length === 0 ? [] : ['', ...said]),
  ];
}
