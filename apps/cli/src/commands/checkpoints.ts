import { routes } from '#contracts';
import { allEvents } from '../api/all-events.js';
import { allPages } from '../api/all-pages.js';
import { command, type Context } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { usage } from '../failure.js';
import { clean } from '../show/clean.js';
import { keptSentences } from '../show/event-line.js';
import { red } from '../show/style.js';
import { tableLines } from '../show/table.js';

export const checkpoints = command({
  name: 'checkpoints',
  summary: 'the chain of a project: listed, verified, gone back to, or forked',
  positionals: '[verify|restore|fork] PROJECT [SEQ]',
  options: {},
  notes: [
    'verify ends with 7 where the chain is not valid.',
    'restore goes back to a checkpoint, state and files; the project is paused then: qralph resume drives it on.',
    'fork makes a new project of one.',
  ],
  examples: ['qralph checkpoints verify 001-dark-mode-toggle', 'qralph checkpoints restore 001-dark-mode-toggle 8'],
  async run(context, { positionals: [first = '', second, third] }) {
    if (first === 'verify' && second !== undefined && third === undefined) return verify(context, second);
    if ((first === 'restore' || first === 'fork') && second !== undefined && third !== undefined)
      return goTo(context, first, second, wholeNumber('SEQ', third, 1));
    if (second !== undefined || ['verify', 'restore', 'fork'].includes(first))
      throw usage('it is qralph checkpoints PROJECT, verify PROJECT, restore PROJECT SEQ, or fork PROJECT SEQ');
    return listed(context, first);
  },
});

async function listed({ api, out }: Context, id: string): Promise<ExitCode> {
  const page = await allPages(api, routes.listCheckpoints, { params: { id } });
  if (out.isJson) out.json(page);
  else {
    const rows = clean(page.data).map((one) => [
      String(one.seq),
      one.createdAt,
      one.state ?? '?',
      one.commit?.slice(0, 7) ?? '–',
      one.quarantine === null ? (one.cause ?? '') : red(`bad: ${one.quarantine.reason}`),
    ]);
    out.lines(...tableLines(['seq', 'at', 'state', 'commit', 'cause'], rows));
  }
  return EXIT.ok;
}

async function verify({ api, out }: Context, id: string): Promise<ExitCode> {
  const result = clean(await api.call(routes.verifyCheckpoints, { params: { id } }));
  if (out.isJson) out.json(result);
  else if (result.valid) out.lines(`${String(result.checked)} checkpoints, the whole chain verifies`);
  else out.lines(red(`NOT VALID: checkpoint ${String(result.firstBad.seq)}: ${result.firstBad.reason}`));
  return result.valid ? EXIT.ok : EXIT.unsound;
}

async function goTo({ api, out }: Context, how: 'restore' | 'fork', id: string, seq: number): Promise<ExitCode> {
  const route = how === 'restore' ? routes.restoreCheckpoint : routes.forkCheckpoint;
  const project = await api.call(route, { params: { id, seq } });
  const { name, status } = clean(project);
  if (out.isJson) out.json(project);
  else if (how === 'fork') out.lines(`${name} begins where ${clean(id)} stood at checkpoint ${String(seq)}`);
  else {
    out.lines(
      `${name} is ${status} at checkpoint ${String(seq)} again; go on with: qralph resume ${name}`,
      ...(await keptLines(api, project.id, name)),
    );
  }
  return EXIT.ok;
}

/** Where what lay in the worktree is now. It was gone back all the same where that cannot be read. */
async function keptLines(api: Context['api'], id: string, name: string): Promise<string[]> {
  try {
    const restored = (await allEvents(api, id)).findLast(({ type }) => type === 'checkpoint.restored');
    return restored ? keptSentences(clean(restored)) : [];
  } catch {
    return [`whether something was kept of what lay in the worktree could not be read: qralph watch ${name}`];
  }
}
