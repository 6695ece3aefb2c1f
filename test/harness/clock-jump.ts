/**
 * Preloaded with `node --import` into a service process: on SIGUSR2 its clocks jump by JUMP_BY_MS, for ever. Only what
 * JavaScript can see of the time jumps; timers run on, as they do when a machine's clock is set.
 */
let jumpMs = 0;
process.on('SIGUSR2', () => (jumpMs = Number(process.env['JUMP_BY_MS'])));

const realNow = Date.now.bind(Date);
const realMonotonic = performance.now.bind(performance);

class JumpingDate extends Date {
  constructor(...values: [] | [number | string | Date]) {
    if (values.length === 0) super(realNow() + jumpMs);
    else super(values[0]);
  }
  static override now(): number {
    return realNow() + jumpMs;
  }
}

globalThis.Date = JumpingDate as DateConstructor;
performance.now = () => realMonotonic() + jumpMs;
