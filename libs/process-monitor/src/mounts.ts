import { readFileSync } from 'node:fs';

export interface Mount {
  /** As its own processes see it. */
  readonly path: string;
  readonly type: string;
  readonly device: string;
}

/** What a process has mounted; nothing when it is gone, or hides it. */
export function mountsOf(pid: number | 'self'): Mount[] {
  try {
    return readFileSync(`/proc/${String(pid)}/mountinfo`, 'utf8')
      .split('\n')
      .flatMap(mountIn);
  } catch {
    return [];
  }
}

/** One line: what is optional ends with a dash. Blanks and the like are written as octal numbers. */
export function mountIn(line: string): Mount[] {
  const [left = '', right = ''] = line.split(' - ');
  const [, , device, , path] = left.split(' ');
  const [type = ''] = right.split(' ');
  if (device === undefined || path === undefined) return [];
  return [{ path: path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))), type, device }]; // prettier-ignore
}
