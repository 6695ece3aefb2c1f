import type { ProofFacts, RequestClass } from './proof-facts.js';

/** The class by which a change is judged. A diff that leaves the class of its request counts as behaviour. */
export function effectiveClass({ requestClass, diff }: Pick<ProofFacts, 'requestClass' | 'diff'>): RequestClass {
  switch (requestClass) {
    case 'document':
      return diff.touchesCode || diff.touchesTests ? 'behaviour' : 'document';
    case 'tests-only':
      return diff.touchesCode ? 'behaviour' : 'tests-only';
    case 'behaviour':
    case 'keeps-behaviour':
      return requestClass;
  }
}
