import { isAbsolute, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fateOf } from './links.js';

const CHECKOUT = '/srv/checkout';

describe('a link that comes into a worktree', () => {
  it.each([
    ['node_modules/.bin/tool', '../tool/cli.js', { is: 'kept' }],
    ['node_modules/a', '../packages/a', { is: 'kept' }],
    ['node_modules/a', '/srv/checkout/packages/a', { is: 'turned', target: '../packages/a' }],
    ['node_modules/a', '/srv/checkout', { is: 'turned', target: '..' }],
    ['node_modules/a', '../../checkout/packages/a', { is: 'turned', target: '../packages/a' }],
    ['node_modules/a', '/srv/checkout-of-another', { is: 'outside' }],
    ['node_modules/a', '/etc/passwd', { is: 'outside' }],
    ['node_modules/a', '../../elsewhere', { is: 'outside' }],
    ['node_modules/a', '../packages/../../elsewhere', { is: 'outside' }],
  ])('%s -> %s', (link, target, fate) => {
    expect(fateOf(link, target, CHECKOUT)).toEqual(fate);
  });

  it('never leads out of the worktree, unless it is said to', () => {
    const name = fc.constantFrom('..', '.', 'a', 'b', 'checkout', 'srv');
    const path = fc.array(name, { maxLength: 6 }).map((names) => names.join('/'));
    const target = fc.tuple(fc.constantFrom('', '/', `${CHECKOUT}/`), path).map(([start, rest]) => `${start}${rest}`);
    fc.assert(
      fc.property(target, (to) => {
        const link = 'node_modules/x/y';
        const fate = fateOf(link, to, CHECKOUT);
        if (fate.is === 'outside') return;
        const there = fate.is === 'turned' ? fate.target : to;
        expect(isAbsolute(there)).toBe(false);
        const leadsTo = resolve('/data/worktree/node_modules/x', there);
        expect(relative('/data/worktree', leadsTo).startsWith('..')).toBe(false);
        expect(join(CHECKOUT, relative('/data/worktree', leadsTo))).toBe(resolve(CHECKOUT, 'node_modules/x', to));
      }),
    );
  });
});
