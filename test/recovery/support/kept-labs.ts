import { Lanes } from './lanes.js';

export interface Keepable {
  /** Brings everything in it to rest; fails where that cannot be done. */
  hold(): Promise<void>;
  close(): Promise<void>;
}

/** Labs that outlive their cases: one case at a time in each. One whose case failed is thrown away with all it holds. */
export class KeptLabs<L extends Keepable> {
  private readonly lanes: Lanes;
  private readonly idle: L[] = [];

  constructor(
    width: number,
    private readonly open: () => Promise<L>,
  ) {
    this.lanes = new Lanes(width);
  }

  use<T>(work: (lab: L) => Promise<T>): Promise<T> {
    return this.lanes.run(async () => {
      const lab = this.idle.pop() ?? (await this.open());
      try {
        const result = await work(lab);
        await lab.hold();
        this.idle.push(lab);
        return result;
      } catch (error) {
        await lab.close();
        throw error;
      }
    });
  }

  /** Those that no case has spoilt and none uses now. */
  get whole(): readonly L[] {
    return this.idle;
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((lab) => lab.close()));
  }
}
