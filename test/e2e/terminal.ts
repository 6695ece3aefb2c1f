import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '#testing';
import { processesBelow } from '../harness/processes.js';

const PROMPT = '\n--prompt--\n';

/** A shell as somebody at a keyboard has one: what is typed runs one after the other, and Ctrl-C ends what runs now. */
export class Terminal {
  private readonly shell: ChildProcessWithoutNullStreams;
  private readonly over: Promise<unknown>;
  private screen = '';

  constructor(cwd: string, more: Readonly<Record<string, string>> = {}) {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: cwd, ...more };
    this.shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env });
    this.over = once(this.shell, 'close');
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.screen += text));
    }
  }

  /** Types commands and waits for them to end; resolves to what they printed. */
  run(commands: string): Promise<string> {
    this.type(commands);
    return this.atPrompt();
  }

  type(commands: string): void {
    this.shell.stdin.write(`${commands}\nprintf '${PROMPT.replaceAll('\n', '\\n')}'\n`);
  }

  /** Waits until what runs now has printed something. */
  sees(text: string): Promise<void> {
    return this.until(`the terminal shows ${text}`, text);
  }

  /** Waits for what runs now to end; resolves to what it printed. */
  async atPrompt(): Promise<string> {
    await this.until('the prompt is back', PROMPT);
    const at = this.screen.indexOf(PROMPT);
    const printed = this.screen.slice(0, at);
    this.screen = this.screen.slice(at + PROMPT.length);
    return printed;
  }

  ctrlC(): Promise<string> {
    this.signal('SIGINT');
    return this.atPrompt();
  }

  async close(): Promise<void> {
    this.signal('SIGKILL');
    this.shell.kill('SIGKILL');
    await this.over;
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid: shell } = this.shell;
    if (shell === undefined) throw new Error('bash did not start');
    if (this.shell.exitCode !== null || this.shell.signalCode !== null) return;
    for (const { pid } of processesBelow(shell)) process.kill(pid, signal);
  }

  private async until(what: string, text: string): Promise<void> {
    try {
      await eventually(what, () => this.screen.includes(text), { deadlineMs: 60_000 });
    } catch (error) {
      throw new Error(`${String(error)}; the terminal shows\n${this.screen}`, { cause: error });
    }
  }
}
