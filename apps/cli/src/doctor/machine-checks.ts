import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Check, note, ok } from './check.js';

/** What a service on this machine would find, and what it is good for. */
const COMMANDS: readonly (readonly [command: string, goodFor: string, remedy: string])[] = [
  ['git', 'every repository', 'apt-get install git'],
  ['bwrap', 'the sandbox with walls', 'apt-get install bubblewrap'],
  ['redis-server', 'a queue in Redis; not needed', 'apt-get install redis-server'],
  ['claude', 'the runtime claude; not needed', 'npm i -g @anthropic-ai/claude-code'],
  ['codex', 'the runtime codex; not needed', 'npm i -g @openai/codex'],
  ['opencode', 'the runtime opencode; not needed', 'npm i -g opencode-ai'],
  ['droid', 'the runtime droid; not needed', 'npm i -g droid'],
];

export async function machineChecks(path: string): Promise<Check[]> {
  const found = await Promise.all(COMMANDS.map(([command]) => whereIs(command, path)));
  return [
    ok('qralph', `runs on Node ${process.version}`),
    ...COMMANDS.map(([command, goodFor, remedy], nth) => {
      const file = found[nth] ?? null;
      return file === null ? note(command, `is not on the PATH: ${goodFor}`, remedy) : ok(command, file);
    }),
  ];
}

async function whereIs(command: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    const file = join(folder, command);
    if (await isExecutable(file)) return file;
  }
  return null;
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
