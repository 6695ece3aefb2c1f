import type { ModelCall, Reply, Script } from './reply.js';

export interface ScriptOptions {
  /** Answers calls that offer no tools, as CLIs make them for titles and the like; they take nothing from the list. */
  readonly sideCalls?: Reply;
}

/** The replies one after the other, whoever asks; past the last one, an error that says so. */
export function inOrder(replies: readonly Reply[], options: ScriptOptions = {}): Script {
  let next = 0;
  return (call) => sideReply(call, options) ?? replies[next++] ?? outOfReplies(call);
}

/** The reply by how far the conversation is: the same for any number of agents at once, and for a repeated call. */
export function byTurn(replies: readonly Reply[], options: ScriptOptions = {}): Script {
  return (call) => sideReply(call, options) ?? replies[call.turn] ?? outOfReplies(call);
}

function sideReply(call: ModelCall, { sideCalls }: ScriptOptions): Reply | undefined {
  return call.tools.length === 0 ? sideCalls : undefined;
}

function outOfReplies(call: ModelCall): Reply {
  const words = `the script has no reply left for call ${call.number} (turn ${call.turn})`;
  return { fault: { kind: 'status', status: 400, type: 'invalid_request_error', words } };
}
