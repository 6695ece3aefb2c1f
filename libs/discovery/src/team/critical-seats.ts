import type { Domain } from '../domains/detect-domains.js';

/** Where only these are touched no code is, and nobody has to read code. */
const WITHOUT_CODE: readonly string[] = ['documentation', 'product'];
const MANY_DOMAINS = 3;

/** Which critical reviewers a request calls for, and why. */
export function calledFor(domains: readonly Domain[]): ReadonlyMap<string, string> {
  const names = domains.map(({ domain }) => domain);
  const among = (...wanted: string[]): string[] => names.filter((name) => wanted.includes(name));
  const called = new Map<string, string>();
  const call = (reviewer: string, by: readonly string[]): void => {
    if (by.length > 0) called.set(reviewer, `the request is about ${by.join(', ')}`);
  };
  call('security-reviewer', among('security', 'backend', 'infrastructure'));
  call('architecture-advisor', names.length >= MANY_DOMAINS ? names : among('architecture', 'data'));
  if (names.length === 0) called.set('sde-iii', 'the request does not say what it is about');
  call(
    'sde-iii',
    names.filter((name) => !WITHOUT_CODE.includes(name)),
  );
  return called;
}
