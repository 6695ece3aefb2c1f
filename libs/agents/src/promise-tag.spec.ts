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
  ['a sentence about what is not there, which has ended', `There are no failures left.\n${DONE}`],
  ['a denial that a later sentence has left behind', `It did not work at first. Now all tests pass.\n${DONE}`],
  ['a denial in a paragraph of its own', `The old test did not run.\n\nAll is done.\n${DONE}`],
  ['a condition that was met', `When I ran the tests, all of them passed.\n${DONE}`],
  ['the output of a command before it', `All is done:\n\n\`\`\`\nnot ok 1\n\`\`\`\n\n${DONE}`],
  ['a summary after it', `${DONE}\n\nSummary:\n- Stories completed: 3\n- Skipped, not needed: 1`],
  ['an explanation after it', `${DONE}\nExplanation: progress.txt not found. Create with template.`],
  ['a list after it', `${DONE}\n\n- story 3: the database cannot be reached\n- story 4: waits for story 3`],
  ['a closed element before it', `<details><summary>Log</summary>\nok\n</details>\n\n${DONE}`],
  ['an element that is only spoken of', `The \`<pre>\` is gone, and it is a Promise<void> now.\n${DONE}`],
  ['a closed quote before it', `You said "go on"; I have.\n${DONE}`],
  ['a quote over two lines before it', `He said “go\non” and I did.\n${DONE}`],
  ['an apostrophe before it', `It's the users' choice.\n${DONE}`],
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
  ['more tags than anybody means', `${DONE}\n\n`.repeat(17)],
  ['what is said to be false', `The following is false:\n${DONE}`],
  ['an inability', `I am unable to say\n${DONE}`],
  ['a refusal', `I refuse to write\n${DONE}`],
  ['a refusal in good form', `I must decline to claim this:\n\n${DONE}`],
  ['a denial that has ended', `Work is NOT complete.\n${DONE}`],
  ['a denial over several lines', `I am unable,\nall things considered,\nto say\n${DONE}`],
  ['an answer that is no', `Is it complete? No.\n${DONE}`],
  ['a contraction without its mark', `It isnt done\n${DONE}`],
  ['a denial before the output of a command', `I cannot say:\n\`\`\`\nok\n\`\`\`\n${DONE}`],
  ['an example', `For example:\n${DONE}`],
  ['an inability after it', `${DONE}\n\nI cannot say that yet, tests fail.`],
  ['a denial after some other words', `${DONE}\n\nThank you.\n\nI cannot say that yet.`],
  ['a denial as an item', `${DONE}\n\n- I cannot say that yet`],
  ['a denial after a summary', `${DONE}\n\nSummary:\n- all of it\n\nThis is not true yet.`],
  ['a note that denies it', `${DONE}\n\nNote: the tests are not done.`],
  ['what was not done, in a sentence after it', `${DONE}\n\nI did not change the configuration.`],
  ['<pre>', `<pre>\n${DONE}\n</pre>`],
  ['<pre> with attributes, over two lines', `<PRE\n class="x">\n${DONE}\n</PRE>`],
  ['<code> in a sentence', `You said <code>\n${DONE}\n</code> to me.`],
  ['<blockquote>', `<blockquote>\n\n${DONE}\n\n</blockquote>`],
  ['<pre> that nobody closed', `<pre>\n${DONE}`],
  ['<details>', `<details><summary>x</summary>\n\n${DONE}\n\n</details>`],
  ['an element of any name around it', `<final-message>\n${DONE}\n</final-message>`],
  ['words struck out', `~~\n${DONE}\n~~`],
  ['a quote over several lines', `You said "at the end,\n${DONE}\nand no more".`],
  ['a quote over several paragraphs', `You said: “At the end.\n\n${DONE}\n\nNo more.”`],
  ['a quote of other marks', `Gesagt war: „Am Ende\n${DONE}\nsonst nichts“.`],
  ['a quote of single marks', `You said: '\n${DONE}\n'`],
  ['a text of a program', `"""\n${DONE}\n"""`],
];

describe('promise tags', () => {
  it.each(made)('count: %s', (_, message) => expect(promiseIn(message, TAGS)).toBe('COMPLETE'));
  it.each(notMade)('do not count: %s', (_, message) => expect(promiseIn(message, TAGS)).toBeNull());

  it('do not count where the message repeats the prompt', () => {
    const prompt = `Work on.\nAt the very end, your last line:\n${DONE}\nNothing else.`;
    for (const told of [[prompt], ['You build.', prompt], [prompt, 'Build it.']]) {
      expect(promiseIn(prompt, TAGS, told)).toBeNull();
      expect(promiseIn(`I was told:\n${prompt}`, TAGS, told)).toBeNull();
      expect(promiseIn(`All is done.\n${DONE}`, TAGS, told)).toBe('COMPLETE');
      expect(promiseIn(DONE, TAGS, told)).toBe('COMPLETE');
    }
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
      (lines) => ['<pre>', ...lines, '</pre>'].join('\n'),
      (lines) => ['So <blockquote>', ...lines, '</blockquote>.'].join('\n'),
      (lines) => ['He said "go on.', ...lines, 'And so on."'].join('\n'),
      (lines) => ['«', ...lines, '»'].join('\n'),
    );
    fc.assert(
      fc.property(words, quoted, (lines, quote) => {
        expect(promiseIn(`It is like this.\n\n${quote(lines)}\n\nThat is all.`, TAGS)).toBeNull();
      }),
    );
  });

  it('count for nothing next to a sentence that denies them, whatever comes before', () => {
    const words = fc.array(fc.constantFrom('It works.', 'All tests pass.', '## Result', '', '- one', 'Done:'), {
      maxLength: 6,
    });
    const denial = fc.constantFrom(
      ...['I cannot say that.', 'This is not true:', 'It isn’t done yet', 'I refuse.', 'Never.', 'That is false:'],
    );
    fc.assert(
      fc.property(words, denial, fc.constantFrom('\n', '\n\n', '\r\n'), (lines, no, gap) => {
        expect(promiseIn([...lines, no].join('\n') + gap + DONE, TAGS)).toBeNull();
        expect(promiseIn([DONE, '', no].join(gap), TAGS)).toBeNull();
      }),
    );
  });

  it('count at the end of any plain report', () => {
    const words = fc.array(fc.constantFrom('It works.', 'All tests pass.', '## Result', '', '- one', '1. two', 'So:'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, (lines) => {
        expect(promiseIn([...lines, DONE].join('\n'), TAGS)).toBe('COMPLETE');
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
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void promiseIn(text, TAGS, [text])));
  });
});
