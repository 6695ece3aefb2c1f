import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases/index.js';
import { applyEdits } from './edit-build.js';
import { mutations } from './mutations.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sourceOf = (file: string): string => readFileSync(`${root}${file.replace(/\.js$/, '.ts')}`, 'utf8');
const IMPORT = /const \{([^}]*)\} = await import\('(\.[^']*)'\)/g;

describe('the mutations of the judge', () => {
  it('switch off each rule, what special parts need, the reader and its exceptions, steps, the scope, touched packages, the second look and the clean room', () => {
    expect(mutations.map(({ name }) => name)).toEqual([
      'rule-a',
      'rule-b',
      'rule-c',
      'kinds',
      'demands',
      'rule-d',
      'reader',
      'single-demand',
      'generated-files',
      'steps',
      'scope',
      'packages',
      'flakiness',
      'clean-room',
    ]);
  });

  it.each(mutations)('$name: each edit fits its source exactly once and changes it', ({ edits }) => {
    for (const [file, some] of Map.groupBy(edits, (edit) => edit.file)) {
      const source = sourceOf(file);
      expect(applyEdits(source, some)).not.toBe(source);
    }
  });

  it.each(mutations)('$name: what its edits import from the service is there', async ({ edits }) => {
    for (const edit of edits) {
      for (const [, names = '', module = ''] of edit.new.matchAll(IMPORT)) {
        const path = new URL(module.replace(/\.js$/, '.ts'), pathToFileURL(root + edit.file)).pathname;
        const exported = (await import(path)) as object;
        for (const name of names.split(',')) expect(exported).toHaveProperty(name.trim());
      }
    }
  });

  it.each(mutations)('$name: its cases exist and can notice it', ({ cases: names }) => {
    const kinds = names.map((name) => cases.find((one) => one.name === name)?.kind);
    expect(names).not.toEqual([]);
    expect(kinds.filter((kind) => kind !== 'lie' && kind !== 'solvable')).toEqual([]);
  });
});
