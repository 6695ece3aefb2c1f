import type { Change } from '../targets/change.js';
import type { Job } from '../targets/index.js';
import type { Check, Scenario, Tier } from '../targets/target.js';
import type { Role } from './role.js';

/** A seeded mistake. It happens `times` times, or always if that is absent. */
export type Mistake = (
  | { /** The final answer is no JSON. */ readonly kind: 'bad-json'; readonly role: Role }
  | { /** The first file is looked for in a folder that does not exist. */ readonly kind: 'wrong-path' }
  | {
      /** A conversation that only lists files, until its turns are over. */ readonly kind: 'endless';
      readonly role: Role;
    }
  | { /** No answer ever comes. */ readonly kind: 'hang'; readonly role: Role; readonly head: string }
  | { /** The command of the first scenario is broken. */ readonly kind: 'wrong-scenario'; readonly command: string }
  | {
      /** The command by which the first step of a plan is checked is broken. */ readonly kind: 'wrong-command';
      readonly command: string;
    }
  | {
      /** One more scenario, which demands something that the request does not ask for. */
      readonly kind: 'needless-scenario';
      readonly scenario: Scenario;
    }
  | { /** An inspector says that nothing is done, whatever it reads. */ readonly kind: 'misread' }
  | { /** Who reads a result or a step says that all is done, whatever it reads. */ readonly kind: 'overlook' }
  | { /** The first check asserts something wrong. */ readonly kind: 'wrong-check'; readonly check: Check }
) & { readonly times?: number; readonly tiers?: readonly Tier[] };

/** What one model knows about one repository, and how well it works. */
export interface Skill extends Job {
  /** What each tier does when it is asked for the request. */
  readonly does: Readonly<Record<Tier, Change>>;
  /** What an implementer says about its work; `done` if absent. */
  readonly claims?: 'done' | 'not-applicable';
  /** Whether it does one step at a time: the next one that the text names, or the first one if it names none. */
  readonly isStepwise: boolean;
  readonly mistakes: readonly Mistake[];
}
