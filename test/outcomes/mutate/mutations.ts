import type { ModuleEdit } from './edit-build.js';

/** One part of the judge that is switched off, and the cases that must notice it. */
export interface Mutation {
  readonly name: string;
  /** What no longer happens. */
  readonly what: string;
  readonly edits: readonly ModuleEdit[];
  readonly cases: readonly string[];
}

const RULES = 'libs/proof/src/judge/rules';

/** Runs in the worktree of the agents, with their home folder and all files that git ignores. */
const RUN_AMONG_AGENTS = `const report = await (async () => {
        const { mkdir: makeFolder, rm, writeFile } = await import('node:fs/promises');
        const { dirname, join } = await import('node:path');
        const { detectVerify, runVerify } = await import('./verify/index.js');
        const { tree } = clean;
        if ((tree.overlays ?? []).length > 0) return this.rooms.verify(worktree, order, clean, this.right(run));
        const { worktrees, commandMs: timeoutMs } = this.parts;
        const [head, start] = [await worktrees.head(worktree), await worktrees.snapshot(worktree)];
        await worktrees.reset(worktree, tree.commit, head);
        const files = (tree.files ?? []).map((file) => ({ ...file, target: join(worktree.folder, file.path) }));
        for (const { target, content } of files) {
            await makeFolder(dirname(target), { recursive: true });
            await writeFile(target, content);
        }
        const found = clean.commands ?? order.verify ?? (await detectVerify(worktree.folder)).map((one) => one.command);
        const right = this.right(run);
        const result = await runVerify({ ...right, place: await this.place(worktree), commands: found, timeoutMs });
        for (const { target } of files) await rm(target, { force: true });
        await worktrees.reset(worktree, start, head);
        return { ...result, sandbox: right.sandbox.kind };
    })();`;

export const mutations: readonly Mutation[] = [
  {
    name: 'rule-a',
    what: 'A test that passed before may fail.',
    edits: [
      {
        file: `${RULES}/nothing-new-fails.js`,
        old: "names.length === 0 ? [] : [{ rule: 'a'",
        new: "names.length >= 0 ? [] : [{ rule: 'a'",
      },
    ],
    cases: ['breaks-another-behaviour'],
  },
  {
    name: 'rule-b',
    what: 'A failing test of the baseline that belongs to the request may go on failing.',
    edits: [
      {
        file: `${RULES}/scope-passes.js`,
        old: "names.length === 0 ? [] : [{ rule: 'b'",
        new: "names.length >= 0 ? [] : [{ rule: 'b'",
      },
    ],
    cases: ['passes-a-weak-check'],
  },
  {
    name: 'rule-c',
    what: 'A part of the request needs no check.',
    edits: [
      {
        file: `${RULES}/parts-are-checked.js`,
        old: "effectiveClass(facts) !== 'behaviour'",
        new: "effectiveClass(facts) !== ''",
      },
    ],
    cases: ['changes-a-letter-in-an-errand', 'check-that-never-fails'],
  },
  {
    name: 'kinds',
    what: 'A part about a document or about tests needs no document and no test that fails without the work.',
    edits: [
      {
        file: `${RULES}/parts-are-checked.js`,
        old: 'part.kind === undefined ? null : weaknessOfKind(',
        new: 'part.kind !== null ? null : weaknessOfKind(',
      },
    ],
    cases: ['leaves-out-the-readme', 'hollow-regression-test'],
  },
  {
    name: 'demands',
    what: 'A demand of the request that no part names need not be done.',
    edits: [
      {
        file: `${RULES}/inspection-agrees.js`,
        old: '(facts.openDemands ?? []).map(demanded)',
        new: '[].map(demanded)',
      },
    ],
    cases: ['forgets-a-demand'],
  },
  {
    name: 'rule-d',
    what: 'Tests may be removed, skipped or changed without a reason in the request.',
    edits: [{ file: `${RULES}/tests-are-kept.js`, old: '!isContradicted(request, test)', new: 'false' }],
    cases: ['fixes-it-and-removes-a-test', 'fixes-it-and-skips-a-test'],
  },
  {
    name: 'reader',
    what: 'No agent reads a change of behaviour that passes its checks and tests.',
    edits: [
      {
        file: 'libs/modes/src/coding/proof/gather-facts.js',
        old: "const needsReader = judgedAs !== 'behaviour' || !isPlain;",
        new: "const needsReader = judgedAs !== 'behaviour';",
      },
    ],
    cases: ['ends-the-process-instead', 'knows-the-shape-of-the-tested-input'],
  },
  {
    name: 'single-demand',
    what: 'A substitution needs no reader, whatever else the request asks for.',
    edits: [
      {
        file: 'libs/proof/src/small-substitution.js',
        old: 'return isNamed && isSingleDemand(',
        new: 'return isNamed || isSingleDemand(',
      },
    ],
    cases: ['fixes-one-of-two-numbers', 'fixes-the-number-without-the-readme'],
  },
  {
    name: 'generated-files',
    what: 'A file that a tool made counts as source code.',
    edits: [
      {
        file: 'libs/proof/src/generated-file.js',
        old: 'FOLDER.test(path) || NAME.test(path)',
        new: 'FOLDER.test(path) && NAME.test(path)',
      },
    ],
    cases: ['fixes-the-build-output-only'],
  },
  {
    name: 'steps',
    what: 'No agent looks at a step that names no part of the request.',
    edits: [
      {
        file: 'libs/modes/src/coding/proof/check-task.js',
        old: 'const isAfterHeal = isDoneBefore === undefined;',
        new: 'const isAfterHeal = isDoneBefore !== null;',
      },
    ],
    cases: ['leaves-out-an-approved-step', 'changes-anything-for-a-step'],
  },
  {
    name: 'scope',
    what: 'The service adds no failure of the baseline to the scope.',
    edits: [
      {
        file: 'libs/proof/src/scope/scope.js',
        old: 'const general = generalReason(facts);',
        new: 'const general = null;',
      },
      {
        file: 'libs/proof/src/scope/scope.js',
        old: 'general === null ? findSharedName(asked, readFailure(name, output)) : null',
        new: 'null',
      },
    ],
    cases: ['passes-a-weak-check'],
  },
  {
    name: 'packages',
    what: 'Failures of a touched package count as known, though it could not be set up.',
    edits: [
      {
        file: 'libs/modes/src/coding/proof/gather-facts.js',
        old: 'withTouchedPackages(planned, { baseline: whole,',
        new: 'withTouchedPackages(planned, { baseline: { commands: [] },',
      },
    ],
    cases: ['breaks-a-package-that-cannot-be-set-up'],
  },
  {
    name: 'flakiness',
    what: 'A test that passes and fails on one tree counts as failed.',
    edits: [
      {
        file: 'libs/proof/src/flaky.js',
        old: 'return { failing: names.filter(failsAlways), flaky: names.filter((name) => !failsAlways(name)) };',
        new: 'return { failing: names, flaky: [] };',
      },
    ],
    cases: ['another-test-fails-each-time'],
  },
  {
    name: 'clean-room',
    what: 'Runs that prove something happen in the worktree of the agents, with their home folder and caches.',
    edits: [
      {
        file: 'libs/workspace/src/git-workshop.js',
        old: 'const report = await this.rooms.verify(worktree, order, clean, this.right(run));',
        new: RUN_AMONG_AGENTS,
      },
    ],
    cases: ['uses-a-package-that-is-not-declared'],
  },
];
