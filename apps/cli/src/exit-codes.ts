/** What the command line ends with; scripts decide by it, so a number never changes its meaning. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  endedBadly: 3,
  waits: 4,
  unreachable: 5,
  unauthorised: 6,
  unsound: 7,
  bug: 70,
  unwritten: 74,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done; of `watch` and `start --watch`: the project completed',
  refused: 'the service refused: `code` and what to do are on stderr, with `--json` on stdout',
  usage: 'the command line or the environment is wrong, and nothing was sent',
  endedBadly: 'the project that was watched or asked about ended aborted or failed',
  waits: 'the project that was watched or asked about waits for a person, is blocked or paused',
  unreachable: 'no service answers there, or it is at fault itself',
  unauthorised: 'no key, a wrong one, or one that may not do this',
  unsound: 'what was looked at is not sound: a chain that does not verify, a finding of `doctor`',
  bug: 'a fault of the command line itself',
  unwritten: 'what there was to say could not be written, as to a full disk; a reader that has seen enough is no fault',
  interrupted: 'Ctrl-C, or told to end; the project runs on',
};
