import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The pid namespace that a process keeps for its child, if it does, as a folder of processes that is quickly counted. */
export class PidNamespace {
  private folder: string | undefined;

  constructor(private readonly keeper: number) {}

  /** How many processes are in it; null when there is none. */
  count(): number | null {
    try {
      this.folder ??= this.find();
      return this.folder === undefined ? null : readdirSync(this.folder).filter((name) => /^\d/.test(name)).length;
    } catch {
      return null;
    }
  }

  private find(): string | undefined {
    const keeper = String(this.keeper);
    const [child = ''] = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'latin1').split(' ');
    if (child === '' || readlinkSync(`/proc/${child}/ns/pid`) === readlinkSync('/proc/self/ns/pid')) return undefined;
    return `/proc/${child}/root/proc`;
  }
}
