import type { ModelCall, Reply, ScriptedToolCall } from '#testing';
import { type Action, type Change, isEmptyChange, pathsOf, planActions } from '../targets/change.js';
import type { Check, Part, Tier } from '../targets/target.js';
import {
  askedChange,
  askedParts,
  askedScenario,
  checksOf,
  fixReviewOf,
  inspectionOf,
  planOf,
  reviewOf,
  scenariosOf,
  scopeRulingsOf,
  stepPlanOf,
} from './answers.js';
import { type Conversation, readConversation } from './conversation.js';
import { fitCalls } from './fit-calls.js';
import { fitSchema, propertiesOf } from './fit-schema.js';
import { MistakeBook } from './mistake-book.js';
import { type Role, roleOf } from './role.js';
import type { Skill } from './skill.js';
import { WorkFiles } from './work-files.js';

/**
 * A model that works as a real one does: it reads files, edits them, runs the tests and answers in the wanted shape.
 * What it does follows from the tools, the output schema and the texts of the conversation. It never looks at the
 * system prompt, and it remembers nothing between conversations except which mistakes it has made.
 */
export class ScriptedModel {
  private readonly mistakes: MistakeBook;

  constructor(private readonly skill: Skill) {
    this.mistakes = new MistakeBook(skill.mistakes);
  }

  answer(call: ModelCall): Reply {
    const talk = readConversation(call);
    const tier = tierOf(call.model);
    const role = roleOf(talk);
    if (this.mistakes.hangs(role, tier, talk)) return { fault: { kind: 'silence', afterEvents: 0 } };
    if (this.mistakes.isEndless(role, tier, talk))
      return fitCalls({ toolCalls: [{ name: 'list_files', input: { depth: 1 } }] }, talk);
    const reply = fitCalls(this.answerAs(role, tier, talk), talk);
    const isFinal = (reply.toolCalls ?? []).length === 0;
    return isFinal && this.mistakes.breaksJson(role, tier) ? { text: 'Here is my answer: {"summary": ' } : reply;
  }

  private answerAs(role: Role, tier: Tier, talk: Conversation): Reply {
    const { task } = this.skill;
    switch (role) {
      case 'reviewer':
        return this.lookAround(talk) ?? say(reviewOf(task, new WorkFiles(talk.calls).known), talk);
      case 'planner':
        return this.lookAt(pathsOf(task.right), talk) ?? this.planRequest(tier, talk);
      case 'step-planner':
        return say(stepPlanOf(task, this.mistakes.brokenCommand(tier)), talk);
      case 'clarifier':
        return say({ questions: [] }, talk);
      case 'check-author':
        return this.writeChecks(tier, talk);
      case 'inspector':
        return this.lookAt(this.inspected(), talk) ?? this.inspect(tier, talk);
      case 'fix-reviewer':
        return this.lookAt(this.inspected(), talk) ?? say(fixReviewOf(task, talk, new WorkFiles(talk.calls)), talk);
      case 'inspection-arbiter':
        return this.lookAt(this.inspected(), talk) ?? this.ruleOnInspection(talk);
      case 'arbiter':
        return this.ruleOnCheck(talk);
      case 'scope-arbiter':
        return say(scopeRulingsOf(task, talk), talk);
      case 'scenario-planner':
        return this.planScenarios(tier, talk);
      case 'tester':
        return this.tryOut(talk);
      case 'step-checker':
        return this.checkStep(tier, talk);
      case 'implementer':
        return this.implement(tier, talk);
      case 'other':
        return this.breakCode(talk) ?? say({ summary: 'I looked at it.', why: 'I looked at it.' }, talk);
    }
  }

  /** Reads what is not read yet; null if everything is, or if files cannot be read. */
  private lookAt(paths: readonly string[], talk: Conversation): Reply | null {
    const files = new WorkFiles(talk.calls);
    const unread = paths.filter((path) => !files.hasRead(path));
    if (unread.length === 0 || !talk.tools.includes('read_file')) return null;
    return {
      text: 'I read the files first.',
      toolCalls: unread.map((path) => ({ name: 'read_file', input: { path } })),
    };
  }

  /** Lists the files and reads those of the task, or the first ones if the task is about new files. */
  private lookAround(talk: Conversation): Reply | null {
    const looking = this.lookAt(pathsOf(this.skill.task.right), talk);
    if (looking) return { ...looking, toolCalls: [{ name: 'list_files', input: {} }, ...(looking.toolCalls ?? [])] };
    const { known } = new WorkFiles(talk.calls);
    const listing = talk.calls.find(({ name }) => name === 'list_files')?.result ?? '';
    const others = listing.split('\n').filter((path) => /^[\w./-]+\.\w+$/.test(path));
    return known.length > 0 ? null : this.lookAt(others.slice(0, MOST_READ), talk);
  }

