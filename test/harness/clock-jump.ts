/**
 * Preloaded with `node --import` into a service process: after JUMP_AFTER_MS its clocks jump by JUMP_BY_MS, for ever.
 * Only what JavaScript can see of the time jumps; timers run on, as they do when a machine's clock is set.
 */
const byMs = Number(process.env['JUMP_BY_MS']);
const afterMs = Number(process.env['JUMP_AFTER_MS']);
const realNow = Date.now.bind(Date);
const realMonotonic = performance.now.bind(performance);
const startedAt = realMonotonic();
const jump = (): number => (realMonotonic() - startedAt > afterMs ? byMs : 0);

class JumpingDate extends Date {
  constructor(...values: [] | [number | string | Date]) {
    if (values.length === 0) super(realNow() + jump());
    else super(values[0]);
  }
  static override now(): number {
    return realNow() + jump();
  }
}

globalThis.Date = JumpingDate as DateConstructor;
performance.now = () => realMonotonic() + jump();
