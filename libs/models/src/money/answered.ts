import type { ModelError } from '../model-error.js';
import type { Usage, UsageSoFar } from '../model.port.js';
import type { CallOutcome } from './settlement.js';

/** An answer, as far as its price goes. */
export interface Reported {
  /** Null: nobody counted. */
  readonly usage: Usage | UsageSoFar | null;
  /** The model as the provider named it; null: it did not. */
  readonly answeredBy: string | null;
}

/**
 * What became of a call that was answered. Where nobody counted all of it, or another model answered than the one whose
 * price was set aside, nobody knows what it cost.
 */
export function answeredOutcome({ usage, answeredBy }: Reported, pricedAs: string | null): CallOutcome {
  if (!usage || !isPriced(answeredBy, pricedAs)) {
    return { billed: 'unknown', errorCode: 'MODEL_USAGE_UNKNOWN', answeredBy };
  }
  return { billed: usage, errorCode: 'soFar' in usage ? 'MODEL_USAGE_UNKNOWN' : null, answeredBy };
}

/** What became of a call that failed, be it before its answer or in the middle of it. */
export function failedOutcome({ billed, code, answeredBy }: ModelError, pricedAs: string | null): CallOutcome {
  const isKnown = typeof billed === 'string' || isPriced(answeredBy, pricedAs);
  return { billed: isKnown ? billed : 'unknown', errorCode: code, answeredBy };
}

const isPriced = (answeredBy: string | null, pricedAs: string | null): boolean =>
  pricedAs === null || answeredBy === null || isSameModel(pricedAs, answeredBy);

const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Whether an answer is by the model that was asked for, or by the dated snapshot that its name stands for. */
export function isSameModel(asked: string, answeredBy: string): boolean {
  const answered = answeredBy.split('/').at(-1) ?? '';
  const name = asked.split('/').at(-1) ?? '';
  if (answered === name) return true;
  return !DATE.test(name) && answered.replace(DATE, '') === name.replace(/-latest$/, '');
}
