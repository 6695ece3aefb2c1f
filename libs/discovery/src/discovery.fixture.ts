import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '#testing';
import { discover } from './discover.js';
import type { Discovered, FoundAgent } from './found.js';

export type Files = Readonly<Record<string, string | Buffer>>;

export function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export const agentText = (fields: Readonly<Record<string, string>>, body = 'Look.'): string =>
  `---\n${Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n${body}\n`;

/** A repository, a user's folder and a built-in team, each a real folder. */
export function openPlaces() {
  const folder = tempFolder('discovery');
  const [repo, user, builtIn] = ['repo', 'user', 'built-in'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [repo, user, builtIn]) mkdirSync(one);
  return {
    folder,
    repo,
    user,
    builtIn,
    found: (): Promise<Discovered> => discover({ repo, userFolder: user, builtIn }),
    remove: () => folder.remove(),
  };
}

export function agentNamed(name: string, more: Partial<FoundAgent> = {}): FoundAgent {
  return {
    kind: 'agent', name, description: `Does ${name}.`, source: 'repository', path: `.claude/agents/${name}.md`,
    hash: '0'.repeat(64), plugin: null, category: null, tier: null, tools: null, isCritical: false,
    instructions: 'Look.', keywords: [], ...more,
  }; // prettier-ignore
}
