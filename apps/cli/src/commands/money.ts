import { type CostGroup, routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { EXIT } from '../exit-codes.js';
import { usage } from '../failure.js';
import { clean } from '../show/clean.js';
import { amount } from '../show/event-line.js';
import { spentOf } from '../show/project-lines.js';
import { bold } from '../show/style.js';
import { tableLines } from '../show/table.js';

export const costs = command({
  name: 'costs',
  summary: 'what a project spent by agent, model and state; without one, what all did',
  positionals: '[PROJECT]',
  options: {
    by: { type: 'string', value: 'WHAT', help: 'of all projects: project (the default), agent, model, state or day' },
  },
  examples: ['qralph costs 001-dark-mode-toggle', 'qralph costs --by day --json'],
  async run({ api, out }, { values: { by }, positionals: [id] }) {
    if (id === undefined) {
      const page = await allPages(api, routes.listCosts, { query: { groupBy: by } });
      if (out.isJson) out.json(page);
      else out.lines(...tableLines([by ?? 'project', ...FIGURES], clean(page.data).map(rowOf)));
      return EXIT.ok;
    }
    if (by !== undefined) throw usage('--by is for the costs of all projects');
    const spent = await api.call(routes.projectCosts, { params: { id } });
    if (out.isJson) {
      out.json(spent);
      return EXIT.ok;
    }
    const { total, byAgent, byModel, byState } = clean(spent);
    for (const [title, groups] of [
      ['agent', byAgent],
      ['model', byModel],
      ['state', byState],
    ] as const) {
      out.lines(...tableLines([title, ...FIGURES], groups.map(rowOf)), '');
    }
    out.lines(bold('all of it'), ...tableLines(['', ...FIGURES], [rowOf({ key: '', ...total })]));
    return EXIT.ok;
  },
});

const FIGURES = ['calls', 'tokens in', 'out', 'from cache', 'USD'];

function rowOf({ key, calls, unknownCalls, simulatedCalls, tokens, costUsd }: CostGroup): string[] {
  const notes = [
    ...(simulatedCalls > 0 ? [`${String(simulatedCalls)} by a simulated model`] : []),
    ...(unknownCalls > 0 ? [`${String(unknownCalls)} of unknown cost`] : []),
  ];
  const cost = `${costUsd ?? 'unknown'}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  const read = tokens.input + tokens.cacheWrite;
  return [key, String(calls), amount(read), amount(tokens.output), amount(tokens.cacheRead), cost];
}

export const budget = command({
  name: 'budget',
  summary: 'the caps of a project, and with options new ones',
  positionals: 'PROJECT',
  options: {
    usd: { type: 'string', value: 'USD', help: 'the new cap in dollars, as in 5.00' },
    tokens: { type: 'string', value: 'COUNT', help: 'the new cap in tokens' },
  },
  notes: ['Raising one needs the key of a human principal.'],
  examples: ['qralph budget 001-dark-mode-toggle', 'qralph budget 001-dark-mode-toggle --usd 5.00'],
  async run({ api, out }, { values: { usd, tokens }, positionals: [id = ''] }) {
    const caps = {
      ...(usd !== undefined && { usd }),
      ...(tokens !== undefined && { tokens: wholeNumber('--tokens', tokens, 1) }),
    };
    const params = { id };
    const isChange = Object.keys(caps).length > 0;
    const project = isChange
      ? await api.call(routes.changeBudget, { params, body: caps })
      : await api.call(routes.getProject, { params });
    if (out.isJson) out.json(project.budget);
    else
      out.lines(
        spentOf(clean(project)),
        `cap ${project.budget?.usd.cap ?? 'none'} USD, reserved ${project.budget?.usd.reserved ?? '0'}`,
      );
    return EXIT.ok;
  },
});
