import { type Command, type Machine, RETURN, type State } from '#engine';

/** What a person does next to bring a project nearer to a state; `wait` where the project goes by itself. */
export type Move =
  | { readonly kind: 'decide'; readonly decision: string }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'wait' };

interface Edge {
  readonly move: Move;
  readonly to: string;
}

const COMMANDS: readonly Command[] = ['SKIP', 'ESCALATE', 'RETRY'];
const GENTLEST_FIRST = [[], COMMANDS, [...COMMANDS, 'ABORT'] as readonly Command[]];

/** The first move of the shortest way to a goal; commands, and ABORT above all, only where nothing else leads there. */
export function nextMove(machine: Machine, from: string, isGoal: (state: string) => boolean): Move | null {
  for (const commands of GENTLEST_FIRST) {
    const move = shortest(machine, from, isGoal, commands);
    if (move) return move;
  }
  return null;
}

function shortest(
  machine: Machine,
  from: string,
  isGoal: (state: string) => boolean,
  commands: readonly Command[],
): Move | null {
  const seen = new Set([from]);
  let front = edges(machine, from, commands).map((edge) => ({ first: edge.move, at: edge.to }));
  while (front.length > 0) {
    const arrived = front.find(({ at }) => isGoal(at));
    if (arrived) return arrived.first;
    const fresh = front.filter(({ at }) => !seen.has(at));
    for (const { at } of fresh) seen.add(at);
    front = fresh.flatMap(({ first, at }) => edges(machine, at, commands).map(({ to }) => ({ first, at: to })));
  }
  return null;
}

function edges(machine: Machine, name: string, commands: readonly Command[]): Edge[] {
  const state = machine.states[name];
  if (!state || state.end) return [];
  const branches = Object.entries(state.on).flatMap(([event, list]) => {
    const move = moveFor(state, event, commands);
    return move ? list.map(({ to }) => ({ move, to })) : [];
  });
  // Where a return leads to nobody can choose: what leads straight to a goal comes first.
  const byTable: Edge[] = [
    ...branches.filter(({ to }) => to !== RETURN),
    ...branches
      .filter(({ to }) => to === RETURN)
      .flatMap(({ move }) => entrancesOf(machine, name).map((to) => ({ move, to }))),
  ];
  if (!commands.includes('ABORT')) return byTable;
  return [...byTable, { move: { kind: 'command', command: 'ABORT' }, to: machine.abortTo }];
}

function moveFor(state: State, event: string, commands: readonly Command[]): Move | null {
  const command = COMMANDS.find((one) => one === event);
  if (command) return commands.includes(command) ? { kind: 'command', command } : null;
  if (!state.gate || event === state.timer?.event) return { kind: 'wait' };
  const option = Object.entries(state.gate.options).find(([, caused]) => caused === event);
  return option ? { kind: 'decide', decision: option[0] } : null;
}

const entrancesOf = (machine: Machine, name: string): string[] =>
  Object.entries(machine.states)
    .filter(([, state]) => Object.values(state.on).some((branches) => branches.some(({ to }) => to === name)))
    .map(([entrance]) => entrance);
