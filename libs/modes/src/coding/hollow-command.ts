/** Succeed whatever the code does. Behind a pipe, what only passes text on belongs to them too. */
const CANNOT_FAIL = /^(?:true|:|exit 0|echo|printf|pwd|sleep|! ?false|set|export|cd)(?:\s|$)/;
const PASSES_ON = /^(?:tee|cat|head|tail|sort|uniq|wc|tr|cut|sed|less|more|xargs echo)(?:\s|$)/;
/** May fail, and yet say nothing of what the code does. */
const SHOWS_NOTHING = /^(?:ls|cat|test -[edf]|\[ -[edf])(?:\s|$)/;

const LONGEST = 4_000;

/**
 * Why a command proves nothing; null where it may. It finds carelessness, not malice: it is no shell, so it does not
 * look into quotes, functions, scripts or `sh -c`, and believes what it does not know. Whatever it lets through, its
 * output is shown as evidence.
 */
export function hollow(command: string): string | null {
  const plain = withoutNoise(command.slice(0, LONGEST));
  const lists = plain.split(/;|\n|(?<!&)&(?!&)/).map((list) => list.trim());
  const all = lists.flatMap((list) => list.split(/&&|\|\||\|/)).map(bare).filter(Boolean); // prettier-ignore
  if (all.length === 0) return 'there is no command';
  const shown = command.slice(0, 200);
  if (all.every((one) => CANNOT_FAIL.test(one) || SHOWS_NOTHING.test(one))) return `it cannot fail: ${shown}`;
  // What runs in the background is not waited for.
  const isLeft = /(?<!&)&\s*$/.test(plain);
  const counting = /\bset -\w*e/.test(plain) ? lists : lists.filter((list) => bare(list) !== '').slice(-1);
  const hasPipefail = plain.includes('pipefail');
  return isLeft || !counting.some((list) => canFail(list, hasPipefail)) ? `its exit code is always 0: ${shown}` : null;
}

/** `a && b` fails where one of them does, `a || b` where both do. */
function canFail(list: string, hasPipefail: boolean): boolean {
  const [first = '', ...rest] = list.split(/(&&|\|\|)/);
  let can = pipelineCanFail(first, hasPipefail);
  for (let nth = 0; nth < rest.length; nth += 2) {
    const next = pipelineCanFail(rest[nth + 1] ?? '', hasPipefail);
    can = rest[nth] === '&&' ? can || next : can && next;
  }
  return can;
}

/** The exit code of a pipeline is that of its last command. */
function pipelineCanFail(pipeline: string, hasPipefail: boolean): boolean {
  const stages = pipeline.split('|').map(bare);
  const last = stages.at(-1) ?? '';
  if (hasPipefail && stages.length > 1) return true;
  if (stages.length > 1 && PASSES_ON.test(last)) return false;
  return last !== '' && !CANNOT_FAIL.test(last);
}

/** Without the brackets of a subshell or a group. */
const bare = (one: string): string => one.replaceAll(/^[\s({]+|[\s)}]+$/g, '');

/** What is quoted is one word, and neither redirections nor comments change an exit code. */
const withoutNoise = (command: string): string =>
  command
    .replaceAll(/'[^']*'|"(?:\\[^]|[^"\\])*"/g, '_')
    .replaceAll(/(^|\s)#.*/g, '$1')
    .replaceAll(/\|&/g, '|')
    .replaceAll(/(?:\d|&)?>{1,2}&?\s*[^\s;|&()]+/g, ' ');
