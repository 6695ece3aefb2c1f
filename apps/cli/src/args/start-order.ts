import { resolve } from 'node:path';
import type { Options, Values } from './command.js';
import { pairsOf, scalarOf, switchOf, wholeNumber } from './values.js';

export const START_OPTIONS = {
  repo: { type: 'string', value: 'FOLDER', help: 'the git repository to work in' },
  ref: { type: 'string', value: 'REF', help: 'branch, tag or commit at which the work begins; else HEAD' },
  mode: { type: 'string', value: 'MODE', help: 'coding (the default), work, classic, errand or drill' },
  variant: { type: 'string', value: 'NAME', help: 'planning, in coding mode: ends with the plan' },
  goal: { type: 'string', value: 'GOAL', help: 'green: every test that fails at the start must pass at the end' },
  asides: {
    type: 'string',
    value: 'WHICH',
    help: 'findings beside the request to fix too: P1 (the default), P0, none',
  },
  verify: { type: 'string', multiple: true, value: 'COMMAND', help: 'proves the work; found out where unset' },
  setup: { type: 'string', multiple: true, value: 'COMMAND', help: 'makes a worktree ready; found out where unset' },
  copy: { type: 'string', multiple: true, value: 'FILE', help: 'a file that git does not track, to be brought along' },
  budget: { type: 'string', value: 'USD', help: 'most that it may spend, as in 2.00' },
  tokens: { type: 'string', value: 'COUNT', help: 'most tokens that it may use' },
  pin: { type: 'string', multiple: true, value: 'AGENT', help: 'has a seat in any case' },
  forbid: { type: 'string', multiple: true, value: 'AGENT', help: 'has none' },
  count: { type: 'string', value: 'COUNT', help: 'how many agents are seated' },
  runtime: { type: 'string', value: 'NAME', help: 'what agents run on: api, claude, codex, opencode or droid' },
  model: { type: 'string', multiple: true, value: 'TIER=PROVIDER:MODEL', help: 'for the tier small, medium or large' },
  gate: { type: 'string', multiple: true, value: 'NAME[=on|off]', help: 'whether a person is asked there' },
  sandbox: { type: 'string', value: 'KIND', help: 'of agents’ commands: auto, limited or none' },
  webhook: { type: 'string', value: 'ADDRESS', help: 'is told of the project' },
  label: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'by which list finds it' },
  param: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'a setting of the mode' },
  'commit-artifacts': { type: 'boolean', help: 'the last commit carries the readable files' },
} as const satisfies Options;

/** The body of a start: what was not said is left out, and the service judges the rest. */
export function startOrder(request: string, given: Values<typeof START_OPTIONS>, cwd: string): Record<string, unknown> {
  const { repo, ref, budget, tokens, pin, forbid, count, gate, webhook, param } = given;
  const caps = {
    ...(budget !== undefined && { usd: budget }),
    ...(tokens !== undefined && { tokens: wholeNumber('--tokens', tokens, 1) }),
  };
  const agents = {
    ...(pin && { pin }),
    ...(forbid && { forbid }),
    ...(count !== undefined && { count: wholeNumber('--count', count, 1) }),
  };
  const parameters = Object.entries(pairsOf('param', param ?? [])).map(([name, value]) => [name, scalarOf(value)]);
  return {
    request,
    ...(repo !== undefined && { repo: { path: resolve(cwd, repo), ...(ref !== undefined && { ref }) } }),
    ...plain(given),
    ...(Object.keys(caps).length > 0 && { budget: caps }),
    ...(Object.keys(agents).length > 0 && { agents }),
    ...(given.model && { models: pairsOf('model', given.model) }),
    ...(gate && { gates: Object.fromEntries(gate.map((one) => switchOf('gate', one))) }),
    ...(webhook !== undefined && { webhook: { url: webhook } }),
    ...(given.label && { labels: pairsOf('label', given.label) }),
    ...(param && { parameters: Object.fromEntries(parameters) as Record<string, unknown> }),
    ...(given['commit-artifacts'] && { commitArtifacts: true }),
  };
}

/** What the body names as the option does. */
function plain(given: Values<typeof START_OPTIONS>): Record<string, unknown> {
  const { mode, variant, goal, asides, verify, setup, copy, runtime, sandbox } = given;
  const all = { mode, variant, goal, asides, verify, setup, copy, runtime, sandbox };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
