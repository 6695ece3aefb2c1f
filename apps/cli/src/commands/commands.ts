import { routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { EXIT } from '../exit-codes.js';
import { clean } from '../show/clean.js';
import { tableLines } from '../show/table.js';

export const commands = command({
  name: 'commands',
  summary: 'the commands that a project was given, refused ones too, and what became of each',
  positionals: 'PROJECT',
  options: {},
  examples: ['qralph commands 001-dark-mode-toggle'],
  async run({ api, out }, { positionals: [id = ''] }) {
    const page = await allPages(api, routes.listCommands, { params: { id } });
    if (out.isJson) out.json(page);
    else {
      const rows = clean(page.data).map((one) => [
        one.at,
        one.command,
        one.by.key?.name ?? one.door,
        one.outcome,
        one.effect,
      ]);
      out.lines(...tableLines(['at', 'command', 'by', 'became', 'effect'], rows));
    }
    return EXIT.ok;
  },
});
