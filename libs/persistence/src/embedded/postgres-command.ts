import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { UserError } from '#kernel';

/** Nothing of our own environment, secrets least of all, reaches the server. */
export const postgresEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Postgres refuses to run as root, and as a user without a name (a bare number, as containers give them).
 * A user namespace in which that user goes by the number of nobody satisfies it, and the files stay the user's:
 * no system user is made, and a folder in root's home will do.
 */
const asNobody = ['--user', '--map-user=65534', '--map-group=65534'];

export function postgresCommand(program: string, args: string[]): { file: string; args: string[] } {
  if (process.getuid?.() !== 0 && hasName()) return { file: program, args };
  return { file: 'unshare', args: [...asNobody, program, ...args] };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Says so in advance where the namespace is needed and not allowed, as in many containers. */
export function refuseUnfitUser(): void {
  const { file, args } = postgresCommand('true', []);
  const { status, stderr, error } = spawnSync(file, args, { env: postgresEnvironment, encoding: 'utf8' });
  if (status === 0) return;
  throw new UserError(
    'EMBEDDED_POSTGRES_USER',
    `Postgres does not run as root or as a user without a name, and a user namespace is not allowed here (${error?.message ?? stderr.trim()}): ` +
      'start as an ordinary user, or set DATABASE_URL to a Postgres server',
  );
}
