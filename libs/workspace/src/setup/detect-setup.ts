import { join } from 'node:path';
import { type Language, type Tool, type ToolName, TOOLS, WRAPPERS } from './ecosystems.js';
import { jsonObject, kindOf, readPlainFile, textIn } from './plain-file.js';

export interface DetectedSetup {
  readonly tool: ToolName;
  readonly language: Language;
  readonly lockFile: string;
  readonly command: string;
  /** Where the dependencies are afterwards, from the worktree's root; null: in caches below HOME. */
  readonly folder: string | null;
}

/** What has to be installed before anything in this worktree can run, by the lock files in its root. */
export async function detectSetup(folder: string): Promise<readonly DetectedSetup[]> {
  const present = await filter(TOOLS, async ({ lockFile }) => (await kindOf(join(folder, lockFile))) === 'file');
  const named = await namedManager(folder);
  const isBerry = present.some(({ lockFile }) => lockFile === 'yarn.lock') && (await isBerryLock(folder));
  const candidates = present.filter(({ name }) => name !== (isBerry ? 'yarn-classic' : 'yarn-berry'));
  const chosen: Tool[] = [];
  for (const tool of candidates) {
    if (chosen.some(({ language }) => language === tool.language)) continue;
    const rivals = candidates.filter(({ language }) => language === tool.language);
    chosen.push(rivals.find(({ name }) => named !== null && name.split('-')[0] === named) ?? tool);
  }
  return Promise.all(chosen.map((tool) => detected(folder, tool)));
}

async function detected(folder: string, tool: Tool): Promise<DetectedSetup> {
  const { name, language, lockFile } = tool;
  return { tool: name, language, lockFile, command: await commandOf(folder, tool), folder: tool.folder };
}

async function commandOf(folder: string, { name, command }: Tool): Promise<string> {
  if (name === 'pip') {
    const more = await filter(['requirements-dev.txt', 'requirements-test.txt'], async (file) => {
      return (await kindOf(join(folder, file))) === 'file';
    });
    return [command, ...more.map((file) => `-r ${file}`)].join(' ');
  }
  const wrapper = WRAPPERS[name];
  if (!wrapper || (await kindOf(join(folder, wrapper.file))) !== 'file') return command;
  return command.replace(wrapper.instead, `sh ./${wrapper.file}`);
}

/** `packageManager` of package.json decides between several lock files. */
async function namedManager(folder: string): Promise<string | null> {
  const manifest = jsonObject(await readPlainFile(join(folder, 'package.json')));
  return textIn(manifest['packageManager'])?.split('@')[0] ?? null;
}

/** The lock files of yarn 2 and newer are YAML with a part about themselves. */
async function isBerryLock(folder: string): Promise<boolean> {
  const text = await readPlainFile(join(folder, 'yarn.lock'));
  return text !== null && /^__metadata:/m.test(text);
}

async function filter<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(holds));
  return items.filter((_, nth) => kept[nth]);
}
