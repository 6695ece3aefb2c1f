import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promiseIn, promiseTag } from './promise-tag.js';

const TAGS = ['COMPLETE', 'BLOCKED'];
const DONE = promiseTag('COMPLETE');
const STUCK = promiseTag('BLOCKED');

const made: readonly (readonly [string, string])[] = [
  ['the tag alone', DONE],
  ['the tag after a sentence', `All stories are done.\n\n${DONE}`],
  ['the tag after a heading with a colon', `Final status:\n${DONE}`],
  ['the tag before further text', `${DONE}\n\nThank you.`],
  ['spaces around it', `Done.\n  ${DONE}  `],
  ['Windows line breaks', `Done.\r\n${DONE}\r\n`],
  ['the same tag twice', `${DONE}\n\nAs said:\n\n${DONE}`],
  ['a closed fence before it', `\`\`\`sh\nnpm test\n\`\`\`\n\n${DONE}`],
  ['a quote before it, and an empty line', `> passes\n\n${DONE}`],
  ['a sentence about something else after it', `${DONE}\n\nI did not change the configuration.`],
  ['a sentence about what is not there, which has ended', `There are no failures left.\n${DONE}`],
];

const notMade: readonly (readonly [string, string])[] = [
  ['no tag', 'All done.'],
  ['the word without a tag', 'COMPLETE'],
  ['the tag in a sentence', `I will say ${DONE} soon`],
  ['a negated tag on one line', `not ${DONE}`],
  ['a negation before it', `I can NOT say\n${DONE}`],
  ['a condition before it', `When all tests pass I will print:\n\n${DONE}`],
  ['a contraction before it', `The tests fail, so it isn't\n${DONE}`],
  ['a negation that goes on after it', `${DONE}\nis not something that I can say yet.`],
  ['a negation that goes on after an empty line', `${DONE}\n\nis not true yet`],
  ['a negation that begins a sentence of its own', `${DONE}\nNot yet.`],
  ['the same after some empty lines', `${DONE}\n\n\n  NOT YET, there are failures.`],
  ['a sentence about the tag that denies it', `${DONE}\n\nThis is not true yet.`],
  ['a condition that begins after it', `${DONE}\nIf the tests pass.`],
  ['another case', '<promise>complete</promise>'],
  ['spaces inside', '<promise> COMPLETE </promise>'],
  ['a tag that is not on the list', '<promise>FINISHED</promise>'],
  ['bold', `**${DONE}**`],
  ['a list item', `- ${DONE}`],
  ['backticks', `\`${DONE}\``],
  ['backticks over several lines', `The tag is \`\n${DONE}\n\` as you said`],
  ['a block quote', `> ${DONE}`],
  ['a lazy block quote', `> You said\n${DONE}`],
  ['a fence', `\`\`\`\n${DONE}\n\`\`\``],
  ['a fence of tildes', `~~~\n${DONE}\n~~~`],
  ['a fence that nobody closed', `\`\`\`\nnpm test\n${DONE}`],
  ['a longer fence with a shorter one inside', `\`\`\`\`\n\`\`\`\n${DONE}\n\`\`\`\`\n`],
  ['an indented code block', `Like this:\n\n    ${DONE}`],
  ['a comment', `<!--\n${DONE}\n-->`],
  ['two different tags', `${DONE}\n\n${STUCK}`],
];

describe('promise tags', () => {
  it.each(made)('count: %s', (_, message) => expect(promiseIn(message, TAGS)).toBe('COMPLETE'));
  it.each(notMade)('do not count: %s', (_, message) => expect(promiseIn(message, TAGS)).toBeNull());

  it('do not count where the message repeats the prompt', () => {
    const prompt = `Work on.\nAt the very end, your last line:\n${DONE}\nNothing else.`;
    expect(promiseIn(prompt, TAGS, prompt)).toBeNull();
    expect(promiseIn(`I was told:\n${prompt}`, TAGS, prompt)).toBeNull();
    expect(promiseIn(`All is done.\n${DONE}`, TAGS, prompt)).toBe('COMPLETE');
    expect(promiseIn(DONE, TAGS, prompt)).toBe('COMPLETE');
  });

  it('count for nothing in any fenced, quoted or indented text, whatever surrounds it', () => {
    const words = fc.array(fc.constantFrom('done', 'the tests pass.', '', 'It works', '## Result', DONE), {
      maxLength: 6,
    });
    const quoted = fc.constantFrom<(lines: readonly string[]) => string>(
      (lines) => ['```', ...lines, '```'].join('\n'),
      (lines) => ['~~~~', ...lines, '~~~~'].join('\n'),
      (lines) => lines.map((line) => `> ${line}`).join('\n'),
      (lines) => lines.map((line) => `    ${line}`).join('\n'),
      (lines) => lines.map((line) => `\`${line}\``).join('\n'),
    );
    fc.assert(
      fc.property(words, quoted, (lines, quote) => {
        expect(promiseIn(`It is like this.\n\n${quote(lines)}\n\nThat is all.`, TAGS)).toBeNull();
      }),
    );
  });

  it('count only as a line that is exactly the tag', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (before, after) => {
        fc.pre(before.trim() !== '' && !/[\r\n]/.test(before + after));
        expect(promiseIn(`${before}${DONE}${after}`, TAGS)).toBeNull();
      }),
    );
  });

  it('read any text without failing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void promiseIn(text, TAGS, text)));
  });
});
