import type { DoctoredLine } from '../doctored-code.js';
import type { SpecialKind } from '../scope/words-of-part.js';

export type RequestClass = 'behaviour' | 'keeps-behaviour' | 'document' | 'tests-only';

/** How a check ended on the base, after two runs. `unexplained` is red because of something the diff does not add. */
export type BaseResult = 'assertion' | 'absent' | 'unexplained' | 'green' | 'broken' | 'flaky' | 'not-run';

/** How a check or test ended on the result, after two runs. */
export type EndResult = 'passes' | 'fails' | 'flaky' | 'not-run';

export interface CheckFacts {
  /** The command, or the name of the test. */
  readonly name: string;
  /** `baseline-test`: a failing test of the baseline, which nobody changed since. */
  readonly author: 'baseline-test' | 'other-agent' | 'implementer';
  readonly base: BaseResult;
  readonly result: EndResult;
  /**
   * It passes with the sources of the base, as soon as tests and manifests of the result are there: it is about one of
   * those. Then an independent agent has to confirm its part.
   */
  readonly isBesideSources?: boolean;
  /** It passes on the base, because its part says that something stays. It must pass on the result too. */
  readonly isKept?: boolean;
}

/** The opinion of an agent that did not write the change. */
export interface Inspection {
  readonly isFulfilled: boolean;
  readonly reason: string;
}

export interface PartFacts {
  readonly title: string;
  /** Absent if the part is about behaviour. */
  readonly kind?: SpecialKind;
  /** The part asks for a text that may stand in code, such as a comment. */
  readonly isTextInCode?: boolean;
  /** Whether a new test fails without the work, for a part about tests. Absent if nobody can tell. */
  readonly hasRedTest?: boolean;
  readonly checks: readonly CheckFacts[];
  /** Null if no agent has looked. */
  readonly inspection: Inspection | null;
}

/** Something that the request asks for, in its own words, and that no part names. */
export interface OpenDemand {
  readonly quote: string;
  readonly reason: string;
}

export interface FindingFacts {
  readonly title: string;
  readonly relation: 'is-request' | 'before' | 'after' | 'aside';
  readonly inspection: Inspection | null;
}

/** A test of the base that the result no longer has as it was. */
export interface ChangedTest {
  /** Empty if a runner named the test, and not its file. */
  readonly file: string;
  /** Null if the whole file changed or is gone. */
  readonly name: string | null;
  readonly change: 'removed' | 'skipped' | 'changed';
  /** What the test asserts: its removed lines, or what it printed when it failed. */
  readonly text?: string;
  /** Words of the request that contradict the test, quoted by an agent that did not write the change. */
  readonly quote: string | null;
}

/** A verify command of the base that the result no longer has, and that reported no tests. */
export interface RemovedCommand {
  readonly command: string;
  /** Words of the request that ask for it, quoted by an agent that did not write the change. */
  readonly quote: string | null;
}

export interface DoctoredFacts extends DoctoredLine {
  /** Words of the request that ask for it, quoted by an agent that did not write the change. */
  readonly quote?: string | null;
}

/** A wrong variant of the code, on which new tests must fail. */
export interface MutantFacts {
  readonly title: string;
  /** Whether a new test failed on it in both runs. */
  readonly isCaught: boolean;
}

export interface ScopeFact {
  readonly name: string;
  readonly result: EndResult;
  /** In scope only because it shares a name with the request. No agent has ruled on it. */
  readonly isGuess?: boolean;
}

export interface ProofFacts {
  readonly request: string;
  readonly requestClass: RequestClass;
  readonly diff: {
    readonly touchesCode: boolean;
    readonly touchesTests: boolean;
    readonly touchesDocuments: boolean;
  };
  /** Fails on the result in both runs, and did not fail on the base. */
  readonly newFailures: readonly string[];
  /** The same for the base's own tests on the result. */
  readonly newFailuresOfBaseTests: readonly string[];
  /** Files or numbers of tests that ran on the base and no longer run, though their sources are unchanged. */
  readonly lostTests?: readonly string[];
  readonly removedCommands?: readonly RemovedCommand[];
  /** Changed settings without which tests of the base fail, and what an independent agent says about them. */
  readonly neededSettings?: { readonly files: readonly string[]; readonly inspection: Inspection | null };
  /** Passed and failed on the same tree. */
  readonly flaky: readonly string[];
  /** Baseline failures in scope. */
  readonly scope: readonly ScopeFact[];
  readonly parts: readonly PartFacts[];
  /** A person put off other parts of the request. */
  readonly hasPutOff?: boolean;
  /** What an independent agent found in the request beside the parts, and not in the change. */
  readonly openDemands?: readonly OpenDemand[];
  readonly findings: readonly FindingFacts[];
  readonly changedTests: readonly ChangedTest[];
  readonly unrunTestFiles: readonly string[];
  readonly doctoredCode: readonly DoctoredFacts[];
  readonly mutants: readonly MutantFacts[];
  /** False only if the whole change is a small substitution. Any other change needs an agent that reads each part. */
  readonly needsReader: boolean;
  /** A simulated model did the work. */
  readonly isSimulated: boolean;
}

export type RuleName = 'a' | 'b' | 'c' | 'd' | 'inspection' | 'doctored' | 'unrun' | 'class' | 'mutant';

export interface Failing {
  readonly rule: RuleName;
  /** Plain sentences for the user. */
  readonly what: string;
  /** Whether another attempt at the change can cure it. If not, a check, an inspection or a person is needed. */
  readonly canHeal: boolean;
}

export interface Judgement {
  readonly proven: 'yes' | 'no' | 'simulated';
  readonly failings: readonly Failing[];
  readonly notes: readonly string[];
}

/** Each rule is a function of its own, so that a test can switch one off. */
export type Rule = (facts: ProofFacts) => readonly Failing[];
