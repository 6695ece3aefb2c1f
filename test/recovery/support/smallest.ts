/** How a mode's projects are kept small in these tests; a mode that is not listed runs with its defaults. */
const SMALLEST: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  drill: { rounds: 1, width: 1, workMs: 0, coolMs: 10 },
};

export const smallest = (mode: string): { mode: string; parameters: Readonly<Record<string, number>> } => ({
  mode,
  parameters: SMALLEST[mode] ?? {},
});
