import { assertNever } from '#kernel';
import { EITHER, type Ends, endsIn, goingOn, joined, OK, type Shell, turned, without } from './ends.js';
import { type InnerScript, runCommand } from './run-command.js';
import { treeOf } from './tree-of.js';
import type { Link, Tree } from './tree.js';

/** All the ways in which a script may end, whatever its commands do. */
export function run(tree: Tree, shell: Shell): Ends {
  switch (tree.kind) {
    case 'simple':
      return heeded(
        runCommand(tree.words, shell, (script) => runInner(script, shell)),
        shell,
      );
    case 'pipeline':
      return heeded(piped(tree.stages, shell), shell);
    case 'subshell':
      return heeded(apart(tree.of, shell), shell);
    case 'background':
      apart(tree.of, shell);
      return OK;
    case 'not':
      return turned(asked(tree.of, shell), { ok: 'fails', fails: 'ok' });
    case 'chain':
      return chained(tree.first, tree.links, shell);
    case 'list':
      return inTurn(tree.items, shell);
    case 'case':
      return joined(OK, ...tree.items.map((item) => run(item, shell)));
    case 'for':
      return joined(OK, turned(run(tree.of, shell), { breaks: 'ok' }));
    case 'while':
      return looped(tree.condition, tree.body, shell);
    case 'if':
      return decided(asked(tree.condition, shell), tree, shell);
    default:
      return assertNever(tree);
  }
}

const asked = (tree: Tree, shell: Shell): Ends => {
  const { isAsked } = shell;
  shell.isAsked = true;
  const ends = run(tree, shell);
  shell.isAsked = isAsked;
  return ends;
};

const heeded = (ends: Ends, { endsOnFailure, isAsked }: Shell): Ends =>
  endsOnFailure && !isAsked ? turned(ends, { fails: 'exits badly' }) : ends;

/** A shell of its own can end itself only. */
const apart = (tree: Tree, shell: Shell): Ends =>
  turned(run(tree, { ...shell }), { 'exits well': 'ok', 'exits badly': 'fails', breaks: 'ok' });

function runInner({ script, endsOnFailure, pipesFail }: InnerScript, shell: Shell): Ends {
  const tree = treeOf(script);
  if (tree === null) return OK;
  return apart(tree, { ...shell, endsOnFailure, pipesFail, isAsked: false, last: OK, level: shell.level + 1 });
}

/** The exit code of a pipeline is that of its last command. */
function piped(stages: readonly Tree[], shell: Shell): Ends {
  const all = stages.map((stage) => apart(stage, shell));
  const last = all.at(-1) ?? OK;
  return shell.pipesFail && all.some((ends) => ends.has('fails')) ? joined(last, endsIn('fails')) : last;
}

/** `a && b` fails where one of them does, `a || b` where both do. */
function chained(first: Tree, links: readonly Link[], shell: Shell): Ends {
  let ends = asked(first, shell);
  for (const [nth, { operator, next }] of links.entries()) {
    const way = operator === '&&' ? 'ok' : 'fails';
    if (!ends.has(way)) continue;
    shell.last = endsIn(way);
    const isLast = nth === links.length - 1;
    ends = joined(without(ends, way), isLast ? run(next, shell) : asked(next, shell));
  }
  return ends;
}

function inTurn(items: readonly Tree[], shell: Shell): Ends {
  let last = OK;
  let early = endsIn();
  for (const item of items) {
    const ends = run(item, shell);
    last = goingOn(ends);
    early = joined(early, without(ends, 'ok', 'fails'));
    shell.last = last;
    if (last.size === 0) break;
  }
  return joined(last, early);
}

function decided(condition: Ends, { then, otherwise }: Extract<Tree, { kind: 'if' }>, shell: Shell): Ends {
  const after = (way: 'ok' | 'fails', branch: Tree): Ends => {
    if (!condition.has(way)) return endsIn();
    shell.last = endsIn(way);
    return run(branch, shell);
  };
  return joined(without(condition, 'ok', 'fails'), after('ok', then), after('fails', otherwise));
}

/** One that waits until something holds ends well only where it does: else its time is up. */
function looped(condition: Tree, body: Tree, shell: Shell): Ends {
  const before = asked(condition, shell);
  const ends = run(body, shell);
  const isWaiting = condition.kind === 'not' && before.has('ok') && !ends.has('breaks');
  return joined(isWaiting ? EITHER : OK, without(before, 'ok', 'fails'), turned(ends, { breaks: 'ok' }));
}
