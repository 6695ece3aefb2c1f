import { resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '#kernel';
import { tableOf } from './config-table.js';
import { Environment } from './environment.js';

/** Every variable the command line reads, with what it is for. Of the service's own only what says where that is. */
export const CliEnvironment = z.object({
  QRALPH_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:3000' })
    .optional()
    .describe('Where the service is; unset: on this machine, at `QRALPH_PORT`'),
  QRALPH_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'must be an API key such as qr_…' })
    .optional()
    .describe('The API key; unset: `admin.key` in the data folder'),
  QRALPH_DATA_DIR: Environment.shape.QRALPH_DATA_DIR.describe(
    'The data folder of the service, where `admin.key` is; unset: `.data` here, else where QRALPH is',
  ),
  QRALPH_PORT: Environment.shape.QRALPH_PORT.describe('The port of a service on this machine'),
  NO_COLOR: z.string().optional().describe('Anything: no colours, also on a terminal'),
  PATH: Environment.shape.PATH.describe('Where `doctor` looks for commands'),
});

export interface CliSettings {
  readonly url: string;
  /** Null: it is in the data folder. */
  readonly key: string | null;
  /** Where the service's data folder may be, the likelier first. */
  readonly dataDirs: readonly string[];
  /** Where the user stands: what is typed is meant from there. */
  readonly folder: string;
  readonly mayColor: boolean;
  /** Where commands are looked for. */
  readonly commandPath: string;
}

/**
 * `home` is the folder of QRALPH itself: npm starts a service there, wherever its users stand.
 * Thrown as CONFIG_INVALID when anything is wrong; no value is repeated, as one of them is a secret.
 */
export function loadCliSettings(
  home: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): CliSettings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = CliEnvironment.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')} ${message}`);
    throw new UserError('CONFIG_INVALID', `The environment is not usable:\n  ${problems.join('\n  ')}`, { problems });
  }
  const { QRALPH_URL, QRALPH_KEY, QRALPH_DATA_DIR, QRALPH_PORT, NO_COLOR, PATH } = parsed.data;
  const folder = folderOf(set, cwd);
  const isSaid = set['QRALPH_DATA_DIR'] !== undefined;
  return {
    // A service that takes any free port is found by its address only.
    url: QRALPH_URL ?? `http://127.0.0.1:${String(QRALPH_PORT === 0 ? 3000 : QRALPH_PORT)}`,
    key: QRALPH_KEY ?? null,
    dataDirs: [...new Set((isSaid ? [folder] : [folder, home]).map((from) => resolve(from, QRALPH_DATA_DIR)))],
    folder,
    mayColor: NO_COLOR === undefined,
    commandPath: PATH,
  };
}

/** `npm run qralph` goes to its own folder first, and says where it was called. */
const folderOf = (env: Readonly<Record<string, string | undefined>>, cwd: string): string =>
  env['npm_package_name'] === 'qralph' && env['npm_lifecycle_event'] === 'qralph' ? (env['INIT_CWD'] ?? cwd) : cwd;

/** The table of docs/cli.md. */
export const cliConfigTable = (): string => tableOf(CliEnvironment);
