import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Everything that runs below a process, at any depth. */
export function processesBelow(ancestor: number): RunningProcess[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const below = new Set([ancestor]);
  for (let grew = true; grew;) {
    const size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
    grew = below.size > size;
  }
  return all.filter(({ pid }) => pid !== ancestor && below.has(pid));
}

function readProcess(pid: number): RunningProcess[] {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
      .replaceAll('\0', ' ')
      .trim();
    return state === 'Z' ? [] : [{ pid, parent: Number(parent), command }];
  } catch {
    return [];
  }
}
