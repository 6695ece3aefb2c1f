import type { JsonObject } from '#kernel';

/** One message that this process has taken to send. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  /** As they are stored: the present one, and while they count those before. */
  readonly secrets: readonly string[];
  readonly type: string;
  readonly createdAt: Date;
  /** Null: a test. */
  readonly project: ProjectStanding | null;
  readonly details: JsonObject;
  /** Which attempt this is of all, and since the message was last made due by hand. */
  readonly attempt: number;
  readonly tries: number;
  /** Something was given up, or it rested: what arrives puts an end to that. */
  readonly isEndpointUnwell: boolean;
  readonly traceparent: string | null;
}

/** Where the project stood when it was told. */
export interface ProjectStanding {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
  readonly state: string;
  readonly status: string;
  readonly checkpoint: number;
  readonly event: number;
}

/** How an attempt ended. */
export interface Answer {
  /** Null: there was none. */
  readonly status: number | null;
  /** Null: it arrived. */
  readonly error: string | null;
  readonly ms: number;
}

/** What follows from it. */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** `restMs`: the endpoint is left alone for so long, with all its messages. */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly restMs: number | null }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The receiver wants no more: nothing is sent there until a person says otherwise. */
  | { readonly kind: 'gone'; readonly reason: string };

export interface ClaimTerms {
  readonly most: number;
  readonly mostPerEndpoint: number;
  /** How many of each endpoint this process is sending already. */
  readonly busy: ReadonlyMap<string, number>;
  /** After this long another process may take what was claimed. */
  readonly leaseMs: number;
}

/** Shared by all processes: each message is with one of them at a time, and one that died gives it back by dying. */
export interface DeliveryStore {
  claim(terms: ClaimTerms): Promise<readonly ClaimedDelivery[]>;
  settle(delivery: ClaimedDelivery, answer: Answer, verdict: Verdict): Promise<void>;
  /** Forgets what ended before so many days. */
  sweep(keepDays: number): Promise<number>;
}
