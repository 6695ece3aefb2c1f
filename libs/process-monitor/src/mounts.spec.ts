import { describe, expect, it } from 'vitest';
import { mountIn, mountsOf } from './mounts.js';

describe('what a process has mounted', () => {
  it('is read from its lines, whatever is optional in them', () => {
    const rest = { type: 'tmpfs', device: '0:47' };
    expect(mountIn('36 35 0:47 / /tmp rw,nosuid - tmpfs tmpfs rw,size=65536k')).toEqual([{ path: '/tmp', ...rest }]);
    expect(mountIn('36 35 0:47 / /a\\040b\\134 rw shared:1 master:2 - tmpfs none rw')).toEqual([
      { path: '/a b\\', ...rest },
    ]);
    expect(mountIn('')).toEqual([]);
  });

  it('is nothing when the process is gone', () => {
    expect(mountsOf(2 ** 22 + 1)).toEqual([]);
    expect(mountsOf('self').map(({ path }) => path)).toContain('/proc');
  });
});
