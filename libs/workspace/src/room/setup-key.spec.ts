import { describe, expect, it } from 'vitest';
import { isSetupFile, setupKey } from './setup-key.js';

describe('the key of a set-up', () => {
  const listed = '100644 aaaa 0\tpackage.json\0';

  it('is the same for the same manifests and order', () => {
    expect(setupKey(listed, { setup: ['npm ci'] })).toBe(setupKey(listed, { setup: ['npm ci'] }));
  });

  it('differs if a manifest, a set-up command or a copied file differs', () => {
    const keys = [
      setupKey(listed, {}),
      setupKey(listed.replace('aaaa', 'bbbb'), {}),
      setupKey(listed, { setup: [] }),
      setupKey(listed, { setup: ['npm ci'] }),
      setupKey(listed, { copy: ['.env'] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('files that set-up depends on', () => {
  it.each([
    ...['package.json', 'a/b/package-lock.json', 'requirements-dev.txt', 'x.gemspec', 'requirements/base.in'],
    ...['vendor/a/b.go', 'a/node_modules/b.js', 'node_modules', 'patches/a.patch', 'gradle/libs.versions.toml'],
  ])('are manifests, lock files and tracked dependencies: %s', (path) => {
    expect(isSetupFile(path)).toBe(true);
  });

  it.each(['src/index.js', 'README.md', 'package.json.md', 'requirements.md', 'constructor'])(
    'are no others: %s',
    (path) => {
      expect(isSetupFile(path)).toBe(false);
    },
  );
});
