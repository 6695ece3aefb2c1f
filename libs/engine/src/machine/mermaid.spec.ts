import { describe, expect, it } from 'vitest';
import { defineMachine } from './define-machine.js';
import { sample } from './machine.fixture.js';
import { toMermaid } from './mermaid.js';

/** A line as Mermaid's own grammar reads it: no colon, semicolon or hash inside a text, no hyphen inside an id. */
const LINE =
  /^(stateDiagram-v2| {2}(\[\*\]|\w+) --> (\[\*\]|\w+)(: [^:;#]+)?| {2}note right of \w+: [^:;#]+| {2}state "[^":;#]+" as \w+)$/;

describe('toMermaid', () => {
  const diagram = toMermaid(sample);

  it('draws every branch of the table', () => {
    const branches = Object.values(sample.states).flatMap((state) => Object.values(state.on).flat());
    expect(diagram.split('\n').filter((line) => line.includes(': ') && line.includes(' --> '))).toHaveLength(
      branches.length,
    );
  });

  it('writes each condition beside its branch', () => {
    expect(diagram).toContain('  WORK --> WORK: work again [at most 3]\n');
    expect(diagram).toContain('  WORK --> WORK: item again [at most 2 per item]\n');
    expect(diagram).toContain('  WORK --> TIDY: work done [is-small]\n');
    expect(diagram).toContain('  BLOCKED --> BLOCKED_returns: RETRY [human only]\n');
    expect(diagram).toContain('  ASK --> TIDY: ask rejected [ends as aborted]\n');
    expect(diagram).toContain('  note right of ASK: waits for a person (approval)\n');
    expect(diagram).toContain('  state "where it came from" as BLOCKED_returns\n');
    expect(diagram).toContain('  TIDY --> [*]\n');
  });

  it('writes only lines that Mermaid can read, whatever the names', () => {
    const odd = defineMachine(
      'odd',
      1,
      {
        'to-do': { do: 'a', on: { 'a:b;c#d': 'E "F"' } },
        'E "F"': { end: 'completed' },
      },
      { abortTo: 'E "F"' },
    );
    for (const text of [diagram, toMermaid(odd)]) {
      for (const line of text.trimEnd().split('\n')) expect(line).toMatch(LINE);
    }
  });
});
