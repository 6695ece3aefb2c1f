import type { QueueLog } from './work-queue.port.js';

const MOST_REMEMBERED = 100;

/**
 * While a backend is away its clients report the same failure many times a second. Each distinct message passes once
 * per interval and then tells how often it was held back.
 */
export function calmLog(log: QueueLog, intervalMs: number, now: () => number = () => performance.now()): QueueLog {
  const seen = new Map<string, { at: number; heldBack: number }>();
  return (level, message, details) => {
    const key = `${level} ${message}`;
    const last = seen.get(key);
    if (last && now() - last.at < intervalMs) {
      last.heldBack += 1;
      return;
    }
    if (seen.size >= MOST_REMEMBERED) seen.clear();
    seen.set(key, { at: now(), heldBack: 0 });
    log(level, message, last?.heldBack ? { ...details, heldBack: last.heldBack } : details);
  };
}
