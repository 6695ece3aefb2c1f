import { routes, type StartedProject } from '#contracts';
import { command } from '../args/command.js';
import { START_OPTIONS, startOrder } from '../args/start-order.js';
import { EXIT } from '../exit-codes.js';
import { usage } from '../failure.js';
import { clean } from '../show/clean.js';
import { bold, dim } from '../show/style.js';
import { watch } from '../watch/watch.js';
import { WATCH_OPTIONS, watchingOf } from './watch.js';

export const start = command({
  name: 'start',
  summary: 'starts a project',
  positionals: 'REQUEST',
  options: {
    ...START_OPTIONS,
    watch: { type: 'boolean', help: 'stays and shows it, to its end' },
    ...WATCH_OPTIONS,
    'idempotency-key': { type: 'string', value: 'KEY', help: 'sent twice under the same key it starts once' },
  },
  notes: [
    'With --watch --json the first line is the project, each further one an event.',
    'Which of the options a mode knows is in docs/api.md; one that it does not know is refused.',
  ],
  examples: [
    "qralph start 'Add dark mode toggle' --repo ./greeter --verify 'npm test' --budget 2.00 --watch",
    "qralph start 'Compare three date libraries' --mode work --repo .",
    "qralph start 'Walk through a drill' --mode drill --param rounds=2 --param width=3",
  ],
  async run(context, { values, positionals: [request = ''] }) {
    const { api, out } = context;
    if (values.ref !== undefined && values.repo === undefined) throw usage('--ref needs --repo');
    if (!values.watch && (values['leave-at-gate'] ?? values.patience) !== undefined)
      throw usage('--leave-at-gate and --patience are for --watch');
    const watching = watchingOf(values);
    const idempotencyKey = values['idempotency-key'];
    const project = await api.call(routes.startProject, {
      body: startOrder(request, values, context.settings.folder),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    if (!values.watch) {
      if (out.isJson) out.json(project);
      else out.lines(...begun(clean(project)), '', `watch it with: qralph watch ${clean(project.name)}`);
      return EXIT.ok;
    }
    if (out.isJson) out.jsonLine(project);
    else out.lines(...begun(clean(project)), '');
    return watch(context, project, { ...watching, historyTo: 0 });
  },
});

const begun = ({ name, id, mode, webhook }: StartedProject): string[] => [
  `${bold(name)}  ${dim(`${mode}, ${id}`)}`,
  ...(webhook
    ? [
        `webhook       ${webhook.secret ?? 'its secret was shown before'} ${dim('signs what it is sent; shown this once')}`,
      ]
    : []),
];
