import { routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { EXIT } from '../exit-codes.js';
import { clean } from '../show/clean.js';
import { gateLines } from '../show/gate-lines.js';

export const gates = command({
  name: 'gates',
  summary: 'everything that waits for a person, oldest first, with the lines that answer it',
  positionals: '[PROJECT]',
  options: {},
  examples: ['qralph gates', 'qralph gates 001-dark-mode-toggle --json'],
  async run({ api, out }, { positionals: [id] }) {
    const page =
      id === undefined
        ? await allPages(api, routes.listGates)
        : await api.call(routes.projectGates, { params: { id } });
    if (out.isJson) out.json(page);
    else if (page.data.length === 0) out.lines('nothing waits for a person');
    else for (const [nth, gate] of clean(page.data).entries()) out.lines(...(nth > 0 ? [''] : []), ...gateLines(gate));
    return EXIT.ok;
  },
});