  private inspected(): readonly string[] {
    const { right, findings = [] } = this.skill.task;
    return [...new Set([right, ...findings.flatMap(({ fix }) => fix ?? [])].flatMap(pathsOf))];
  }

  private inspect(tier: Tier, talk: Conversation): Reply {
    const files = new WorkFiles(this.mistakes.misreads(tier) ? [] : talk.calls);
    const shows = this.mistakes.overlooks(tier) ? () => true : (change: Change) => files.shows(change);
    return say(inspectionOf(this.skill.task, talk, shows), talk);
  }

  private ruleOnCheck(talk: Conversation): Reply {
    const isCheckWrong = this.mistakes.isNamed(talk.text);
    const isDemanded = !this.mistakes.isNeedless(talk.text);
    return say({ isCheckWrong, isDemanded, why: 'I compared the check with the request.' }, talk);
  }

  private planScenarios(tier: Tier, talk: Conversation): Reply {
    const { mistakes } = this;
    return say(scenariosOf(this.skill.task, mistakes.brokenScenario(tier), mistakes.needlessScenario(tier)), talk);
  }

  private ruleOnInspection(talk: Conversation): Reply {
    const isDone = new WorkFiles(talk.calls).shows(this.skill.task.right);
    return say({ isInspectorWrong: isDone, why: 'I read the files and compared them with the request.' }, talk);
  }

  private implement(tier: Tier, talk: Conversation): Reply {
    if (this.skill.isStepwise) {
      const looking = this.lookAt(pathsOf(this.skill.task.right), talk);
      if (looking) return looking;
    }
    const change = this.skill.isStepwise ? this.nextStep(talk) : this.wantedChange(tier, talk);
    const wrongPath = this.mistakes.wrongPath(tier, talk);
    if (wrongPath)
      return { toolCalls: [{ name: 'read_file', input: { path: `no-such-folder/${pathsOf(change)[0] ?? 'a'}` } }] };
    return this.carryOut(change, talk) ?? this.finishWork(change, talk);
  }

  /** The next turn of a change: reads, then acts, then tests; null if all of it is done. */
  private carryOut(change: Change, talk: Conversation): Reply | null {
    const looking = this.lookAt(pathsOf(change), talk);
    if (looking) return looking;
    const { testCommand } = this.skill.target;
    const actions = this.hasActed(talk) ? [] : planActions(change, new WorkFiles(talk.calls).read, this.knownChanges());
    if (actions.length > 0) return { text: 'I make the change.', toolCalls: actions.map(toolCallOf) };
    const hasTested = talk.calls.some(({ input }) => input['command'] === testCommand);
    const canTest = !hasTested && talk.tools.includes('run');
    return canTest ? { toolCalls: [{ name: 'run', input: { command: testCommand } }] } : null;
  }

  private hasActed({ calls }: Conversation): boolean {
    const { testCommand } = this.skill.target;
    return calls.some(({ name, input }) => ACTING.includes(name) && input['command'] !== testCommand);
  }

  /** Who may write files for an unknown purpose makes a wrong variant of the code, if the task knows one. */
  private breakCode(talk: Conversation): Reply | null {
    const { breaks } = this.skill.task;
    return breaks && talk.tools.includes('write_file') ? this.carryOut(breaks, talk) : null;
  }

  private finishWork(change: Change, talk: Conversation): Reply {
    const isWrongCheck = this.mistakes.isNamed(talk.text);
    const summary = isEmptyChange(change)
      ? 'The code already does what is asked.'
      : this.hasActed(talk)
        ? `I changed ${pathsOf(change).join(', ') || 'what the tests need'} as the task asks, and ran the tests.`
        : 'The files already hold what the task asks for. I ran the tests.';
    if (talk.schema === null) return { text: summary };
    const wrongCheck = isWrongCheck ? 'The check is wrong: it asks for something that the request does not say.' : null;
    const said =
      isWrongCheck && !propertiesOf(talk.schema).includes('wrongCheck') ? `${summary} The check is wrong.` : summary;
    return say({ outcome: this.skill.claims ?? 'done', summary: said, wrongCheck, question: null, findings: [] }, talk);
  }

