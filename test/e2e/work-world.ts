import type { ArtifactContent, Gate, Project, ProjectTask } from '#contracts';
import { eventually, type ModelCall, type Script } from '#testing';
import { ErrandWorld, gitIn } from './errand-world.js';
import { type WorkRole, workRoleOf, type WorkScript, workTeam } from './work-team.js';

const MARK = /case-\d+/;
const DEADLINE_MS = 120_000;

/** Several projects of work mode at once on one service; a mark in each request says whose team answers. */
export class WorkWorld {
  private readonly scripts = new Map<string, Script>();

  constructor(readonly world: ErrandWorld) {
    world.server.use((call) => {
      const script = this.scripts.get(markOf(call));
      if (!script) throw new Error(`no case asks this: ${JSON.stringify(call.body).slice(0, 500)}`);
      return script(call);
    });
  }

  async start(script: WorkScript, more: Readonly<Record<string, unknown>> = {}): Promise<WorkCase> {
    const mark = `case-${String(this.scripts.size + 1)}`;
    this.scripts.set(mark, workTeam(script, mark));
    const repo = await this.world.repository();
    const { request = 'Write a report on the toggle', ...order } = more as { request?: string };
    const { id } = await this.world.start(repo, { mode: 'work', verify: ['node --test'], ...order, request: `${request}, ${mark}` }); // prettier-ignore
    return new WorkCase(this.world, id, mark, repo);
  }
}

const markOf = ({ body }: ModelCall): string => MARK.exec(JSON.stringify(body))?.[0] ?? '';

export class WorkCase {
  constructor(
    private readonly world: ErrandWorld,
    readonly id: string,
    private readonly mark: string,
    readonly repo: string,
  ) {}

  get api(): ErrandWorld['api'] {
    return this.world.api;
  }

  read<T>(what: string): Promise<T> {
    return this.api.must('GET', `/v1/projects/${this.id}/${what}`);
  }

  async page(name: string): Promise<string> {
    return (await this.read<ArtifactContent>(`artifacts/${name}`)).content;
  }

  async tasks(): Promise<readonly ProjectTask[]> {
    return (await this.read<{ data: ProjectTask[] }>('tasks')).data;
  }

  async told(type: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.api.events(this.id)).filter((one) => one.type === type).map(({ data }) => data);
  }

  async states(): Promise<readonly unknown[]> {
    return (await this.told('state.entered')).map(({ to }) => to);
  }

  /** The gate, once the project has come to it so often. */
  async atPlan(nth = 1): Promise<Gate> {
    await eventually(
      `${this.mark} is at its gate, ${String(nth)}`,
      async () => {
        const { status, state, waitingFor } = await this.api.project(this.id);
        const hasCome = (await this.states()).filter((one) => one === 'USER_REVIEW').length >= nth;
        if (['blocked', 'failed', 'aborted', 'completed'].includes(status)) {
          throw new Error(`it is ${status} in ${state}: ${JSON.stringify(waitingFor)}`);
        }
        return hasCome && waitingFor?.['gate'] === 'plan';
      },
      { deadlineMs: DEADLINE_MS, everyMs: 100 },
    );
    const { data } = await this.read<{ data: Gate[] }>('gates');
    const gate = data.find(({ name }) => name === 'plan');
    if (!gate) throw new Error('there is no gate');
    return gate;
  }

  decide(decision: string, feedback?: string): Promise<unknown> {
    return this.api.must('POST', `/v1/projects/${this.id}/gates/plan`, { decision, ...(feedback && { feedback }) });
  }

  ended(status: 'completed' | 'aborted'): Promise<Project> {
    return this.api.untilStatus(this.id, status, DEADLINE_MS);
  }

  /** What its agents of a role were told, in the order of asking, a conversation each. */
  prompts(role: WorkRole): readonly string[] {
    return this.calls()
      .filter((call) => call.turn === 0 && workRoleOf(call) === role)
      .map(({ body }) => JSON.stringify(body));
  }

  calls(): readonly ModelCall[] {
    return this.world.server.calls.filter((call) => markOf(call) === this.mark);
  }

  async onBranch(path: string): Promise<string> {
    const { workspace } = await this.api.project(this.id);
    return gitIn(this.repo, 'show', `${workspace?.branch ?? ''}:${path}`);
  }
}
