import { routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { EXIT } from '../exit-codes.js';
import { usage } from '../failure.js';
import { clean } from '../show/clean.js';
import { dim } from '../show/style.js';

export const note = command({
  name: 'note',
  summary:
    'says something to the agents of a project, before their next call of a model; without TEXT lists what was said',
  positionals: 'PROJECT [TEXT]',
  options: {
    agent: { type: 'string', value: 'NAME', help: 'to this agent only' },
    'idempotency-key': { type: 'string', value: 'KEY', help: 'sent twice under the same key it is said once' },
  },
  examples: ["qralph note 001-dark-mode-toggle 'Use the existing theme tokens' --agent implementer"],
  async run({ api, out }, { values, positionals: [id = '', text] }) {
    const params = { id };
    if (text === undefined) {
      if (Object.keys(values).length > 0) throw usage('TEXT is missing: qralph note PROJECT TEXT; without it and options, what was said is listed'); // prettier-ignore
      const page = await allPages(api, routes.projectNotes, { params });
      if (out.isJson) out.json(page);
      else if (page.data.length === 0) out.lines('nothing was said yet');
      else
        for (const one of clean(page.data)) {
          const reached = one.deliveries.map(({ agent }) => agent).join(', ') || 'nobody yet';
          out.lines(
            `${String(one.number)}  ${dim(one.at)}  to ${one.agent ?? 'all'}: ${one.text}`,
            dim(`   reached ${reached}`),
          );
        }
      return EXIT.ok;
    }
    const { agent, 'idempotency-key': idempotencyKey } = values;
    const accepted = await api.call(routes.giveNote, {
      params,
      body: { text, ...(agent !== undefined && { agent }) },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    if (out.isJson) out.json(accepted);
    else
      out.lines(
        `note ${String(accepted.number)} reaches ${clean(agent ?? 'every agent')} with the next call of a model`,
      );
    return EXIT.ok;
  },
});
