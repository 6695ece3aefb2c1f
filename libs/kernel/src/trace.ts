/** What stands in a span. Names of attributes are ours; whoever exports them knows what they are called outside. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Work that people want to see in a trace: an agent at its task, a call of a model, a call of a tool, a command that is
 * run in a worktree, a question to a provider that costs nothing.
 */
export type WorkKind = 'agent' | 'chat' | 'tool' | 'command' | 'inquiry';

export interface Trace {
  /** Runs `work` inside a span named after its kind and what it is about; `note` adds what is known only later. */
  within<T>(kind: WorkKind, about: string, facts: SpanFacts, work: (note: Note) => Promise<T>): Promise<T>;
  /** Id of the trace that goes on now, for whoever keeps a record of the work. */
  traceId(): string | null;
}

export type Note = (facts: SpanFacts) => void;

export const silentTrace: Trace = {
  within: (_kind, _about, _facts, work) => work(() => undefined),
  traceId: () => null,
};
