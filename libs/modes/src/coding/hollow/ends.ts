/** How a part of a script may end: go on with exit code 0 or another, end the whole script with either, leave a loop. */
export type End = 'ok' | 'fails' | 'exits well' | 'exits badly' | 'breaks';
export type Ends = ReadonlySet<End>;

export const endsIn = (...ends: readonly End[]): Ends => new Set(ends);
export const OK = endsIn('ok');
export const EITHER = endsIn('ok', 'fails');

export const joined = (...all: readonly Ends[]): Ends => new Set(all.flatMap((ends) => [...ends]));
/** Each end becomes another one, or stays. */
export const turned = (ends: Ends, into: Partial<Record<End, End>>): Ends =>
  new Set([...ends].map((end) => into[end] ?? end));
export const without = (ends: Ends, ...gone: readonly End[]): Ends =>
  new Set([...ends].filter((end) => !gone.includes(end)));
/** After which the next command has its turn. */
export const goingOn = (ends: Ends): Ends => without(ends, 'exits well', 'exits badly', 'breaks');

/** What a running shell knows. */
export interface Shell {
  /** `set -e`: what fails ends the script, unless somebody asks for its exit code. */
  endsOnFailure: boolean;
  /** `set -o pipefail` */
  pipesFail: boolean;
  /** Whether somebody asks: `if`, `!`, `&&`… */
  isAsked: boolean;
  /** `$?` */
  last: Ends;
  /** How deep in `sh -c`. */
  readonly level: number;
  /** Of the whole script: whether anything has run so far whose exit code says something. */
  readonly seen: { hasTold: boolean };
}
