import { byTurn, inOrder, type ModelCall, type ModelServer, type Reply, type Script } from '#testing';
import { askedBy, CHECK_FILE, checked, checkOf, json, scoped, writes } from './coding-team.js';

/** Agents of an errand beside the implementer. */
const HELPERS: readonly string[] = ['work-planner', 'check-author', 'inspector', 'arbiter'];

const isHelper = (call: ModelCall): boolean => HELPERS.includes(roleIn(call) ?? '');

/** Calls that are no agent's, such as a CLI's own, have no role. */
function roleIn(call: ModelCall): string | null {
  try {
    return askedBy(call).role;
  } catch {
    return null;
  }
}

export interface ErrandHelpers {
  /** `theme`: a check of toggle(theme). `reads`: the plan keeps behaviour, and an inspector confirms the result. */
  readonly proof: 'theme' | 'reads';
}

/** The errand's view of a model server: the planner writes the check, and the other helpers answer by themselves. */
export class ErrandServer {
  constructor(
    private readonly server: ModelServer,
    private readonly helpers: ErrandHelpers = { proof: 'theme' },
  ) {}

  /** Answers the implementer. */
  use(script: Script | readonly Reply[]): void {
    const own = typeof script === 'function' ? script : inOrder(script);
    this.server.use((call) => (isHelper(call) ? this.answerHelper(call) : own(call)));
  }

  /** Calls of the implementer. */
  get calls(): readonly ModelCall[] {
    return this.server.calls.filter((call) => !isHelper(call));
  }

  private answerHelper(call: ModelCall): Reply | Promise<Reply> {
    const isTheme = this.helpers.proof === 'theme';
    switch (roleIn(call)) {
      case 'work-planner':
        if (!isTheme) return scoped({ class: 'keeps-behaviour' });
        return byTurn([writesCheck(call), scoped({ checks: [checkOf()] })])(call);
      case 'check-author':
        return byTurn([writesCheck(call), checked()])(call);
      case 'arbiter':
        return json({ isCheckWrong: false, isDemanded: true, why: 'the request asks for it' });
      default:
        return json({ parts: [{ part: 1, isDone: true, why: 'it is there' }], findings: [], tests: [] });
    }
  }
}

const CHECK_PATH = '.qralph-checks/toggle.mjs';

/** By the tool that the agent has: a CLI brings its own, and works in the folder that it starts in. */
const writesCheck = ({ tools }: ModelCall): Reply =>
  tools.includes('Write')
    ? {
        toolCalls: [
          {
            name: 'Bash',
            input: {
              command: `mkdir -p .qralph-checks && cat > ${CHECK_PATH} <<'END'\n${CHECK_FILE}END\n`,
              description: 'write the check',
            },
          },
        ],
      }
    : writes({ [CHECK_PATH]: CHECK_FILE });
