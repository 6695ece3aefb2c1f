/** One measured number and whether it is good enough. `ratio` is value over baseline, both measured in the same run. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number | null;
  readonly ratio: number | null;
  readonly goal: string;
  readonly ok: boolean;
  readonly note?: string;
}

export interface Bench {
  readonly name: string;
  run(): Promise<Figure[]>;
}

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly note?: string;
}

/** What a goal is about: the value itself or its ratio to the baseline. */
type Subject = 'value' | 'ratio';

export const atLeast = (measured: Measured, subject: Subject, limit: number, aim?: number): Figure =>
  judged(measured, subject, `>= ${String(limit)}${aim === undefined ? '' : `, aim ${String(aim)}`}`, (n) => n >= limit);

export const atMost = (measured: Measured, subject: Subject, limit: number): Figure =>
  judged(measured, subject, `<= ${String(limit)}`, (n) => n <= limit);

/** Reported beside the others; nothing is promised about it. */
export const beside = (measured: Measured): Figure => ({ ...shown(measured), goal: 'none', ok: true });

function judged(measured: Measured, subject: Subject, goal: string, holds: (n: number) => boolean): Figure {
  const ratio = ratioOf(measured);
  const judge = subject === 'value' ? measured.value : ratio;
  return { ...shown(measured), goal: `${subject} ${goal}`, ok: judge !== null && holds(judge) };
}

function shown(measured: Measured): Omit<Figure, 'goal' | 'ok'> {
  const { name, value, unit, baseline, note } = measured;
  const ratio = ratioOf(measured);
  return {
    name,
    value: rounded(value),
    unit,
    baseline: baseline === undefined ? null : rounded(baseline),
    ratio: ratio === null ? null : Number(ratio.toFixed(2)),
    ...(note !== undefined && { note }),
  };
}

const ratioOf = ({ value, baseline }: Measured): number | null => (baseline ? value / baseline : null);

const rounded = (n: number): number => (Math.abs(n) >= 100 ? Math.round(n) : Number(n.toPrecision(3)));