  /** The task is what the text speaks of first: the request, one of its steps, or a finding. */
  private wantedChange(tier: Tier, { task: text }: Conversation): Change {
    const { task, does } = this.skill;
    const isRight = does[tier] === task.right;
    const topics: { words: string; change: Change }[] = [
      { words: task.request, change: does[tier] },
      ...(task.findings ?? []).map(({ title, fix }) => ({ words: title, change: fix ?? does[tier] })),
      ...(task.steps ?? []).map(({ title, change }) => ({
        words: title,
        change: isRight && change ? change : does[tier],
      })),
    ];
    const found = topics
      .map((topic) => ({ ...topic, at: text.indexOf(topic.words) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0];
    return found?.change ?? does[tier];
  }

  private nextStep({ task: text, calls }: Conversation): Change {
    const { steps = [], right } = this.skill.task;
    const files = new WorkFiles(calls);
    const named = steps.filter(({ title }) => text.includes(title));
    const open = (named.length > 0 ? named : steps.slice(0, 1)).find(({ change = right }) => !files.shows(change));
    return (open ?? named.at(-1) ?? steps[0])?.change ?? right;
  }

  private knownChanges(): readonly Change[] {
    const { task, does } = this.skill;
    return [task.right, ...Object.values(task.wrong), ...Object.values(does)];
  }

  /** The plan, with checks for the parts that no failing test covers, if they are asked for. */
  private planRequest(tier: Tier, talk: Conversation): Reply {
    const { task } = this.skill;
    const plan = planOf(task, talk);
    if (!propertiesOf(talk.schema).includes('checks')) return say(plan, talk);
    const open =
      task.class === 'behaviour' ? task.parts.filter(({ failingTests = [] }) => failingTests.length === 0) : [];
    return this.tryChecks(open, tier, talk) ?? say({ ...plan, ...checksOf(task, talk, open) }, talk);
  }

  private writeChecks(tier: Tier, talk: Conversation): Reply {
    const parts = askedParts(this.skill.task, talk);
    return this.tryChecks(parts, tier, talk) ?? say(checksOf(this.skill.task, talk, parts), talk);
  }

  /** Writes the checks of some parts, then runs them; null if both is done. */
  private tryChecks(parts: readonly Part[], tier: Tier, talk: Conversation): Reply | null {
    const wanted = parts.flatMap(({ check }) => check ?? []);
    const checks = this.mistakes.checksToWrite(wanted, tier, talk);
    if (checks.length === 0) return null;
    const isWritten = talk.calls.some(({ name }) => name === 'write_file');
    if (!isWritten && talk.tools.includes('write_file')) {
      return { toolCalls: checks.map(({ file, content }) => ({ name: 'write_file', input: { path: file, content } })) };
    }
    const hasRun = talk.calls.some(({ name }) => name === 'run');
    if (hasRun || !talk.tools.includes('run')) return null;
    return { toolCalls: checks.map(({ command }: Check) => ({ name: 'run', input: { command } })) };
  }

  private tryOut(talk: Conversation): Reply {
    const command = askedScenario([...this.skill.task.scenarios, ...this.mistakes.needless], talk);
    const ran = talk.calls.find(({ name }) => name === 'run');
    if (!ran && talk.tools.includes('run')) return { toolCalls: [{ name: 'run', input: { command } }] };
    const isPassed = ran?.result?.startsWith('exit code 0') === true;
    return say(
      { verdict: isPassed ? 'pass' : 'fail', command, observation: ran?.result ?? 'I could not run it.' },
      talk,
    );
  }

  private checkStep(tier: Tier, talk: Conversation): Reply {
    const wanted = askedChange(this.skill.task, talk);
    const looking = this.lookAt(pathsOf(wanted), talk);
    if (looking) return looking;
    const files = new WorkFiles(talk.calls);
    const evidence = pathsOf(wanted).flatMap((file) => {
      const quote = files.read(file)?.trim().slice(0, 200);
      return quote === undefined ? [] : [{ file, quote }];
    });
    const isDone = this.mistakes.overlooks(tier) || files.shows(wanted);
    return say({ verdict: isDone ? 'pass' : 'fail', observation: 'I read the files.', evidence, findings: [] }, talk);
  }
}

const MOST_READ = 3;
const ACTING = ['write_file', 'edit_file', 'run'];

function toolCallOf(action: Action): ScriptedToolCall {
  switch (action.kind) {
    case 'write':
      return { name: 'write_file', input: { path: action.path, content: action.content } };
    case 'edit':
      return { name: 'edit_file', input: { path: action.path, old: action.old, new: action.new } };
    case 'run':
      return { name: 'run', input: { command: action.command } };
  }
}

const say = (value: unknown, { schema }: Conversation): Reply => ({
  text: JSON.stringify(schema === null ? value : fitSchema(value, schema)),
});

export function tierOf(model: string): Tier {
  const name = /(small|medium|large)$/.exec(model)?.[1];
  return name === 'small' || name === 'large' ? name : 'medium';
}
