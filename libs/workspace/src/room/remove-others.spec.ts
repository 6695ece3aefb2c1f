import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { write } from '../setup/setup.fixture.js';
import { removeOthers } from './remove-others.js';

describe('removal of everything but kept paths', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => (folder = tempFolder('remove-others')));
  afterEach(() => folder.remove());

  it('keeps the paths with all that is in them, and nothing beside them', async () => {
    write(folder.path, { 'home/.m2/repository/a': '', 'home/.m2/settings.xml': '', 'home/.x/y': '', other: '' });
    await removeOthers(folder.path, 'home', ['home/.m2/repository']);
    expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual([
      'home',
      'home/.m2',
      'home/.m2/repository',
      'home/.m2/repository/a',
      'other',
    ]);
  });

  it('removes a link in the place of the folder, and not what it leads to', async () => {
    write(folder.path, { 'target/a': '' });
    symlinkSync('target', join(folder.path, 'home'));
    await removeOthers(folder.path, 'home', ['home/a']);
    expect(readdirSync(folder.path)).toEqual(['target']);
    expect(existsSync(join(folder.path, 'target/a'))).toBe(true);
  });
});
