import { routes } from '#contracts';
import { command, type Options, type Values } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { clean } from '../show/clean.js';
import { waitWords } from '../show/project-lines.js';
import { bold, dim } from '../show/style.js';
import { watch as watchProject } from '../watch/watch.js';

export const WATCH_OPTIONS = {
  'leave-at-gate': { type: 'boolean', help: 'ends with 4 as soon as it waits for a person' },
  patience: { type: 'string', value: 'SECONDS', help: 'how long a service that is away is waited for; else 600' },
} as const satisfies Options;

export function watchingOf(values: Values<typeof WATCH_OPTIONS>): { waitMs: number; leavesAtGate: boolean } {
  const waitMs = wholeNumber('--patience', values.patience ?? '600') * 1_000;
  return { waitMs, leavesAtGate: values['leave-at-gate'] === true };
}

export const watch = command({
  name: 'watch',
  summary: 'shows a project as it goes, from its beginning to its end',
  positionals: 'PROJECT',
  options: {
    after: { type: 'string', value: 'SEQ', help: 'only events after this one' },
    ...WATCH_OPTIONS,
  },
  notes: [
    'Ctrl-C leaves; the project runs on.',
    'A service that is killed and started again in between is waited for: no event is lost, none comes twice.',
    'What a reviewer hands in is shown as it comes back; the findings one by one when they have become one list.',
    'Ends with 0 where the project completed, with 3 where it was aborted or failed, with 7 where its chain of',
    'checkpoints does not verify.',
  ],
  examples: ['qralph watch 001-dark-mode-toggle', 'qralph watch 001-dark-mode-toggle --json --leave-at-gate'],
  async run(context, { values, positionals: [id = ''] }) {
    const { api, out } = context;
    const watching = watchingOf(values);
    const after = values.after === undefined ? {} : { after: wholeNumber('--after', values.after) };
    const project = await api.call(routes.getProject, { params: { id } });
    if (!out.isJson) {
      const { name, request } = clean(project);
      const waits = waitWords(clean(project));
      out.lines(
        `${bold(name)}  ${dim(request.slice(0, 100))}`,
        ...(waits === '' ? [] : [dim(`waits for ${waits}`)]),
        '',
      );
    }
    return watchProject(context, project, { ...watching, ...after, historyTo: project.checkpoint.seq });
  },
});
