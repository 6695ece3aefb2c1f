import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { ToolName } from './ecosystems.js';
import { jsonObject, kindOf, readPlainFile, recordOf, textIn } from './plain-file.js';

const DEEPEST = 5;
const LEFT_OUT = ['node_modules', '.git'];

/** What an installation runs of the repository's own, in this order. */
const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
/** They run `preX` and `postX` around a script X by themselves. */
const RUN_AROUND: readonly ToolName[] = ['npm', 'yarn-classic', 'bun'];

/** Folders with a package of the repository's own, from the root; the root is ''. Several in a monorepo. */
export async function packageFolders(root: string): Promise<readonly string[]> {
  const manifest = jsonObject(await readPlainFile(join(root, 'package.json')));
  const isMonorepo = 'workspaces' in manifest || (await kindOf(join(root, 'pnpm-workspace.yaml'))) === 'file';
  if (!isMonorepo) return [''];
  const found: string[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    if (entries.some((entry) => entry.name === 'package.json' && entry.isFile())) found.push(folder);
    if (depth === DEEPEST) return;
    for (const entry of entries) {
      if (entry.isDirectory() && !LEFT_OUT.includes(entry.name)) await visit(join(folder, entry.name), depth + 1);
    }
  };
  await visit('', 0);
  return found.sort();
}

/** Whether the root installs what this folder needs: a lock file in a member of its workspace is a leftover. */
export async function workspaceMembers(root: string): Promise<(folder: string) => boolean> {
  const { workspaces } = jsonObject(await readPlainFile(join(root, 'package.json')));
  const listed = Array.isArray(workspaces) ? workspaces : recordOf(workspaces)['packages'];
  const ofManifest: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const yaml = (await readPlainFile(join(root, 'pnpm-workspace.yaml'))) ?? '';
  const lines = /^packages:.*\n((?:[ \t]*(?:[-#].*)?\n)*)/m.exec(`${yaml}\n`)?.[1] ?? '';
  const ofYaml = [...lines.matchAll(/^[ \t]*-[ \t]*['"]?([^'"#\s]+)/gm)].map(([, one]) => one);
  const patterns = [...ofManifest, ...ofYaml].flatMap((one) => textIn(one) ?? []).map(plainPattern);
  const matches = (folder: string, isNegated: boolean): boolean =>
    patterns.some((one) => one.startsWith('!') === isNegated && posix.matchesGlob(folder, one.replace(/^!/, '')));
  return (folder) => matches(folder, false) && !matches(folder, true);
}

const plainPattern = (pattern: string): string => pattern.replace(/^(!?)(?:\.?\/)*/, '$1').replace(/\/+$/, '');

/** The commands that an installation would have run of the repository's own scripts. */
export async function lifecycleCommands(root: string, tool: ToolName): Promise<readonly string[]> {
  const manager = tool.split('-')[0] ?? 'npm';
  const commands: string[] = [];
  for (const folder of await packageFolders(root)) {
    const scripts = recordOf(jsonObject(await readPlainFile(join(root, folder, 'package.json')))['scripts']);
    for (const script of scriptsToRun((name) => (textIn(scripts[name]) ?? '') !== '', RUN_AROUND.includes(tool))) {
      const command = `${manager} run ${script}`;
      commands.push(folder === '' ? command : `cd ${quoted(folder)} && ${command}`);
    }
  }
  return commands;
}

function scriptsToRun(has: (name: string) => boolean, runsAround: boolean): string[] {
  const isRunByAnother = (name: string): boolean => has(name.replace(/^(?:pre|post)(?=install|prepare)/, ''));
  return LIFECYCLE.filter((name) => has(name)).filter(
    (name) => !runsAround || !/^(?:pre|post)(?:install|prepare)$/.test(name) || !isRunByAnother(name),
  );
}

/** For a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
