import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '#kernel';
import type { CliOrder } from '../cli-spec.js';
import { isOlder } from '../find-cli.js';
import { CLIS } from './index.js';

const order: CliOrder = {
  task: { access: 'write', mayRun: true, limits: { turns: 5, wallMs: 1_000, maxOutputTokens: 900 } },
  model: { provider: 'anthropic', model: 'claude-haiku-5-5' },
  wire: 'anthropic',
  baseUrl: 'http://127.0.0.1:1/v1/proxy/anthropic',
  token: 'qr_run_the-token',
  home: '/run/home',
  promptFile: '/run/prompt.md',
  systemFile: '/run/system.md',
  system: 'You are "a builder"\n$(rm -rf /)',
  runsCommands: true,
  isSandboxed: true,
};

/** The good end of each, as it prints it. */
const ENDS: Readonly<Record<string, readonly JsonObject[]>> = {
  claude: [
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done.',
      num_turns: 2,
      total_cost_usd: 0.25,
      modelUsage: { m: {} },
    },
  ],
  codex: [
    { type: 'error', message: 'Reconnecting... 1/2' },
    { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
    { type: 'turn.completed', usage: { input_tokens: 5 } },
  ],
  opencode: [
    { type: 'step_start', part: {} },
    {
      type: 'step_finish',
      part: { reason: 'tool-calls', cost: 0.125, tokens: { input: 3, output: 1, cache: { read: 2 } } },
    },
    { type: 'step_start', part: {} },
    { type: 'text', part: { text: 'Done.' } },
    { type: 'step_finish', part: { reason: 'stop', cost: 0.125, tokens: { input: 4, output: 2 } } },
  ],
  droid: [{ type: 'completion', finalText: 'Done.', numTurns: 2, usage: { input_tokens: 5 } }],
};

describe.each(CLIS)('$name', (spec) => {
  it('gets neither prompt nor token on its command line, and no key in its environment but the token', () => {
    const { args, env, files = {} } = spec.prepare(order);
    expect(args.join(' ')).not.toMatch(/qr_run_|builder|rm -rf/);
    expect(Object.values(env).filter((value) => value.includes('qr_run_'))).toEqual(['qr_run_the-token']);
    expect(Object.values(files).join('\n')).not.toContain('qr_run_');
    expect(JSON.stringify([env, files])).toContain('127.0.0.1:1/v1/proxy/anthropic');
  });

  it('is understood at its good end', () => {
    const reader = spec.newReader();
    expect(reader.end()).toBeNull();
    for (const event of ENDS[spec.name] ?? []) reader.read(event);
    expect(reader.end()).toMatchObject({ isGood: true, text: 'Done.' });
  });

  it('can print any event at all', () => {
    const types = [
      'result',
      'assistant',
      'turn.failed',
      'error',
      'item.completed',
      'text',
      'tool_use',
      'step_finish',
      'completion',
    ];
    const names = ['message', 'part', 'item', 'error', 'content', 'usage', 'tokens', 'state', 'changes'];
    const event = fc
      .record({ type: fc.constantFrom(...types) })
      .chain((head) => fc.dictionary(fc.constantFrom(...names), fc.jsonValue()).map((rest) => ({ ...rest, ...head })));
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const reader = spec.newReader();
        for (const one of events) for (const sign of reader.read(one)) expect(sign.kind).toMatch(/said|tool/);
        expect(typeof (reader.end()?.text ?? '')).toBe('string');
      }),
    );
  });
});

/** The good end of one that had nothing to say. */
const EMPTY: Readonly<Record<string, JsonObject>> = {
  claude: { type: 'result', subtype: 'success', is_error: false, result: '' },
  codex: { type: 'turn.completed' },
  opencode: { type: 'step_finish', part: { reason: 'stop' } },
  droid: { type: 'completion', finalText: '' },
};

it.each(CLIS)('$name has no words put into its mouth', (spec) => {
  const reader = spec.newReader();
  reader.read(EMPTY[spec.name] ?? {});
  expect(reader.end()).toMatchObject({ isGood: true, text: '' });
});

it.each([
  ['claude', { type: 'result', subtype: 'error_max_turns', is_error: true }, 'error_max_turns'],
  ['opencode', { type: 'step_finish', part: { reason: 'length' } }, 'length'],
] as const)('%s says why it failed where it says nothing else', (name, event, why) => {
  const reader = CLIS.find((spec) => spec.name === name)?.newReader();
  reader?.read(event);
  expect(reader?.end()).toMatchObject({ isGood: false, text: why });
});

it('what each reports of its cost is read', () => {
  const endOf = (name: string) => {
    const reader = CLIS.find((spec) => spec.name === name)?.newReader();
    for (const event of ENDS[name] ?? []) reader?.read(event);
    return reader?.end();
  };
  expect(endOf('claude')).toMatchObject({ costUsd: 0.25, turns: 2 });
  expect(endOf('codex')).toMatchObject({ costUsd: null, usage: { input_tokens: 5 } });
  expect(endOf('opencode')).toMatchObject({ costUsd: 0.25, usage: { input: 7, output: 3, cacheRead: 2 } });
});

it.each([
  ['claude', /,Bash/],
  ['opencode', /"bash":"allow"/],
  ['droid', /^(?!.*Execute)/],
])('%s runs commands only if it may', (name, isAllowed) => {
  const spec = CLIS.find((one) => one.name === name);
  const given = (access: 'read' | 'write', runsCommands: boolean): string => {
    const { args = [], files } = spec?.prepare({ ...order, runsCommands, task: { ...order.task, access } }) ?? {};
    return [...args, ...Object.values(files ?? {})].join(' ');
  };
  const allowed = [given('write', true), given('write', false), given('read', true), given('read', false)];
  expect(allowed.map((text) => isAllowed.test(text))).toEqual([true, false, true, false]);
});

it('versions are compared number by number', () => {
  expect(['2.1.0', '2.0.99', '10.0.0', '1.99.99'].map((version) => isOlder(version, '2.1.0'))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
