import { type EffectRun, LeaseLost, type SettleRule } from '#engine';
import { type JsonObject, silentTrace, systemClock, UserError } from '#kernel';
import { clampWait, type ModelRef, type Tier, TIERS } from '#models';
import type { Sandbox } from '#workspace';
import type { AgentOutcome, AgentRuntime, AgentScene, AgentTask } from '../agent.port.js';
import { brief, cleanText } from '../api/bounded-text.js';
import { checkedOutput, isSilent, SILENT } from '../api/final-output.js';
import { redactedJson } from '../api/redacted-json.js';
import { noNotes } from '../notes/notes.port.js';
import { promiseIn } from '../promise-tag.js';
import { joinedSaid } from '../said.js';
import type { WireName } from '../proxy/index.js';
import { CLI_LIMITS, type CliLimits, type CliParts } from './cli-parts.js';
import type { CliSpec } from './cli-spec.js';
import { findCli, type Finding } from './find-cli.js';
import { judgeRun, type Verdict } from './judge-run.js';
import { LONGEST_SAID, mended, type Mending, promptOf, resumed } from './prompt.js';
import { type CliRun, type CliRunEnd, runCli } from './run-cli.js';
import { RunEvents } from './run-events.js';
import { RunFiles } from './run-files.js';
import { RunNotes } from './run-notes.js';
import { problemInside, seemsNotStarted } from './starts-inside.js';

type Given = Pick<
  CliParts,
  'path' | 'proxy' | 'desk' | 'worktrees' | 'sandbox' | 'folder' | 'transcripts' | 'secrets'
> &
  Partial<Omit<CliParts, 'limits'>> & { readonly limits?: Partial<CliLimits> };

type Suitable = ModelRef & { readonly wire: WireName };
type Final = Exclude<AgentOutcome, { kind: 'waits' }>;
/** A run that another one follows, as the journal keeps it: with the files that it left, and what it said. */
type Unfinished = (Extract<AgentOutcome, { kind: 'waits' }> | Mending | { readonly kind: 'pauses' }) & {
  readonly commit: string;
  readonly soFar: string;
};
type RunPlace = Pick<CliRun, 'task' | 'scene' | 'sandbox'> & { readonly isResumed: boolean; readonly mayMend: boolean };
type Judged = Extract<Verdict, { kind: 'good' | 'failed' }>;

/** Agents as processes of a CLI. A run is one effect; its calls reach the ledger one by one through the proxy. */
export function cliRuntime(spec: CliSpec, given: Given): AgentRuntime {
  return new CliRuntime(spec, {
    placeOf: ({ folder }) => ({ writable: [folder] }),
    notes: noNotes,
    trace: silentTrace,
    clock: systemClock,
    epochMs: () => Date.now(),
    ...given,
    limits: { ...CLI_LIMITS, ...given.limits },
  });
}

/** Whether the tier's next model is worth a run. A budget that others hold is the same one for all of its models. */
const isForNext = (verdict: Verdict): boolean =>
  (verdict.kind === 'waits' && verdict.reason === 'rate-limit') || (verdict.kind === 'failed' && verdict.isModels);

class CliRuntime implements AgentRuntime {
  readonly name: string;
  private readonly known = new Map<string, Finding>();
  private readonly files: RunFiles;

  constructor(
    private readonly spec: CliSpec,
    private readonly parts: CliParts,
  ) {
    this.name = spec.name;
    this.files = new RunFiles(parts.worktrees);
  }

  async unavailable(models?: AgentTask['models']): Promise<string | null> {
    if (process.platform !== 'linux') return 'CLI agents work on Linux only: run the worker there, or in a container.';
    const finding = await this.find();
    if ('problem' in finding) return finding.problem;
    const isSuitable = TIERS.some((tier) => this.modelsFor(tier, models).length > 0);
    return isSuitable ? null : this.unsuitable('medium', models);
  }

  run(task: AgentTask, scene: AgentScene): Promise<AgentOutcome> {
    const { role, purpose, attempt, tier, step, promptVersion: prompt = null } = task;
    const facts = { agent: role, runtime: this.name, purpose, prompt, attempt, tier, step };
    return this.parts.trace.within('agent', role, facts, async (note) => {
      const outcome = await this.outcomeOf(task, scene);
      note({ outcome: outcome.kind, ...(outcome.kind === 'failed' && { errorCode: outcome.code }) });
      return outcome;
    });
  }

