import type { Target, Task } from './target.js';

const MODULE = 'durations.py';
const TEST = 'tests/test_durations.py';
const COMMAND = 'python3 -m unittest -v';

const SOURCE = `"""Durations such as 1h30m, in seconds."""
import re

UNITS = {"s": 1, "m": 60, "h": 360}


def parse(text):
    """The seconds of a duration."""
    parts = re.findall(r"(\\d+)([smh])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError("no duration: " + text)
    return sum(int(number) * UNITS[unit] for number, unit in parts)
`;

const tests = (body: string): string =>
  `import unittest\n\nimport durations\n\n\nclass DurationsTest(unittest.TestCase):\n${body}`;
const method = (name: string, line: string): string => `    def test_${name}(self):\n        ${line}\n`;

export const python: Target = {
  name: 'python',
  files: {
    LICENSE: 'MIT License\n',
    '.gitignore': '__pycache__/\n.venv/\n',
    'README.md': '# durations\n\nParses durations. Run the tests with `python3 -m unittest -v`.\n',
    [MODULE]: SOURCE,
    'tests/__init__.py': '',
    [TEST]: tests(
      [
        method('minutes', 'self.assertEqual(durations.parse("2m"), 120)'),
        method('hours', 'self.assertEqual(durations.parse("1h"), 3600)'),
        method('refuses_other_texts', 'self.assertRaises(ValueError, durations.parse, "soon")'),
      ].join('\n'),
    ),
  },
  testCommand: COMMAND,
  verify: [COMMAND],
};

const HOURS = '"h": 360}';
const hours = (text: string) => ({ edits: [{ path: MODULE, old: HOURS, new: text }] });
const check = (file: string, line: string) => ({
  file,
  content: `import unittest\n\nimport durations\n\n\nclass Check(unittest.TestCase):\n${method('part', line)}`,
  command: `python3 -m unittest -v ${file.replace('.py', '')}`,
});
const oracle = (lines: readonly string[]) => ({
  files: { 'oracle.py': `import durations\n\n${lines.join('\n')}\n` },
  command: 'python3 -B oracle.py',
});
const python3 = (expression: string): string => `python3 -c 'import durations; assert ${expression}'`;

export const fixHours: Task = {
  request: 'durations.parse("1h") returns 360 seconds, so test_hours fails. An hour has 3600 seconds; please fix it.',
  class: 'behaviour',
  parts: [
    {
      title: 'an hour has 3600 seconds',
      interface: 'durations.parse',
      failingTests: ['test_hours'],
      check: check('check_hours.py', 'self.assertEqual(durations.parse("2h"), 7200)'),
    },
  ],
  findings: [
    {
      priority: 'P0',
      title: 'the unit h has 360 seconds',
      body: 'UNITS maps h to 360; an hour has 3600 seconds.',
      file: MODULE,
      line: 4,
      relation: 'is-request',
    },
  ],
  right: hours('"h": 3600}'),
  wrong: { 'off by ten': hours('"h": 36000}'), 'minutes again': hours('"h": 60}') },
  scenarios: [{ title: 'one hour', command: python3('durations.parse("1h") == 3600') }],
  oracle: oracle(['assert durations.parse("1h30m") == 5400', 'assert durations.parse("10s") == 10']),
};

const UNIT_LINE = 'UNITS = {"s": 1, "m": 60, "h": 360}';
const EXPRESSION = '([smh])';
const days = (length: string) => ({
  edits: [
    { path: MODULE, old: UNIT_LINE, new: `UNITS = {"s": 1, "m": 60, "h": 3600, "d": ${length}}` },
    { path: MODULE, old: EXPRESSION, new: '([smhd])' },
  ],
});

export const addDays: Task = {
  request:
    'Support days in durations: parse("1d12h") is 129600. Correct the length of an hour on the way: it has 3600 seconds.',
  class: 'behaviour',
  parts: [
    {
      title: 'days are parsed',
      interface: 'durations.parse("1d")',
      check: check('check_days.py', 'self.assertEqual(durations.parse("2d"), 172800)'),
    },
    {
      title: 'the length of an hour is right',
      interface: 'durations.parse("1h")',
      failingTests: ['test_hours'],
      check: check('check_hour.py', 'self.assertEqual(durations.parse("3h"), 10800)'),
    },
  ],
  right: days('86400'),
  wrong: {
    'days of ten hours': days('36000'),
    'hours only': { edits: [{ path: MODULE, old: UNIT_LINE, new: 'UNITS = {"s": 1, "m": 60, "h": 3600}' }] },
  },
  scenarios: [{ title: 'a day and a half', command: python3('durations.parse("1d12h") == 129600') }],
  oracle: oracle(['assert durations.parse("1d12h") == 129600', 'assert durations.parse("1h") == 3600']),
};
