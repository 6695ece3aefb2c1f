import { fenced, oneLine } from '../../shared/page-parts.js';
import { describeVerdict, type Scenario } from '../scenario.js';

/** The line about the evidence says the same. A doubt that follows is shown. */
const SAID_BY_EVIDENCE = /^the service ran the command: exit code \d+$/;

/** UAT.md: scenario, how it was run, evidence, verdict. */
export function acceptancePage(name: string, scenarios: readonly Scenario[], isSimulated: boolean): string {
  const lines = scenarios.flatMap(({ id, title, steps, verdict, because, by, evidence, triedOn }) => [
    '',
    `## ${id} ${oneLine(title, 200)}`,
    '',
    ...fenced(steps),
    '',
    `- verdict: ${describeVerdict({ verdict, by })}`,
    `- by: ${by ?? 'not tried yet'}`,
    ...(because === '' || (evidence && SAID_BY_EVIDENCE.test(because)) ? [] : [`- because: ${oneLine(because)}`]),
    `- tree: ${triedOn ?? 'none'}`,
    ...(evidence
      ? [
          `- evidence: the service ran the command below; ${evidence.endedBy === 'itself' ? `exit code ${String(evidence.exitCode)}` : `ended by ${evidence.endedBy}`}`,
          '',
          ...fenced(`$ ${evidence.command}\n${evidence.output}`, 'bullet'),
        ]
      : ['- evidence: none']),
  ]);
  const head = [
    `# Acceptance of ${name}`,
    ...(isSimulated ? ['', '**Written by a simulated model. The commands were really run.**'] : []),
  ];
  const tried = scenarios.filter(({ verdict }) => verdict === 'passed').length;
  const counts = `${String(tried)} of ${String(scenarios.length)} scenarios passed.`;
  const body = lines.length > 0 ? ['', counts, ...lines] : ['', 'No scenario was written.'];
  return `${[...head, ...body].join('\n')}\n`;
}
