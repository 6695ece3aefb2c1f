import { CRITICAL_REVIEWERS, type FoundAgent } from '../found.js';

const MOST_OF_A_CATEGORY = 2;

export interface Candidate {
  readonly agent: FoundAgent;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly category: string | null;
}

export interface Sizes {
  readonly least: number;
  /** How many the request takes. */
  readonly wanted: number;
  readonly most: number;
}

export const isCritical = ({ name }: FoundAgent): boolean => CRITICAL_REVIEWERS.includes(name);

/** The chairs of a team, of which there are only so many, and why who sits on them. */
export class Table {
  readonly seats = new Map<Candidate, string>();
  private readonly refused = new Map<Candidate, string>();

  constructor(private readonly sizes: Sizes) {}

  seat(one: Candidate, why: string): void {
    if (!this.seats.has(one)) this.seats.set(one, why);
  }

  /** The team grows for it as far as it may. */
  seatCritical(one: Candidate, why: string): void {
    if (this.seats.has(one)) return;
    if (this.seats.size < this.sizes.most) this.seat(one, `${why}, which calls for it`);
    else this.refused.set(one, `there is no seat left for it, though ${why}`);
  }

  seatByScore(one: Candidate): void {
    if (this.seats.has(one) || this.refused.has(one)) return;
    if (one.score === 0) this.refused.set(one, 'nothing in the request speaks for it');
    else if (this.seats.size >= this.sizes.wanted) {
      this.refused.set(one, 'others come before it, and there is no seat left');
    } else if (this.ofCategory(one) >= MOST_OF_A_CATEGORY) {
      this.refused.set(one, `there are two of the category ${String(one.category)} already`);
    } else this.seat(one, `it scores ${String(one.score)}`);
  }

  /** To the least that a team has. A third of a category is taken only where there is nobody else. */
  fill(all: readonly Candidate[]): void {
    const { least, most: seats } = this.sizes;
    const why = least === seats ? `the team has ${String(least)} seats` : `a team has at least ${String(least)}`;
    const need = ({ score, agent, category }: Candidate): number => {
      if (score > 0) return 0;
      if (isCritical(agent)) return 1;
      // Whatever is asked for has to be proven in the end.
      return category === 'testing' ? 2 : 3;
    };
    for (const most of [MOST_OF_A_CATEGORY, Infinity]) {
      for (const one of all.toSorted((a, b) => need(a) - need(b))) {
        if (this.seats.size >= this.sizes.least) return;
        if (this.ofCategory(one) < most) this.seat(one, why);
      }
    }
  }

  /** Why it has a seat, or has none. */
  whyOf(one: Candidate): string {
    return this.seats.get(one) ?? this.refused.get(one) ?? 'there is no seat left';
  }

  private ofCategory({ category }: Candidate): number {
    return category === null ? 0 : [...this.seats.keys()].filter((one) => one.category === category).length;
  }
}
