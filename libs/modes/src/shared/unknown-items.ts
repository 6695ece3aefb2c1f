import type { Unsettled } from '#contracts';
import type { Pending } from '#workspace';

/** Something of which nobody knows how it stands, and what becomes of it. */
export interface UnknownItem {
  readonly what: string;
  readonly then: string;
}

export const STATUS_UNKNOWN = 'STATUS UNKNOWN';

/** Why git could not say what is uncommitted. */
export interface Unseen {
  readonly reason: string;
}

export interface Look {
  readonly status: string;
  /** Null where nobody could say. */
  readonly unsettled: Unsettled | null;
  /** What lies in the worktree; null where there is none. */
  readonly pending: Pending | Unseen | null;
}

const NAMED = 5;

/**
 * What nobody knows about a project: what a worker that is gone had begun, and what lies in its worktree that no
 * checkpoint knows. While a worker holds the project, the files are that worker's, and are no riddle.
 */
export function unknownItems({ status, unsettled, pending }: Look): readonly UnknownItem[] {
  if (['completed', 'aborted', 'failed'].includes(status)) return [];
  if (unsettled === null)
    return [{ what: 'what its last worker had begun: the database did not say', then: 'ask again' }];
  return [
    ...unsettled.effects.map(({ child, step, since }) => ({
      what: `${child === null ? '' : `${child}: `}the effect ${step} began at ${since.toISOString()}, and nobody knows whether it happened`,
      then: 'whoever drives the project next settles it first: it is looked up, repeated where that does no harm, or asked about',
    })),
    ...unsettled.processes.map(({ host, pid, purpose }) => ({
      what: `process ${String(pid)} on ${host} (${purpose}) may still run: its worker is gone`,
      then: 'a worker of that host ends it, before the project is driven there',
    })),
    ...callItems(unsettled),
    ...fileItems(status, unsettled.isDriven, pending),
  ];
}

function callItems({ lostCalls, openCalls }: Unsettled): readonly UnknownItem[] {
  const open = {
    what: `${countOf(openCalls, 'call')} of models ${openCalls === 1 ? 'was' : 'were'} under way when the worker was lost`,
    then: 'what they may cost stays reserved until they are written off as lost; the step asks again',
  };
  const lost = {
    what: `${countOf(lostCalls, 'call')} of models ${lostCalls === 1 ? 'was' : 'were'} lost: whether answered and billed nobody knows`,
    then: 'what they may have cost at most counts against the cap; the step asked again, or will',
  };
  return [...(openCalls > 0 ? [open] : []), ...(lostCalls > 0 ? [lost] : [])];
}

function fileItems(status: string, isDriven: boolean, pending: Look['pending']): readonly UnknownItem[] {
  if (pending !== null && 'reason' in pending) {
    return [{ what: `what is uncommitted in the worktree: ${pending.reason}`, then: 'look there, or ask again' }];
  }
  const files = isDriven ? [] : (pending?.files.filter(({ isAsInCommit }) => isAsInCommit === false) ?? []);
  if (files.length === 0) return [];
  const named = files.slice(0, NAMED).map(({ path }) => path).join(', '); // prettier-ignore
  const more = files.length > NAMED ? ` and ${String(files.length - NAMED)} more` : '';
  return [
    {
      what: `${named}${more}: not as the newest checkpoint has it; by a person, or by a step that was cut off`,
      then:
        status === 'blocked'
          ? 'resolve and RETRY look at it and take it along; a restore keeps it as a commit'
          : 'the next step begins with the files of the checkpoint; a restore keeps it as a commit, else copy it away',
    },
  ];
}

const countOf = (count: number, word: string): string => `${String(count)} ${word}${count === 1 ? '' : 's'}`;
