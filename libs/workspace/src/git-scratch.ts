import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityContext, EffectRun as Run } from '#engine';
import { OUTCOME_UNKNOWN, WorldError } from '#kernel';
import type { CommandResult, CommandRunner } from '#process-monitor';
import type { Scratch } from './scratch.port.js';

type Checkpoint = ActivityContext['checkpoint'];

const TIMEOUT_MS = 120_000;
const TRAILER = 'Drill-Effect';
/** Project, number and checksum of the checkpoint that the commit was made under. */
export const CHECKPOINT_TRAILER = 'Drill-Checkpoint';

const ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'drill',
  GIT_AUTHOR_EMAIL: 'drill@localhost',
  GIT_COMMITTER_NAME: 'drill',
  GIT_COMMITTER_EMAIL: 'drill@localhost',
};

/** Every effect leaves its key in the repository's own log before it works: what ran how often can be counted. */
const LOGGED = 'printf "%s\\n" "$KEY" >> .git/effects.log; ';
/** A worker that was killed inside git leaves this lock; its whole process group is gone by now. */
const UNLOCKED = 'rm -f .git/index.lock; ';

/** Scratch repositories as real git repositories below one folder, worked on by commands. */
export class GitScratch implements Scratch {
  constructor(
    private readonly root: string,
    private readonly commands: Pick<CommandRunner, 'run'>,
  ) {}

  async create(project: string, run: Run): Promise<string> {
    await mkdir(this.folder(project), { recursive: true });
    const script = `git init -q -b main . && ${LOGGED} ${UNLOCKED}
      { git rev-parse -q --verify HEAD >/dev/null || git commit -q --allow-empty -m 'Scratch repository'; } && git rev-parse HEAD`;
    return (await this.shell(project, 'create the scratch repository', script, [], run)).trim();
  }

  async writeFile(project: string, file: string, text: string, workMs: number, run: Run): Promise<number> {
    const script = `${LOGGED} sleep "$3"; mkdir -p "$(dirname "$1")" && printf %s "$2" > "$1.part" && mv "$1.part" "$1" && wc -c < "$1"`;
    return Number(await this.shell(project, `write ${file}`, script, [file, text, String(workMs / 1_000)], run));
  }

  async commit(project: string, message: string, checkpoint: Checkpoint, run: Run): Promise<string> {
    const anchor = `${run.lease.projectId} ${String(checkpoint.seq)} ${checkpoint.checksum}`;
    const script = `${LOGGED} ${UNLOCKED} git add -A && git commit -q --allow-empty -m "$1" \\
      --trailer "${TRAILER}: $KEY" --trailer "${CHECKPOINT_TRAILER}: $2" && git rev-parse HEAD`;
    return (await this.shell(project, 'commit', script, [message, anchor], run)).trim();
  }

  async findCommit(project: string, run: Run): Promise<string | null> {
    const script = `git log -1 --fixed-strings --grep="${TRAILER}: $KEY" --format=%H`;
    return (await this.shell(project, 'find a commit', script, [], run)).trim() || null;
  }

  async countFiles(project: string, run: Run): Promise<number> {
    const script = `${LOGGED} git ls-tree -r --name-only HEAD | wc -l`;
    return Number(await this.shell(project, 'count the files', script, [], run));
  }

  async announce(project: string, text: string, run: Run): Promise<number> {
    const script = `${LOGGED} printf "%s\\n" "$1" >> .git/announcements && wc -l < .git/announcements`;
    return Number(await this.shell(project, 'announce', script, [text], run));
  }

  async scrap(project: string, run: Run): Promise<null> {
    // Its maker may have been killed at any moment: it may be half a repository, or one without a commit.
    const script = `[ ! -d .git ] || { git init -q -b main . && ${LOGGED} ${UNLOCKED} git clean -fdq &&
      { ! git rev-parse -q --verify HEAD >/dev/null || git checkout -q -f; }; }`;
    await mkdir(this.folder(project), { recursive: true });
    await this.shell(project, 'scrap', script, [], run);
    return null;
  }

  private folder(project: string): string {
    return join(this.root, project);
  }

  private async shell(project: string, purpose: string, script: string, args: string[], run: Run): Promise<string> {
    const result = await this.commands.run({
      file: 'sh',
      args: ['-ec', script, 'drill', ...args],
      cwd: this.folder(project),
      env: { ...ENVIRONMENT, HOME: this.folder(project), KEY: run.key },
      lease: run.lease,
      purpose,
      timeoutMs: TIMEOUT_MS,
      signal: run.signal,
    });
    if (result.exitCode === 0 && result.endedBy === 'itself') return result.stdout;
    const said = result.stderr.slice(0, 1_000).trim();
    if (result.endedBy !== 'itself')
      throw new WorldError(OUTCOME_UNKNOWN, `${purpose}: ended by ${result.endedBy}: ${said}`);
    if (wasKilled(result)) throw new WorldError(OUTCOME_UNKNOWN, `${purpose}: killed from outside: ${said}`);
    throw new WorldError('COMMAND_FAILED', `${purpose}: exit code ${String(result.exitCode)}: ${said}`);
  }
}

/** By a signal that nobody here sent: the shell itself, or the program in it, which the shell reports as 128 and more. */
const wasKilled = ({ exitCode }: CommandResult): boolean => exitCode === null || exitCode > 128;
