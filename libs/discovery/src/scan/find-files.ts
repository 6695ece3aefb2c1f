import { join } from 'node:path';
import type { Root } from './root.js';

const AGENT_DEPTH = 6;
const SKILL_DEPTH = 4;
const NOT_ENTERED: readonly string[] = ['node_modules', '.git'];

export interface FoundFile {
  /** Relative to the root, as it was reached. */
  readonly path: string;
  readonly real: string;
}

/** `**` + `/*.md` below a folder of agents. */
export async function agentFiles(root: Root, folder: string): Promise<readonly FoundFile[]> {
  return search(root, folder, AGENT_DEPTH, (names) => names.filter((name) => /\.md$/i.test(name)), false);
}

/** Every `SKILL.md`; what else is in a skill's folder belongs to the skill. */
export async function skillFiles(root: Root, folder: string): Promise<readonly FoundFile[]> {
  return search(root, folder, SKILL_DEPTH, (names) => names.filter((name) => name === 'SKILL.md'), true);
}

type Pick = (names: readonly string[]) => readonly string[];

async function search(
  root: Root,
  start: string,
  depth: number,
  pick: Pick,
  endsAtHit: boolean,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const enter = async (path: string, real: string, left: number): Promise<void> => {
    if (!root.isNew(real)) return;
    const entries = await root.entriesOf(path, real);
    const wanted = new Set(pick(entries.flatMap(({ name, isFolder }) => (isFolder ? [] : [name]))));
    for (const { name, real: target } of entries.filter((entry) => wanted.has(entry.name) && !entry.isFolder)) {
      if (!root.isNew(target)) continue;
      if (!root.takesFile(join(path, name))) return;
      found.push({ path: join(path, name), real: target });
    }
    if (endsAtHit && wanted.size > 0) return;
    for (const { name, real: target } of entries.filter((entry) => entry.isFolder)) {
      if (NOT_ENTERED.includes(name)) continue;
      if (left > 0) await enter(join(path, name), target, left - 1);
      else root.say('skipped', join(path, name), 'lies too deep and is not searched');
    }
  };
  const real = await root.inside(start);
  if (real !== null) await enter(start, real, depth);
  return found;
}
