import { fenced, oneLine } from '../../shared/page-parts.js';
import type { Check } from '../scoping/request-plan.js';

const INTRODUCTION =
  'An agent that did not write the change wrote these checks from the request. The service ran each of them on the base and on the result. To run one again, put its files into a checkout of the branch, and run its command there.';

/** CHECKS.md: every check with its files. It is written at the end only, because agents can read these pages. */
export function checksPage(name: string, checks: readonly Check[]): string {
  const head = [`# Checks of ${oneLine(name)}`, ''];
  const body =
    checks.length === 0 ? ['No check was written: see SUMMARY.md for what proves the result.'] : [INTRODUCTION];
  return `${[...head, ...body, ...checks.flatMap((check, nth) => checkLines(check, checks.slice(0, nth)))].join('\n')}\n`;
}

function describeRed(red: Check['red']): string {
  switch (red.kind) {
    case 'assertion':
      return 'it failed';
    case 'absent':
      return `it failed, because this was missing: ${oneLine(red.missing.join(', '))}`;
    case 'kept':
      return 'it passed, and it has to pass on the result: its part says that something stays';
  }
}

const checkLines = (
  { id, part, title, command, files, red, dropped }: Check,
  before: readonly Check[],
): readonly string[] => [
  '',
  `## ${id} ${oneLine(title, 200)}`,
  '',
  `- part of the request: ${String(part)}`,
  `- on the base: ${describeRed(red)}`,
  ...(dropped === null ? [] : [`- it does not count: ${oneLine(dropped)}`]),
  '',
  ...fenced(`$ ${command}`, 'bullet'),
  ...files.flatMap(({ path, content }) => {
    const same = before.find((one) => one.files.some((file) => file.path === path && file.content === content));
    return ['', `### ${oneLine(path)}`, '', ...(same ? [`The same file as in ${same.id}.`] : fenced(content))];
  }),
];
