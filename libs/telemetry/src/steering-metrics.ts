import { Counter, type Registry } from 'prom-client';
import { METRIC } from './names.js';

/** `limited`: refused for its number alone, which leaves no event. */
export type SteeringOutcome = 'accepted' | 'refused' | 'limited';

export interface CountsSteering {
  /** A command was given through a door, and taken or refused there. */
  command(door: string, outcome: SteeringOutcome): void;
  /** A gate was decided, or somebody tried to. */
  decision(outcome: SteeringOutcome): void;
  /** Somebody said something to the agents of a project. */
  note(outcome: SteeringOutcome): void;
  /** A call of a model that was told a note was answered. */
  noteDelivered(): void;
}

/** Figures of what people and services say to projects. */
export function steeringFigures(registers: Registry[]): CountsSteering {
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    new Counter({ name, help, labelNames, registers });
  const commands = counter(METRIC.commands, 'Commands given, by the door they came through and whether they were taken', ['door', 'outcome']); // prettier-ignore
  const decisions = counter(METRIC.decisions, 'Decisions at gates, by whether they were taken', ['outcome']);
  const notes = counter(METRIC.notes, 'Notes given, by whether they were taken', ['outcome']);
  const delivered = counter(METRIC.notesDelivered, 'Notes that reached an agent, once for each conversation', []);
  return {
    command: (door, outcome) => commands.inc({ door, outcome }),
    decision: (outcome) => decisions.inc({ outcome }),
    note: (outcome) => notes.inc({ outcome }),
    noteDelivered: () => delivered.inc(),
  };
}
