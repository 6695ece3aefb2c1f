/** What it costs a processor, in milliseconds: others on the machine change it less than the time on the wall. */
export function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1_000;
}
