import type { Check, Scenario, Tier } from '../targets/target.js';
import type { Conversation } from './conversation.js';
import type { Role } from './role.js';
import type { Mistake } from './skill.js';

type MistakeOf<Kind extends Mistake['kind']> = Extract<Mistake, { kind: Kind }>;

/** Counts the mistakes of one model, so that each happens as often as it is seeded. */
export class MistakeBook {
  private readonly made = new Map<Mistake, number>();

  constructor(private readonly mistakes: readonly Mistake[]) {}

  breaksJson(role: Role, tier: Tier): boolean {
    return this.make('bad-json', tier, (mistake) => mistake.role === role) !== null;
  }

  hangs(role: Role, tier: Tier, { task }: Conversation): boolean {
    return this.make('hang', tier, (mistake) => mistake.role === role && task.includes(mistake.head)) !== null;
  }

  /** A conversation that began by listing files goes on like that. */
  isEndless(role: Role, tier: Tier, { calls, turn, tools }: Conversation): boolean {
    if (!tools.includes('list_files')) return false;
    if (turn > 0) return calls.length > 0 && calls.every(({ name }) => name === 'list_files');
    return this.make('endless', tier, (mistake) => mistake.role === role) !== null;
  }

  misreads(tier: Tier): boolean {
    return this.make('misread', tier, () => true) !== null;
  }

  overlooks(tier: Tier): boolean {
    return this.make('overlook', tier, () => true) !== null;
  }

  wrongPath(tier: Tier, { calls }: Conversation): boolean {
    return calls.length === 0 && this.make('wrong-path', tier, () => true) !== null;
  }

  brokenScenario(tier: Tier): string | null {
    return this.make('wrong-scenario', tier, () => true)?.command ?? null;
  }

  brokenCommand(tier: Tier): string | null {
    return this.make('wrong-command', tier, () => true)?.command ?? null;
  }

  needlessScenario(tier: Tier): readonly Scenario[] {
    const made = this.make('needless-scenario', tier, () => true);
    return made ? [made.scenario] : [];
  }

  /** Scenarios that the request does not ask for, as a tester comes across them. */
  get needless(): readonly Scenario[] {
    return this.mistakes.flatMap((one) => (one.kind === 'needless-scenario' ? [one.scenario] : []));
  }

  /** Whether a text is about a scenario that the request does not ask for. */
  isNeedless(text: string): boolean {
    return this.needless.some(({ title }) => text.includes(title));
  }

  /** The first check is replaced by a wrong one of the same name. A conversation keeps the check that it has written. */
  checksToWrite(checks: readonly Check[], tier: Tier, { calls }: Conversation): readonly Check[] {
    const hasWritten = calls.some(({ name }) => name === 'write_file');
    const wrong = hasWritten || checks.length === 0 ? null : this.make('wrong-check', tier, () => true);
    return wrong ? [wrong.check, ...checks.slice(1)] : checks;
  }

  /** Whether a text quotes a broken scenario or command, a needless scenario, or a wrong check. */
  isNamed(text: string): boolean {
    if (this.isNeedless(text)) return true;
    return this.mistakes.some((mistake) => {
      if (mistake.kind === 'wrong-scenario' || mistake.kind === 'wrong-command') return text.includes(mistake.command);
      return mistake.kind === 'wrong-check' && text.includes(assertionOf(mistake.check));
    });
  }

  private make<Kind extends Mistake['kind']>(
    kind: Kind,
    tier: Tier,
    applies: (mistake: MistakeOf<Kind>) => boolean,
  ): MistakeOf<Kind> | null {
    const isOfKind = (mistake: Mistake): mistake is MistakeOf<Kind> => mistake.kind === kind;
    const found = this.mistakes
      .filter(isOfKind)
      .find((mistake) => applies(mistake) && this.isDue(mistake) && (mistake.tiers?.includes(tier) ?? true));
    if (!found) return null;
    this.made.set(found, (this.made.get(found) ?? 0) + 1);
    return found;
  }

  private isDue(mistake: Mistake): boolean {
    return (this.made.get(mistake) ?? 0) < (mistake.times ?? Infinity);
  }
}

/** The line that decides, however the rest is shown. */
const assertionOf = ({ content }: Check): string => {
  const lines = content.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line.includes('assert.')) ?? content.trim();
};
