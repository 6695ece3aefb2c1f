import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentTask, apiRuntime } from '#agents';
import type { RunnableMachine } from '#engine';
import type { Json } from '#kernel';
import { type ChatWish, type MeteredAnswer, type ModelDesk, noUsage } from '#models';
import { openPool, PgNotes } from '#persistence';
import { tempFolder } from '#testing';
import { GitWorktrees, type Sandbox, type Worktree } from '#workspace';
import { withClient, withServer } from './bench-database.js';
import { benchWorker, whileDriving } from './bench-worker.js';
import { atLeast, beside, type Bench, type Figure } from './figure.js';
import { stepMachine } from './step-machine.js';
import { createProjects } from './step-projects.js';

const AGENTS = 8;
const TURNS_PER_TASK = 50;
const FOLDERS = 40;
const FILES_PER_FOLDER = 25;
const WARM_UP_MS = 4_000;
const MEASURED_MS = 10_000;

type Call = readonly [name: string, input: Json];

/** A realistic mix: four turns look, the fifth changes a file, and the worktree is kept as a commit. */
const callOf = (turn: number): Call => {
  const path = `src/part-${String(turn % FOLDERS)}/file-${String(turn % FILES_PER_FOLDER)}.ts`;
  const mix: readonly Call[] = [
    ['read_file', { path }],
    ['search', { pattern: 'export const value\\d+', path: `src/part-${String(turn % FOLDERS)}` }],
    ['list_files', { path: 'src', depth: 1 }],
    ['read_file', { path, offset: 20, limit: 50 }],
    ['write_file', { path: `src/part-${String(turn % FOLDERS)}/made.ts`, content: fileText(turn) }],
  ];
  return mix[turn % mix.length] ?? ['list_files', {}];
};

/** Tool turns per second of agents with a model that answers at once; each journalled, the worktrees real. */
export const toolTurns: Bench = {
  name: 'tool-turns',
  run: () =>
    withServer(async (newDatabase) => {
      const folder = tempFolder('bench-turns');
      try {
        return await measured(await newDatabase(), folder.path);
      } finally {
        await folder.remove();
      }
    }),
};

async function measured(url: string, folder: string): Promise<Figure[]> {
  const repo = makeRepository(join(folder, 'repo'));
  const worktrees = new GitWorktrees({ root: join(folder, 'worktrees'), path: process.env['PATH'] ?? '' });
  const desk = new QuickDesk();
  const pool = openPool({ url, max: 8, name: 'bench', onError: () => undefined });
  const runtime = apiRuntime({ desk, worktrees, notes: new PgNotes(pool), sandbox: noCommands });
  const places = new Map<string, { worktree: Worktree; commit: string }>();
  const machine: RunnableMachine = {
    ...stepMachine(() => null),
    activities: {
      step: async (activity) => {
        const place = places.get(activity.project.id);
        if (!place) throw new Error('the project has no worktree');
        const { worktree, commit: startCommit } = place;
        const outcome = await runtime.run(task, { activity, worktree, startCommit });
        if (outcome.kind !== 'finished') throw new Error(`the agent did not finish: ${JSON.stringify(outcome)}`);
        place.commit = outcome.commit;
        return { kind: 'event', type: 'stepped' };
      },
    },
  };
  try {
    const ids = await createProjects(pool, machine, AGENTS);
    for (const [nth, projectId] of ids.entries()) {
      const wish = { projectId, name: `${String(nth + 1).padStart(3, '0')}-bench`, repo, ref: 'HEAD' };
      const worktree = await worktrees.open(wish, new AbortController().signal);
      places.set(projectId, { worktree, commit: worktree.baseCommit });
    }
    const worker = benchWorker(pool, machine, () => undefined);
    const perSecond = await whileDriving(worker, ids, async () => {
      await delay(WARM_UP_MS);
      const before = desk.toolTurns;
      const since = performance.now();
      await delay(MEASURED_MS);
      return ((desk.toolTurns - before) / (performance.now() - since)) * 1_000;
    });
    return [
      atLeast(
        { name: 'tool-turns.8-agents', value: perSecond, unit: 'turns/s', note: 'one turn in five writes' },
        'value',
        150,
      ),
      beside({ name: 'tool-turns.journalled', value: await journalled(url), unit: 'turns' }),
    ];
  } finally {
    await pool.end();
  }
}

/** Every turn that was counted stands in the journal: the next chat begins only then. */
async function journalled(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) AS count FROM effect WHERE key LIKE '%/tools' AND status = 'done'`,
    );
    return Number(rows[0]?.count ?? 0);
  });
}

const task: AgentTask = {
  step: 'task',
  role: 'bench',
  purpose: 'bench',
  attempt: 1,
  tier: 'small',
  system: 'You work.',
  prompt: 'Work.',
  access: 'write',
  mayRun: false,
  limits: { turns: TURNS_PER_TASK + 1, wallMs: 3_600_000, maxOutputTokens: 1_000 },
};

class QuickDesk implements ModelDesk {
  toolTurns = 0;

  async chat({ messages }: ChatWish): Promise<MeteredAnswer> {
    if (messages.at(-1)?.role === 'tools') this.toolTurns += 1;
    const turn = Math.floor(messages.length / 2);
    const [name, input] = callOf(this.toolTurns);
    const isLast = turn >= TURNS_PER_TASK;
    return {
      id: 'a',
      model: 'quick',
      text: 'Next.',
      toolCalls: isLast ? [] : [{ id: `call-${String(turn)}`, name, input }],
      stop: isLast ? 'end' : 'tools',
      usage: { ...noUsage, input: 1_000, output: 50 },
      raw: { text: 'Next.', name, input },
      ref: { provider: 'bench', model: 'quick' },
      isSimulated: true,
      costNanoUsd: 0n,
      contextTokens: 1_000_000,
    };
  }

  candidates(): ReturnType<ModelDesk['candidates']> {
    return [{ provider: 'bench', model: 'quick', isSimulated: true }];
  }
}

const noCommands: Sandbox = {
  kind: 'bubblewrap',
  guarantees: { hidesFiles: true, cutsNetwork: true, ownsProcesses: true },
  run: () => Promise.reject(new Error('this bench runs no commands')),
};

function makeRepository(repo: string): string {
  for (let part = 0; part < FOLDERS; part += 1) {
    const folder = join(repo, `src/part-${String(part)}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file += 1) {
      writeFileSync(join(folder, `file-${String(file)}.ts`), fileText(part * FILES_PER_FOLDER + file));
    }
  }
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', repo, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'begin');
  return repo;
}

/** About four kilobytes of code. */
function fileText(seed: number): string {
  const lines = Array.from(
    { length: 80 },
    (_, line) => `export const value${String(line)} = ${String(seed * 80 + line)}; // a line`,
  );
  return `${lines.join('\n')}\n`;
}
