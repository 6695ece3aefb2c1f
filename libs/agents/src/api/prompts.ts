/** What the loop itself says to a model. */
export const CUT_SHORT =
  'Your last answer was too long and was cut off. Continue from where it ended, with shorter answers.';

export const CUT_CALL =
  'not done: your answer was cut off before its end. Call the tool again with a shorter input, such as one part of the file.';

export const SUMMARISE =
  'This conversation has nearly reached its maximum length. A fresh conversation continues it, and knows only your task ' +
  'and what you write now. Call no tool. Write down: what is done, with the files changed; what you found out, with ' +
  'paths and lines; what is left to do, step by step; what was tried and did not work, and why; the last command that ' +
  'you ran and its result.';

export const continued = (prompt: string, summary: string): string =>
  `${prompt}\n\n---\nYou have worked on this task already. What you changed is in the files. Continue from your own notes:\n\n${summary}`;

export const NO_SUMMARY = '(There are no notes. Look at the files to see what is done.)';

export const repair = (problem: string): string =>
  `Your answer cannot be used: ${problem}\nGive the whole answer again in the form that is asked for. Your work is kept: do not repeat it.`;