  /**
   * Each run is an effect. One that has to wait for a provider leaves its files, and the next one goes on from there; one
   * whose output has another shape than was asked for is followed by one more, which is told so.
   */
  private async outcomeOf(task: AgentTask, scene: AgentScene): Promise<AgentOutcome> {
    const sandbox = scene.sandbox ?? this.parts.sandbox;
    let place: RunPlace = { task, scene, sandbox, isResumed: false, mayMend: true };
    let before = '';
    for (let nth = 1; ; nth += 1) {
      let isReadBack = true;
      const ended = await scene.activity.effect<Final | Unfinished>({
        step: nth === 1 ? `${task.step}/run` : `${task.step}/run/${String(nth)}`,
        settle: settleRule(sandbox, this.name),
        run: async (run) => {
          isReadBack = false;
          return this.perform(place, run);
        },
      });
      if (ended.kind === 'failed') return { ...ended, said: joinedSaid(before, ended.said) };
      if (ended.kind !== 'waits' && ended.kind !== 'mend' && ended.kind !== 'pauses') return ended;
      const { commit, soFar, ...rest } = ended;
      before = joinedSaid(before, soFar);
      if (rest.kind === 'waits' && !isReadBack) return rest;
      // Where it pauses, the next effect is not begun: that is the safe point.
      const prompt = rest.kind === 'mend' ? mended(task.prompt, rest) : resumed(task.prompt);
      const mayMend = place.mayMend && rest.kind !== 'mend';
      place = {
        ...{ task: { ...task, prompt }, scene: { ...scene, startCommit: commit } },
        ...{ sandbox, isResumed: true, mayMend },
      };
    }
  }

  private async perform(place: RunPlace, run: EffectRun): Promise<Final | Unfinished> {
    const { worktrees } = this.parts;
    const { scene, sandbox } = place;
    const { worktree, startCommit } = scene;
    const notes = await RunNotes.of(this.parts.notes, this.parts.secrets, place.task, run);
    const task = notes.noted;
    const refuse = (code: string, message: string): Final => ({
      ...{ kind: 'failed', code, message, said: '', commit: startCommit, isSimulated: false },
    });
    const finding = await this.find();
    if ('problem' in finding) return refuse('AGENT_UNAVAILABLE', finding.problem);
    const models = this.modelsFor(task.tier, task.models);
    if (models.length === 0) return refuse('AGENT_MODEL_UNSUITABLE', this.unsuitable(task.tier, task.models));
    const events = new RunEvents(this.name, task, run, this.parts.secrets);
    const head = await worktrees.head(worktree);
    const { spec, parts } = this;
    const { found } = finding;
    const until = parts.clock.now() + task.limits.wallMs;
    let waits: Extract<Verdict, { kind: 'waits' }> | null = null;
    for (const [at, model] of models.entries()) {
      const nth = at + 1;
      if (place.isResumed || run.attempt > 1 || nth > 1) await this.files.takeBack(place, head);
      events.started(`${model.provider}:${model.model}`, found.version);
      const wallMs = Math.max(1, until - parts.clock.now());
      const one: CliRun = { spec, found, task, scene, run, model, nth, wallMs, sandbox, events, notes };
      const ended = await runCli(one, parts);
      run.signal.throwIfAborted();
      const { isLeaseLost, overBudget } = ended.facts.tally;
      if (isLeaseLost) throw new LeaseLost();
      if (overBudget) events.overBudget({ ...overBudget });
      if (ended.facts.endedFor?.why === 'pausing' && ended.facts.end === null) return this.paused(one, head);
      const verdict = await this.verdictOf(one, ended);
      if (!isForNext(verdict)) return this.conclude(one, ended, verdict, { head, ...place });
      // Where a model only wants to be waited for, the project goes on by itself, whatever the others said.
      if (verdict.kind === 'waits' && verdict.resetAt < (waits?.resetAt ?? Infinity)) waits = verdict;
      // A model that has no time left would only have run out of it.
      const isLast = nth === models.length || parts.clock.now() >= until;
      if (isLast) return this.conclude(one, ended, waits ?? verdict, { head, ...place });
    }
    return refuse('AGENT_MODEL_UNSUITABLE', this.unsuitable(task.tier, task.models));
  }

  private async paused(one: CliRun, head: string): Promise<Final | Unfinished> {
    const { commit, refusal } = await this.files.kept(one, head);
    const soFar = one.events.said.clean(this.parts.secrets);
    if (!refusal) return { kind: 'pauses', commit, soFar };
    const message = `what the agent wrote cannot be kept: ${refusal.message}`;
    return { kind: 'failed', code: 'AGENT_FILES_REFUSED', message, said: soFar, commit, isSimulated: false };
  }

  private async verdictOf(one: CliRun, { facts }: CliRunEnd): Promise<Verdict> {
    const { parts } = this;
    const problem = seemsNotStarted(facts) ? await problemInside(one, parts) : null;
    if (problem !== null) return { kind: 'failed', code: 'AGENT_UNAVAILABLE', message: problem, isModels: false };
    return judgeRun(facts, { ...one.task.limits, idleMs: parts.limits.idleMs });
  }

