import { Lanes } from './lanes.js';
import { StandbyLab } from './standby.js';

/** Labs that outlive their cases: one case at a time in each. One whose case failed is thrown away with all it holds. */
export class StandbyLabs {
  private readonly lanes: Lanes;
  private readonly idle: StandbyLab[] = [];

  constructor(width: number) {
    this.lanes = new Lanes(width);
  }

  use<T>(work: (standby: StandbyLab) => Promise<T>): Promise<T> {
    return this.lanes.run(async () => {
      const standby = this.idle.pop() ?? (await StandbyLab.open());
      try {
        const result = await work(standby);
        await standby.hold();
        this.idle.push(standby);
        return result;
      } catch (error) {
        await standby.close();
        throw error;
      }
    });
  }

  /** Those that no case has spoilt, once all cases are over. */
  get whole(): readonly StandbyLab[] {
    return this.idle;
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((standby) => standby.close()));
  }
}
