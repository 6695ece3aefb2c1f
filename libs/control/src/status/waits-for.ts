import type { WaitingFor } from '#contracts';

/** Whose words say what is waited for; of each kind some are there. */
const WORDS = ['code', 'message', 'question', 'words', 'reason'];
const TIMES = ['since', 'until'];

interface Child {
  readonly key?: unknown;
  readonly status?: unknown;
}

/** What is waited for, in a line. What a person is asked at a gate stands in a section of its own. */
export function waitsFor(wait: WaitingFor | null): string {
  if (wait === null) return 'nothing';
  if (wait.kind === 'gate') return `a person, at the gate ${String(wait['gate'])}`;
  const texts = (names: readonly string[]) =>
    names.flatMap((name) => (typeof wait[name] === 'string' ? [[name, wait[name]] as const] : []));
  const children = Array.isArray(wait['children']) ? (wait['children'] as readonly Child[]) : [];
  const when = texts(TIMES).map(([name, at]) => `${name} ${at}`);
  const said = [
    ...texts(WORDS).map(([, text]) => text),
    ...(children.length > 0 ? [children.map(({ key, status }) => `${String(key)} ${String(status)}`).join(', ')] : []),
  ];
  return [[wait.kind, ...when].join(', '), ...said].join(': ');
}