  /** What the run came to. The worktree is left as the agent left it, or as it was where that counts for nothing. */
  private async conclude(
    one: CliRun,
    { facts, report }: CliRunEnd,
    verdict: Verdict,
    { head, mayMend }: { readonly head: string; readonly mayMend: boolean },
  ): Promise<Final | Unfinished> {
    const { secrets, epochMs } = this.parts;
    const { events } = one;
    const { commit, refusal } = await this.files.kept(one, head);
    const soFar = events.said.clean(secrets);
    if (verdict.kind === 'waits') {
      const ms = Math.round(clampWait(verdict.resetAt - epochMs()));
      const words = brief(cleanText(verdict.words, secrets), 1_000);
      return { kind: 'waits', reason: verdict.reason, ms, words, commit, soFar };
    }
    const left = { reportedCostUsd: report.reported.costUsd, commit };
    if (verdict.kind === 'over-budget') {
      const breaker: JsonObject = { ...facts.tally.overBudget };
      events.overBudget(breaker);
      const why = refusal && { code: refusal.code, message: refusal.message };
      events.ended({ outcome: verdict.kind, ...why, ...left }, report.metered);
      // What was paid for stays, also if this worker dies now: the next task goes on from these files.
      return { kind: 'over-budget', breaker, commit, isSimulated: false };
    }
    const judged = this.judged(one, refusedWith(verdict, refusal), commit);
    const rest = { commit, isSimulated: false, report };
    const outcome = judged.kind === 'failed' ? { ...judged, said: soFar, ...rest } : { ...judged, ...rest };
    const how = outcome.kind === 'failed' ? { code: outcome.code, message: brief(outcome.message, 300) } : {};
    events.ended({ outcome: outcome.kind, ...how, ...left }, report.metered);
    if (mayMend && verdict.kind === 'good' && outcome.kind === 'failed' && outcome.code === 'AGENT_OUTPUT_INVALID') {
      const said = brief(cleanText(verdict.end.text, secrets), LONGEST_SAID);
      return { kind: 'mend', said, problem: outcome.message, commit, soFar };
    }
    return outcome;
  }

  private judged(
    { task, scene, notes }: CliRun,
    verdict: Judged,
    commit: string,
  ):
    | Pick<Extract<Final, { kind: 'failed' }>, 'kind' | 'code' | 'message' | 'text'>
    | Pick<Extract<Final, { kind: 'finished' }>, 'kind' | 'text' | 'output' | 'promise' | 'turns'> {
    const { secrets } = this.parts;
    if (verdict.kind === 'failed') {
      const message = brief(cleanText(verdict.message, secrets), 2_000);
      return { kind: 'failed', code: verdict.code, message };
    }
    const { text, turns } = verdict.end;
    const checked = checkedOutput(task.output, text);
    if ('problem' in checked) {
      const said = cleanText(text, secrets);
      return { kind: 'failed', code: 'AGENT_OUTPUT_INVALID', message: checked.problem, text: said };
    }
    if (isSilent(task, { text, ...checked }, commit !== scene.startCommit)) return { kind: 'failed', ...SILENT };
    return {
      kind: 'finished',
      text: cleanText(text, secrets),
      output: redactedJson(checked.output, secrets),
      promise: promiseIn(text, task.promises ?? [], [
        promptOf(task, secrets),
        cleanText(task.system, secrets),
        ...notes.heard,
      ]),
      turns: turns ?? 1,
    };
  }

  private find(): Promise<Finding> {
    return findCli(this.spec, this.parts.path, this.known);
  }

  /** Of the tier's models, those that this CLI and the proxy can both speak to. */
  private modelsFor(tier: Tier, models?: AgentTask['models']): Suitable[] {
    const { desk, proxy } = this.parts;
    return desk.candidates(tier, models).flatMap(({ provider, model, isSimulated }) => {
      const wire = isSimulated ? null : proxy.wireOf({ provider, model });
      return wire && this.spec.wires.includes(wire) ? [{ provider, model, wire }] : [];
    });
  }

  private unsuitable(tier: Tier, models?: AgentTask['models']): string {
    const { desk, proxy } = this.parts;
    const candidates = desk.candidates(tier, models);
    const real = candidates.find((one) => !one.isSimulated && proxy.refusal(one) === null);
    if (real) {
      const named = candidates.map(({ provider, model }) => `${provider}:${model}`).join(', ');
      return `${this.name} speaks to models over ${this.spec.wires.join(' or ')} only, and tier ${tier} is ${named}: name another model for it`;
    }
    const [first = { provider: 'a provider', model: '' }] = candidates;
    return `${this.name}: ${proxy.refusal(first) ?? 'there is no model for it'}`;
  }
}

/** Whatever came of a run, files of it that are lost are told of; a good end without them is none. */
function refusedWith(verdict: Judged, refusal: UserError | null): Judged {
  if (refusal === null) return verdict;
  const words = `what the agent wrote cannot be kept: ${refusal.message}`;
  return verdict.kind === 'failed'
    ? { ...verdict, message: `${verdict.message}. Moreover, ${words}` }
    : { kind: 'failed', code: 'AGENT_FILES_REFUSED', message: words, isModels: false };
}

/** What happened inside a sandbox that keeps everything in can be undone; what happened elsewhere is a person's to judge. */
function settleRule(sandbox: Sandbox, name: string): SettleRule<Final> {
  const { hidesFiles, cutsNetwork, ownsProcesses } = sandbox.guarantees;
  if (hidesFiles && cutsNetwork && ownsProcesses) return { kind: 'repeat' };
  const question = `A run of ${name} was cut off, and it was not kept inside a sandbox (${sandbox.kind}): it may have changed something outside of the worktree. Run it again from the start?`;
  return { kind: 'ask', question, options: ['repeat'] };
}
