/** What the loop itself says to a model. */
export const CUT_SHORT =
  'Your last answer was longer than it may be and was cut off. Go on from where it ended, with shorter answers.';

export const CUT_CALL = 'not done: the answer was cut off before its end. Call it again, with less in one answer.';

export const SUMMARISE =
  'This conversation is nearly as long as it can be; it goes on in a fresh one that knows only your task and what you ' +
  'write now. Call no tool. Write down: what is done, with the files changed; what you have found out, with paths and ' +
  'lines; what is left to do, step by step; what was tried and did not work.';

export const continued = (prompt: string, summary: string): string =>
  `${prompt}\n\n---\nYou have worked on this already. Your own notes on it so far:\n\n${summary}`;

export const NO_SUMMARY = '(There are none. Look at the files to see what is done.)';

export const repair = (problem: string): string =>
  `Your answer cannot be used: ${problem}\nAnswer again, with everything that it has to hold.`;
