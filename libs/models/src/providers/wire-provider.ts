import { type Redactor, SecretBook } from '#kernel';
import type { ChatAnswer, ChatRequest, ModelProvider, Usage, UsageSoFar } from '../model.port.js';
import { CallWatch, type Fetch, maxBytesOf } from './call-watch.js';
import { type CallSoFar, explain, type SettingNames } from './explain.js';

export interface WireOptions {
  readonly apiKey?: string | null;
  readonly baseUrl?: string;
  /** Blots secrets out of what a provider says; the own key always is. */
  readonly redactor?: Redactor;
  /** What configuration calls its address and its key, for whoever has to mend them. */
  readonly settings?: SettingNames;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  /** Default: by what the request allows. */
  readonly maxBytes?: number;
}

/** One call, as the code of a protocol sees it. */
export interface Conversation {
  readonly request: ChatRequest;
  readonly watch: CallWatch;
  readonly tellUsage: TellUsage;
}

/**
 * To be told what the provider says of an answer's price, and by which model it is, as soon as it does: an error after
 * that knows it. Null: it took back what it had said.
 */
export type TellUsage = (usage: Usage | UsageSoFar | null, answeredBy: string) => void;

/** The SDK's own time-out comes after ours, which knows more about what it ended. */
export const SDK_MARGIN_MS = 60_000;
const UNNAMED: SettingNames = { baseUrl: 'its base URL', key: 'the one it is configured with' };
/** For servers that want no key; the SDKs insist on one. */
export const NO_KEY = 'no-key';

/** Wraps a protocol with limits, cancelling, and errors that are always ModelErrors. */
export function wireProvider(
  name: string,
  options: WireOptions,
  converse: (conversation: Conversation) => Promise<ChatAnswer>,
): ModelProvider {
  const { redactor, now = Date.now, fetch: send, settings = UNNAMED } = options;
  const ownKey = new SecretBook([options.apiKey]);
  const redact = (text: string): string => ownKey.redact(redactor ? redactor.redact(text) : text);
  return {
    name,
    isSimulated: false,
    chat: async (request, listener) => {
      const { timeoutMs, idleMs } = request;
      const limits = { timeoutMs, idleMs, maxBytes: options.maxBytes ?? maxBytesOf(request.maxOutputTokens) };
      const watch = new CallWatch(limits, listener, send);
      let told: Pick<CallSoFar, 'usage' | 'answeredBy'> = { usage: null, answeredBy: '' };
      try {
        listener.signal.throwIfAborted();
        return await converse({ request, watch, tellUsage: (usage, answeredBy) => (told = { usage, answeredBy }) });
      } catch (error) {
        throw explain(error, { provider: name, watch, limits, ...told, settings, nowMs: now(), redact });
      } finally {
        watch.close();
      }
    },
  };
}
