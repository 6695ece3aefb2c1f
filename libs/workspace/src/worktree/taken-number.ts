import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTEFACT_ROOT } from '../artefacts/exclude-line.js';
import type { Checkout } from './checkout.js';
import { BRANCH_PREFIX } from './names.js';

/** A number above this is a date, or meant to use up the numbers of the service: no count of projects gets there. */
const MOST = 99_999;

/** The highest NNN of a project, of whatever service, that left a folder or a branch in the repository; 0 for none. */
export async function takenNumber(checkout: Checkout): Promise<number> {
  const branches = [`refs/heads/${BRANCH_PREFIX}`, `refs/remotes/*/${BRANCH_PREFIX}*`];
  const [folders, { stdout }] = await Promise.all([
    readdir(join(checkout.place.repo, ARTEFACT_ROOT, 'projects')).catch(() => []),
    checkout.inRepo(['for-each-ref', '--format=%(refname:lstrip=-1)', ...branches]),
  ]);
  return [...folders, ...stdout.toString('utf8').split('\n')].reduce((most, name) => Math.max(most, numberIn(name)), 0);
}

function numberIn(name: string): number {
  const number = Number(/^(\d{1,9})-/.exec(name)?.[1] ?? 0);
  return number > MOST ? 0 : number;
}
