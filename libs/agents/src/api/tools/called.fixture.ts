import { type Json, SecretBook, systemClock } from '#kernel';
import type { CommandResult } from '#process-monitor';
import { API_LIMITS, type ApiLimits } from '../limits.js';
import { PatternMatcher } from '../search/pattern-matcher.js';
import { ToolCalls } from '../tool-calls.js';
import { Toolbox } from './toolbox.js';

const NO_WALLS = { hidesFiles: false, cutsNetwork: false, ownsProcesses: false };
const matcher = new PatternMatcher();

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly hasChanged: boolean;
  readonly told: readonly Readonly<Record<string, unknown>>[];
}

interface Setting {
  readonly limits?: Partial<ApiLimits>;
  readonly shell?: (command: string, timeoutMs: number) => Promise<CommandResult>;
  readonly access?: 'read' | 'write';
  readonly signal?: AbortSignal;
}

/** One call of a tool, as a turn does it. */
export async function called(root: string, name: string, input: Json, setting: Setting = {}): Promise<Called> {
  const told: Record<string, unknown>[] = [];
  const signal = setting.signal ?? new AbortController().signal;
  const scene = {
    root,
    limits: { ...API_LIMITS, ...setting.limits },
    redactor: new SecretBook(['a-configured-secret']),
    matcher,
    signal,
    now: () => systemClock.now(),
    shell: setting.shell ?? (() => Promise.reject(new Error('no commands in this test'))),
  };
  const run = {
    key: 'k',
    attempt: 1,
    signal,
    lease: { projectId: 'p', workerId: 'w', epoch: 1 },
    tell: (type: string, data: object) => void told.push({ type, ...data }),
  };
  const trace = {
    within: <T>(_: string, __: string, ___: object, work: (note: () => void) => Promise<T>) => work(() => undefined),
  };
  const toolbox = new Toolbox({ access: setting.access ?? 'write', mayRun: true }, NO_WALLS);
  const parts = { trace: { ...trace, traceId: () => null } };
  const calls = new ToolCalls(toolbox, scene, parts, 'tester', run, () => Promise.resolve());
  const { results, wrote, mayHaveChanged } = await calls.perform([{ id: '1', name, input }], 200_000);
  const [result] = results;
  if (!result) throw new Error('there is no result');
  return { text: result.text, isError: result.isError, hasChanged: wrote.length > 0 || mayHaveChanged, told };
}
