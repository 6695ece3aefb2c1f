import { describe, expect, it } from 'vitest';
import { applyEdits } from './edit-build.js';

const edit = { file: 'libs/a.js', old: 'x === 0', new: '$& >= 0' };

describe('applyEdits', () => {
  it('replaces the text literally', () => {
    expect(applyEdits('if (x === 0) y();', [edit])).toBe('if ($& >= 0) y();');
  });

  it.each(['if (x == 0) y();', 'x === 0 || x === 0'])(
    'refuses a text that is not there exactly once: %s',
    (content) => {
      expect(() => applyEdits(content, [edit])).toThrow(
        /libs\/a\.js contains this text [02] times.*Adapt the mutation/s,
      );
    },
  );
});
