import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCode } from '#kernel';
import { spawnSource, tempFolder, type TempFolder } from '#testing';
import { Artefacts } from './artefacts.js';

let folder: TempFolder;
let repo: string;
beforeEach(() => {
  folder = tempFolder('current');
  repo = join(folder.path, 'repo');
  mkdirSync(repo);
  execFileSync('git', ['-C', repo, 'init', '-q']);
});
afterEach(() => folder.remove());

const file = (): string => join(repo, '.qralph', 'current-project.json');
const changesSaid = (): number => (JSON.parse(readFileSync(file(), 'utf8')) as { changes: number }).changes;

describe('current-project.json', () => {
  it('is whole at every moment while several processes write it, and at last says what is true', async () => {
    const [processes, changes] = [3, 12];
    const truth = join(folder.path, 'truth');
    writeFileSync(truth, '');
    const fixture = new URL('./current-writer.process.fixture.ts', import.meta.url);
    const writers = Array.from({ length: processes }, () => spawnSource(fixture, [repo, truth, String(changes)]));
    const ended = Promise.all(writers.map((writer) => once(writer, 'exit')));
    let isOver = false;
    void ended.then(() => (isOver = true));
    const seen = new Set<number>();
    while (!isOver) {
      try {
        // One that is half-written would not be JSON.
        seen.add(changesSaid());
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
      await delay(1);
    }
    expect((await ended).map(([code]) => code as unknown)).toEqual(Array.from({ length: processes }, () => 0));
    expect(changesSaid()).toBe(processes * changes);
    expect(seen.size).toBeGreaterThan(1);
    expect(readdirSync(join(repo, '.qralph')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([4, 5, 30])('says what is true though that changed %i times while it was written', async (changes) => {
    let asked = 0;
    const derive = async (): Promise<string> => `${JSON.stringify({ changes: Math.min((asked += 1), changes) })}\n`;
    await new Artefacts().keepCurrent(repo, derive);
    expect(changesSaid()).toBe(Math.min(asked, changes));
  });
});
