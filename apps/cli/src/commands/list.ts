import { type Project, routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { EXIT } from '../exit-codes.js';
import { clean } from '../show/clean.js';
import { amount } from '../show/event-line.js';
import { statusWord } from '../show/project-lines.js';
import { tableLines } from '../show/table.js';

export const list = command({
  name: 'list',
  summary: 'lists projects, newest first',
  positionals: '',
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      help: 'running, waiting, paused, blocked, completed, aborted or failed',
    },
    state: { type: 'string', value: 'STATE', help: 'such as EXECUTING' },
    mode: { type: 'string', value: 'MODE', help: 'such as coding' },
    label: { type: 'string', value: 'NAME=VALUE', help: 'with this label' },
    limit: { type: 'string', value: 'COUNT', help: 'most that are listed; else 50' },
  },
  examples: ['qralph list', 'qralph list --status waiting --label team=web --json'],
  async run({ api, out }, { values: { status, state, mode, label, limit } }) {
    const query = { status, state, mode, label: label?.replace('=', ':') };
    const most = wholeNumber('--limit', limit ?? '50', 1);
    const page = await allPages(api, routes.listProjects, { query }, most);
    if (out.isJson) out.json(page);
    else out.lines(...tableLines(['name', 'mode', 'state', 'status', 'cost', 'request'], clean(page).data.map(rowOf)));
    return EXIT.ok;
  },
});

function rowOf({ name, mode, state, status, budget, simulated, request }: Project): string[] {
  const cost = simulated ? 'simulated' : `${budget?.usd.used ?? '0'} USD`;
  const used = budget && budget.tokens.used > 0 ? `${cost}, ${amount(budget.tokens.used)} tokens` : '–';
  return [name, mode, state, statusWord(status), used, request.slice(0, 60)];
}
