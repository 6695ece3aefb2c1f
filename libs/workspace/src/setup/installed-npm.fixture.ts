import { write } from './setup.fixture.js';

const PACKAGES = {
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
  'node_modules/@scope/two': { version: '2.0.0', integrity: 'sha512-two' },
  'node_modules/only-elsewhere': { version: '3.0.0', integrity: 'sha512-three', optional: true },
};

export const MANIFEST = { name: 'sample', version: '1.0.0', dependencies: { one: '1.0.0', '@scope/two': '2.0.0' } };

export const LOCK = JSON.stringify({
  name: 'sample',
  lockfileVersion: 3,
  packages: { '': MANIFEST, ...PACKAGES },
});

export const installedRecord = (more: Readonly<Record<string, unknown>> = {}): string => {
  const { 'node_modules/only-elsewhere': _, ...installed } = PACKAGES;
  return JSON.stringify({ name: 'sample', lockfileVersion: 3, packages: { ...installed, ...more } });
};

/** What `npm ci` leaves of that lock file, without npm. */
export function install(root: string): void {
  write(root, {
    'node_modules/.package-lock.json': installedRecord(),
    'node_modules/one/package.json': '{"name":"one","version":"1.0.0"}',
    'node_modules/one/index.js': 'module.exports = 1;\n',
    'node_modules/@scope/two/index.js': 'module.exports = 2;\n',
    'node_modules/.cache/babel.json': '{"of": "the user"}',
  });
}
