import { Refusal } from './refusal.js';

interface Waiting {
  readonly amount: number;
  readonly enter: () => void;
}

/** Room for so much at once. Who comes when it is full waits for its turn; whom the queue cannot hold is refused. */
export class Room {
  private taken = 0;
  private readonly queue: Waiting[] = [];

  constructor(
    private readonly capacity: number,
    private readonly longestQueue: number,
  ) {}

  /** Resolves with what gives the place back. Throws Refusal. */
  async enter(wanted: number, signal: AbortSignal): Promise<() => void> {
    const amount = Math.min(wanted, this.capacity);
    if (this.queue.length > 0 || this.taken + amount > this.capacity) await this.turn(amount, signal);
    else this.taken += amount;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.taken -= amount;
      this.admitNext();
    };
  }

  private turn(amount: number, signal: AbortSignal): Promise<void> {
    if (this.queue.length >= this.longestQueue) {
      throw new Refusal(503, 'PROXY_BUSY', 'too many requests at once: try again in a moment');
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(waiting), 1);
        reject(new Refusal(503, 'REQUEST_GONE', 'the request ended before its turn'));
        this.admitNext();
      };
      const waiting = {
        amount,
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.queue.push(waiting);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }

  private admitNext(): void {
    for (let [next] = this.queue; next && this.taken + next.amount <= this.capacity; [next] = this.queue) {
      this.queue.shift();
      this.taken += next.amount;
      next.enter();
    }
  }
}
