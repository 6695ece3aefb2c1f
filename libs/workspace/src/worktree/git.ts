import { stat } from 'node:fs/promises';
import {
  errorCode,
  errorMessage,
  OUTCOME_UNKNOWN,
  type Redactor,
  secrets,
  systemClock,
  UserError,
  WorldError,
} from '#kernel';
import { gitError, lockOf } from './git-failure.js';
import { IDENTITY } from './names.js';
import { runGroup } from './run-group.js';

export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal;
  /** The output is cut there and git ended, without an error. */
  readonly cutAtBytes?: number;
  /** Exit codes that are answers, not failures. */
  readonly answers?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface GitOutput {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
  readonly isCut: boolean;
}

interface Ended extends Omit<GitOutput, 'exitCode'> {
  readonly exitCode: number | null;
}

const TIMEOUT_MS = 300_000;
const LONGEST_OUTPUT = 512 * 1_024 * 1_024;
const LOCK_WAIT_MS = 10_000;
const LOCK_NAP_MS = 50;

export interface GitParts {
  /** PATH on which git is found. */
  readonly path: string;
  readonly home: string;
  readonly redactor?: Redactor;
  /** So long locks of other gits in the repository are waited for. */
  readonly lockWaitMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Runs git with nothing of the user's or the machine's configuration: no hooks, no protocols, no helpers. What the
 * repository itself configures is kept out by the view that the place names.
 */
export class Git {
  private readonly redactor: Redactor;
  private readonly lockWaitMs: number;

  constructor(private readonly parts: GitParts) {
    this.redactor = parts.redactor ?? secrets;
    this.lockWaitMs = parts.lockWaitMs ?? LOCK_WAIT_MS;
  }

  async text(args: readonly string[], place: GitPlace, options: GitOptions = {}): Promise<string> {
    return (await this.run(args, place, options)).stdout.toString('utf8').trim();
  }

  run(args: readonly string[], place: GitPlace, options: GitOptions = {}): Promise<GitOutput> {
    return this.patiently(`git ${args.find((arg) => !arg.startsWith('-')) ?? ''}`, 'git', args, place, options);
  }

  /** Several gits behind one start of a process: starting one from here costs more than git itself does. */
  script(what: string, lines: string, args: readonly string[], place: GitPlace, options: GitOptions = {}) {
    return this.patiently(what, 'sh', ['-ec', lines, 'sh', ...args], place, options);
  }

  /** Locks of other gits in the same repository are waited for; all that is run here may be run again. */
  private async patiently(
    what: string,
    file: string,
    args: readonly string[],
    place: GitPlace,
    options: GitOptions,
  ): Promise<GitOutput> {
    const deadline = systemClock.now() + this.lockWaitMs;
    for (;;) {
      const { stdout, stderr, exitCode, isCut } = await this.once(what, file, args, place, options);
      if (isCut) return { stdout, stderr, exitCode: 0, isCut };
      if (exitCode === 0 || (exitCode !== null && options.answers?.includes(exitCode)))
        return { stdout, stderr, exitCode, isCut };
      const said = this.redactor.redact(stderr.trim());
      if (lockOf(said) === null || systemClock.now() > deadline) throw gitError({ what, exitCode, said });
      await systemClock.sleep(LOCK_NAP_MS, options.signal);
    }
  }

  private async once(
    what: string,
    file: string,
    args: readonly string[],
    place: GitPlace,
    { signal, input, cutAtBytes, env: more, cwd = place.cwd }: GitOptions,
  ): Promise<Ended> {
    signal?.throwIfAborted();
    const env = { ...this.environment(), ...place.env, ...more };
    const outputBytes = cutAtBytes ?? LONGEST_OUTPUT;
    const timeoutMs = this.parts.timeoutMs ?? TIMEOUT_MS;
    try {
      const wish = { file, args, cwd, env, timeoutMs, outputBytes, ...(input !== undefined && { input }) };
      const { endedBy, ...ended } = await runGroup({ ...wish, ...(signal && { signal }) });
      if (endedBy !== null) throw new WorldError(OUTCOME_UNKNOWN, `${what}: ended by ${endedBy}`);
      if (ended.isCut && cutAtBytes === undefined)
        throw new WorldError('GIT_FAILED', `${what}: more output than can be read`);
      if (!ended.isCut && ended.exitCode === null)
        throw new WorldError(OUTCOME_UNKNOWN, `${what}: killed from outside`);
      return ended;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn') !== true) throw error;
      throw await notStarted(file, cwd, error);
    }
  }

  private environment(): Record<string, string> {
    return {
      PATH: this.parts.path,
      HOME: this.parts.home,
      LC_ALL: 'C',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_EDITOR: 'false',
      GIT_PAGER: 'cat',
      GIT_AUTHOR_NAME: IDENTITY.name,
      GIT_AUTHOR_EMAIL: IDENTITY.email,
      GIT_COMMITTER_NAME: IDENTITY.name,
      GIT_COMMITTER_EMAIL: IDENTITY.email,
    };
  }
}

/** What whoever installs git, or gives rights, can mend; anything else is a machine that is out of something. */
const NOT_FOUND = ['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENOEXEC'];

/** Node says the same of a program that is missing and of a folder that is. */
async function notStarted(file: string, cwd: string, cause: unknown): Promise<UserError | WorldError> {
  if (!NOT_FOUND.includes(errorCode(cause))) {
    return new WorldError('GIT_NOT_STARTED', `${file} cannot be started: ${errorMessage(cause)}`, {}, { cause });
  }
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    return new WorldError('WORKTREE_MISSING', `there is no folder ${cwd}: open the worktree again`, {}, { cause });
  const message = `${file} cannot be started in ${cwd}: install git, see that it is on PATH, and that the folder may be entered`;
  return new UserError('GIT_NOT_FOUND', message, {}, { cause });
}
