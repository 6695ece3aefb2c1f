import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Capability, CapabilitySource, Diagnostic } from '#contracts';
import { readCapability } from './files/read-capability.js';
import { byText, CRITICAL_REVIEWERS, type Discovered, type FoundAgent, type FoundSkill } from './found.js';
import { keptWithin, withoutDoubles } from './nearest.js';
import { agentFiles, type FoundFile, skillFiles } from './scan/find-files.js';
import { findPlugins } from './scan/find-plugins.js';
import { Root } from './scan/root.js';

/** Files open at once: enough to keep the disk busy, few enough for the limit of a process. */
const AT_ONCE = 32;
/** Others in this process have their turn after so long. */
const TURN_MS = 20;

export interface Places {
  readonly repo: string;
  /** Where the user keeps `agents` and `skills` of their own; null where there is none. */
  readonly userFolder: string | null;
  readonly builtIn: string;
}

interface Catch {
  readonly agents: FoundAgent[];
  readonly skills: FoundSkill[];
  readonly plugins: Capability[];
  readonly diagnostics: Diagnostic[];
}

/** Everything there is to choose from. What is odd is a diagnostic; nothing that a file says makes this fail. */
export async function discover({ repo, userFolder, builtIn }: Places): Promise<Discovered> {
  const caught: Catch = { agents: [], skills: [], plugins: [], diagnostics: [] };
  await within(await Root.open(repo, ''), caught, ofRepository);
  if (userFolder !== null) {
    const root = await Root.open(userFolder, join(userFolder, '/'));
    if (root === null) caught.diagnostics.push({ level: 'skipped', path: userFolder, message: 'is no folder' });
    await within(root, caught, ofUser);
  }
  await within(await Root.open(builtIn, 'team/'), caught, ofBuiltIn);
  const { plugins, diagnostics } = caught;
  const agents = withoutDoubles(caught.agents, diagnostics, CRITICAL_REVIEWERS);
  return {
    agents: keptWithin(agents, caught.agents, diagnostics),
    skills: withoutDoubles(caught.skills, diagnostics),
    plugins: plugins.toSorted((a, b) => byText(a.name, b.name)),
    diagnostics,
  };
}

async function within(
  root: Root | null,
  caught: Catch,
  search: (root: Root, caught: Catch) => Promise<void>,
): Promise<void> {
  if (root === null) return;
  await search(root, caught);
  caught.diagnostics.push(...root.diagnostics);
}

async function ofRepository(root: Root, caught: Catch): Promise<void> {
  caught.agents.push(...(await read(root, 'agent', await agentFiles(root, '.claude/agents'), 'repository')));
  for (const folder of ['.claude/skills', '.agents/skills']) {
    caught.skills.push(...(await read(root, 'skill', await skillFiles(root, folder), 'repository')));
  }
  for (const { capability, folder } of await findPlugins(root)) {
    caught.plugins.push(capability);
    const [agents, skills] = [join(folder, 'agents'), join(folder, 'skills')];
    caught.agents.push(...(await read(root, 'agent', await agentFiles(root, agents), 'plugin', capability.name)));
    caught.skills.push(...(await read(root, 'skill', await skillFiles(root, skills), 'plugin', capability.name)));
  }
}

async function ofUser(root: Root, caught: Catch): Promise<void> {
  caught.agents.push(...(await read(root, 'agent', await agentFiles(root, 'agents'), 'user')));
  caught.skills.push(...(await read(root, 'skill', await skillFiles(root, 'skills'), 'user')));
}

async function ofBuiltIn(root: Root, caught: Catch): Promise<void> {
  // Before the agents: no folder is entered twice, so that no skill is taken for one of them.
  caught.skills.push(...(await read(root, 'skill', await skillFiles(root, 'skills'), 'built-in')));
  const team = await read(root, 'agent', await agentFiles(root, '.'), 'built-in');
  caught.agents.push(...team.map((agent) => ({ ...agent, isCritical: CRITICAL_REVIEWERS.includes(agent.name) })));
}

async function read(
  root: Root,
  kind: 'agent' | 'skill',
  files: readonly FoundFile[],
  source: CapabilitySource,
  plugin: string | null = null,
): Promise<(FoundAgent | FoundSkill)[]> {
  const found: (FoundAgent | FoundSkill)[] = [];
  const readFrom = (at: number) => Promise.all(files.slice(at, at + AT_ONCE).map(({ real }) => root.read(real)));
  let [since, ahead] = [performance.now(), readFrom(0)];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const contents = await ahead;
    // The disk is busy with the next ones while these are looked at.
    ahead = readFrom(at + AT_ONCE);
    for (const [nth, { path }] of files.slice(at, at + AT_ONCE).entries()) {
      if (root.isLate(path)) return found;
      if (performance.now() - since > TURN_MS) {
        await nextTurn();
        since = performance.now();
      }
      const say = (level: Diagnostic['level'], message: string): void => root.say(level, path, message);
      const bytes = contents[nth] ?? 'is gone';
      if (typeof bytes === 'string') say('skipped', bytes);
      const file = { kind, path: root.shown(path), source, plugin, say };
      const one = typeof bytes === 'string' ? null : readCapability({ ...file, bytes });
      if (one) found.push(one);
    }
  }
  return found;
}
