import type { EffectRun } from '#engine';
import type { Scratch } from '#workspace';
import type { OutsideWorld } from './outside-world.js';
import type { Scheduler, SimProcess } from './scheduler.js';

/** The scratch repository as the simulated world has it, seen from one worker's process. */
export class SimScratch implements Scratch {
  constructor(
    private readonly world: OutsideWorld,
    private readonly scheduler: Scheduler,
    private readonly owner: SimProcess,
  ) {}

  create(_project: string, run: EffectRun): Promise<string> {
    return this.perform(run, () => 'first');
  }

  writeFile(project: string, file: string, text: string, _workMs: number, run: EffectRun): Promise<number> {
    return this.perform(run, () => {
      this.world.files.add(`${project}/${file}`);
      return text.length;
    });
  }

  commit(_project: string, _message: string, _checkpoint: unknown, run: EffectRun): Promise<string> {
    return this.perform(run, () => {
      const key = `${run.lease.projectId}/${run.key}`;
      this.world.commits.set(key, (this.world.commits.get(key) ?? 0) + 1);
      return key;
    });
  }

  async findCommit(_project: string, run: EffectRun): Promise<string | null> {
    await this.scheduler.step(this.owner);
    const key = `${run.lease.projectId}/${run.key}`;
    return this.world.commits.has(key) ? key : null;
  }

  countFiles(project: string, run: EffectRun): Promise<number> {
    return this.perform(run, () => [...this.world.files].filter((file) => file.startsWith(`${project}/`)).length);
  }

  announce(_project: string, _text: string, run: EffectRun): Promise<number> {
    return this.perform(run, () => {
      const key = `${run.lease.projectId}/${run.key}`;
      const times = (this.world.announcements.get(key) ?? 0) + 1;
      this.world.announcements.set(key, times);
      return times;
    });
  }

  scrap(_project: string, run: EffectRun): Promise<null> {
    return this.perform(run, () => null);
  }

  private async perform<T>(run: EffectRun, work: () => T): Promise<T> {
    await this.scheduler.step(this.owner);
    run.signal.throwIfAborted();
    const result = await this.world.perform(run, work);
    await this.scheduler.step(this.owner);
    return result;
  }
}
