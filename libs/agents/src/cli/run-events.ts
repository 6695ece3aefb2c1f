import type { EffectRun } from '#engine';
import type { JsonObject, SecretBook } from '#kernel';
import { usdOf } from '#models';
import type { AgentTask, RunReport } from '../agent.port.js';
import { brief, cleanText } from '../api/bounded-text.js';
import { Said } from '../said.js';
import type { CallEnd } from '../proxy/index.js';
import type { CliSign } from './cli-spec.js';

const LONGEST_TEXT = 500;
/** Of one run: what a CLI prints without end is in its transcript, up to a limit of its own. */
const MOST_SIGNS = 2_000;

/** What people see of a run while it goes on. */
export class RunEvents {
  readonly said = new Said();
  private signs = 0;
  private isOverBudgetTold = false;

  constructor(
    private readonly runtime: string,
    private readonly task: AgentTask,
    private readonly run: EffectRun,
    private readonly secrets: SecretBook,
  ) {}

  started(model: string, version: string): void {
    const { purpose, attempt, tier, access } = this.task;
    this.tell('agent.started', { runtime: this.runtime, version, model, purpose, attempt, tier, access });
  }

  sign(sign: CliSign): void {
    if (sign.kind === 'said') this.said.add(sign.text);
    this.signs += 1;
    if (this.signs > MOST_SIGNS) return;
    if (sign.kind === 'said') this.tell('agent.said', { text: this.short(sign.text) });
    else this.tell('tool.called', { tool: this.short(sign.tool), about: this.short(sign.about) });
  }

  called({ model, usage, costNanoUsd, errorCode, ms }: CallEnd): void {
    const { purpose } = this.task;
    const tokens = usage === null ? null : { ...usage };
    const costUsd = costNanoUsd === null ? null : usdOf(costNanoUsd);
    this.tell('model.called', { purpose, ...model, tokens, costUsd, errorCode, simulated: false, ms });
  }

  ended(how: JsonObject, { calls: turns, costNanoUsd, unknownCosts }: RunReport['metered']): void {
    const { purpose, attempt } = this.task;
    const costUsd = unknownCosts > 0 ? null : usdOf(BigInt(costNanoUsd));
    this.tell('agent.finished', { purpose, attempt, ...how, turns, costUsd, simulated: false });
  }

  /** Told once, however often a run was refused a call, and however it ended. */
  overBudget(breaker: JsonObject): void {
    if (this.isOverBudgetTold) return;
    this.isOverBudgetTold = true;
    this.tell('budget.exceeded', breaker, true);
  }

  private tell(type: string, data: JsonObject, isRecord = false): void {
    this.run.tell(type, { role: this.task.role, ...data }, isRecord);
  }

  private short(text: string): string {
    // Redacted before it is cut: half a secret would not be recognised.
    return brief(cleanText(text.slice(0, LONGEST_TEXT * 8), this.secrets), LONGEST_TEXT);
  }
}
