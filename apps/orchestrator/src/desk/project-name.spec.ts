import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectName } from './project-name.js';

describe('the name of a project', () => {
  it.each([
    [1, 'Add dark mode toggle', '001-dark-mode-toggle'],
    [42, 'Please make the login page a bit faster, and cheaper', '042-login-page-bit'],
    [1_234, 'Übersetze das Menü', '1234-ubersetze-das-menu'],
    [7, 'Add it to the', '007-add-it-to'],
    [7, 'добавить тему', '007-project'],
    [7, '../../etc/passwd; rm -rf /', '007-etc-passwd-rm'],
    [7, 'Internationalisation of administrators everywhere', '007-internationalisation-administr'],
  ])('of %s for "%s" is %s', (number, request, name) => {
    expect(projectName(number, request)).toBe(name);
  });

  it('may be a folder and a branch, and has a slug of at most thirty characters, whatever is asked for', () => {
    const request = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), request, (number, words) => {
        expect(projectName(number, words)).toMatch(/^\d{3,}-(?=.{1,30}$)[0-9a-z]+(?:-[0-9a-z]+)*$/);
      }),
    );
  });
});
