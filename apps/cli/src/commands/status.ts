import { type ProjectSummary, routes } from '#contracts';
import { command, type Context } from '../args/command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { clean } from '../show/clean.js';
import { gateLines } from '../show/gate-lines.js';
import { spentOf, statusWord } from '../show/project-lines.js';
import { bold, dim } from '../show/style.js';
import { exitOf } from '../watch/watch.js';

export const status = command({
  name: 'status',
  summary: 'where a project stands, in ten seconds: who is waited for, what comes next',
  positionals: 'PROJECT',
  options: {
    write: {
      type: 'boolean',
      help: 'gives the command STATUS too, which leaves an event and, in the repository, STATUS.md',
    },
    'exit-code': {
      type: 'boolean',
      help: 'ends with 3 where it ended badly, with 4 where it waits, is blocked or paused',
    },
  },
  examples: ['qralph status 001-dark-mode-toggle', 'qralph status 001-dark-mode-toggle --json --exit-code'],
  async run(context, { values, positionals: [id = ''] }) {
    const { api, out } = context;
    const params = { id };
    if (values.write) await api.call(routes.commandProject, { params, body: { command: 'STATUS' } });
    const summary = await api.call(routes.projectSummary, { params });
    if (out.isJson) out.json(summary);
    else await show(context, clean(summary));
    return codeOf(summary, values['exit-code'] === true);
  },
});

const codeOf = ({ project }: ProjectSummary, isWanted: boolean): ExitCode => (isWanted ? exitOf(project) : EXIT.ok);

async function show({ api, out }: Context, summary: ProjectSummary): Promise<void> {
  const { project, simulated, proven, headline, plan, current, unknown, uncommitted, log, budget } = summary;
  out.lines(
    `${bold(project.name)}  ${statusWord(project.status)}  ${dim(`${project.mode}, ${project.state}, checkpoint ${String(project.checkpoint.seq)}`)}`,
    ...headline.map((line) => `  ${line}`),
    `  ${spentOf({ budget, simulated })}${simulated ? dim(' (simulated model)') : ''}`,
    ...(proven === null ? [] : [`  proven: ${proven}`]),
  );
  section(
    out,
    `plan, ${String(plan.done)} of ${String(plan.total)} done`,
    plan.items.map(({ box, text }) => `[${box}] ${text}`),
    plan.more,
  );
  section(out, 'now', current);
  section(
    out,
    'STATUS UNKNOWN',
    unknown.items.map(({ what, then }) => `${what}: ${then}`),
    unknown.more,
  );
  section(out, 'open findings', summary.findings.open, summary.findings.more);
  section(out, 'problems', summary.problems.items, summary.problems.more);
  section(
    out,
    'not committed',
    [...uncommitted.files, ...(uncommitted.isKnown ? [] : ['git could not say all of it'])],
    uncommitted.more,
  );
  section(out, 'lately', log.rows, log.more);
  const { data } = clean(await api.call(routes.projectGates, { params: { id: project.id } }));
  for (const gate of data) out.lines('', ...gateLines(gate));
}

function section(out: Context['out'], title: string, lines: readonly string[], more = 0): void {
  if (lines.length === 0) return;
  const rest = more > 0 ? [dim(`… and ${String(more)} more`)] : [];
  out.lines('', bold(title), ...[...lines, ...rest].map((line) => `  ${line}`));
}
