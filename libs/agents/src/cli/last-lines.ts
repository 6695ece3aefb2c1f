const NEWLINE = 0x0a;

/** The last lines of what may be endless, in so many bytes of memory and no more. */
export class LastLines {
  private ring: Buffer | null = null;
  private seen = 0;

  constructor(private readonly mostBytes: number) {}

  add(bytes: Buffer): void {
    // One byte more than is kept, which tells whether a line begins after it.
    this.ring ??= Buffer.allocUnsafe(this.mostBytes + 1);
    const { ring } = this;
    const last = bytes.subarray(-ring.length);
    const at = (this.seen + bytes.length - last.length) % ring.length;
    const fitting = Math.min(last.length, ring.length - at);
    last.copy(ring, at, 0, fitting);
    last.copy(ring, 0, fitting);
    this.seen += bytes.length;
  }

  /** Whole lines, and of how many bytes before them nothing is left. */
  rest(): { readonly kept: Buffer; readonly leftOut: number } {
    const { ring, seen } = this;
    if (ring === null) return { kept: Buffer.alloc(0), leftOut: 0 };
    if (seen <= this.mostBytes) return { kept: ring.subarray(0, seen), leftOut: 0 };
    const at = seen % ring.length;
    const last = seen < ring.length ? ring : Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    const begin = last.indexOf(NEWLINE) + 1;
    const kept = begin === 0 ? Buffer.alloc(0) : last.subarray(begin);
    return { kept, leftOut: seen - kept.length };
  }
}
