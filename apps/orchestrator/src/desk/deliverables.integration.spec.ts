import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '#contracts';
import { newId } from '#kernel';
import { tempFolder } from '#testing';
import { Artefacts, GitWorktrees } from '#workspace';
import type { Deliverable } from './deliverables.js';
import { RepositoryReads } from './workspace-reads.js';

const path = process.env['PATH'] ?? '';
const folder = tempFolder('deliverables');
const repo = join(folder.path, 'repo');
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: repo, encoding: 'utf8' }).trim();
const commit = (files: Record<string, string | Buffer>): string => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repo, name), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'work');
  return git('rev-parse', 'HEAD');
};

let first = '';
let second = '';
beforeAll(() => {
  mkdirSync(join(repo, 'docs'), { recursive: true });
  git('init', '-q', '-b', 'main');
  first = commit({ 'docs/report.md': 'The first words.\n', 'docs/annex.md': 'The annex.\n' });
  second = commit({ 'docs/report.md': 'The last words.\n' });
});
afterAll(() => folder.remove());

const project = { id: newId(), name: '001-x', repo: { path: repo, ref: 'main' }, updatedAt: '2026-01-01T00:00:00.000Z' } as unknown as Project; // prettier-ignore
const document = (name: string, of: string): Deliverable => ({ path: name, commit: of, task: 'T-001' });
const reads = (...known: Deliverable[]): RepositoryReads =>
  new RepositoryReads(new GitWorktrees({ root: join(folder.path, 'worktrees'), path }), new Artefacts(), () =>
    Promise.resolve(known),
  );

describe('the documents of a project', () => {
  it('are listed, and read as the commit has them that the project knows', async () => {
    const known = reads(document('docs/report.md', first), document('docs/annex.md', second));
    expect(await known.artifacts(project)).toEqual([
      { name: 'deliverables/docs/report.md', bytes: 17, modifiedAt: project.updatedAt, deliverable: document('docs/report.md', first) },
      { name: 'deliverables/docs/annex.md', bytes: 11, modifiedAt: project.updatedAt, deliverable: document('docs/annex.md', second) },
    ]); // prettier-ignore
    expect((await known.artifact(project, 'deliverables/docs/report.md')).content).toBe('The first words.\n');
    expect((await reads(document('docs/report.md', second)).artifact(project, 'deliverables/docs/report.md')).content).toBe('The last words.\n'); // prettier-ignore
  });

  it('are not read where the project knows none of that name, nor where it is in no commit', async () => {
    const known = reads(document('docs/gone.md', first), document('docs/report.md', first));
    expect((await known.artifacts(project)).map(({ name }) => name)).toEqual(['deliverables/docs/report.md']);
    for (const name of ['deliverables/docs/gone.md', 'deliverables/docs/annex.md', 'deliverables/../docs/annex.md']) {
      await expect(known.artifact(project, name)).rejects.toMatchObject({ code: expect.stringMatching(/ARTEFACT_/) as string }); // prettier-ignore
    }
  });

  it('hold no secret that the service knows for one', async () => {
    const made = commit({ 'docs/leak.md': 'The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.\n' });
    const { content } = await reads(document('docs/leak.md', made)).artifact(project, 'deliverables/docs/leak.md');
    expect(content).not.toContain('abcdefghijklmnopqrstuvwxyz');
    expect(content).toContain('The key is ');
  });

  it('go as bytes where they are no text, and say which they are', async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x0a]);
    const odd = Buffer.from('Zürich\n', 'latin1');
    const made = commit({ 'docs/a.pdf': bytes, 'docs/odd.txt': odd, 'docs/plain.txt': 'Zürich 😀\n' });
    const read = (name: string) => reads(document(name, made)).artifact(project, `deliverables/${name}`);
    expect(await read('docs/a.pdf')).toMatchObject({ encoding: 'base64', content: bytes.toString('base64'), bytes: 8, cut: false }); // prettier-ignore
    expect(await read('docs/odd.txt')).toMatchObject({ encoding: 'base64', content: odd.toString('base64') });
    expect(await read('docs/plain.txt')).toMatchObject({ encoding: 'utf8', content: 'Zürich 😀\n', cut: false });
  });

  it('hold no secret either where they are no text', async () => {
    const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const made = commit({ 'docs/leak.txt': Buffer.from(`Zürich: ${key}\n`, 'latin1') });
    const leak = await reads(document('docs/leak.txt', made)).artifact(project, 'deliverables/docs/leak.txt');
    expect(leak).toMatchObject({ encoding: 'utf8', content: expect.stringContaining('rich: ') as string });
    expect(leak.content).not.toContain('abcdefghijklmnopqrstuvwxyz');
  });

  it('say that they are cut, and do not end with half a secret', async () => {
    const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const long = `${'é'.repeat(1_024 * 1_024 - 10)} ${key} ${'x'.repeat(100)}`;
    const made = commit({ 'docs/long.md': long });
    const read = await reads(document('docs/long.md', made)).artifact(project, 'deliverables/docs/long.md');
    expect([read.encoding, read.cut, read.bytes]).toEqual(['utf8', true, Buffer.byteLength(long)]);
    expect(read.content.length).toBeGreaterThan(1_000_000);
    expect(/^é+$/.test(read.content)).toBe(true);
  });

  it('are listed without any of them being read', async () => {
    const worktrees = new GitWorktrees({ root: join(folder.path, 'worktrees'), path });
    const listing = {
      sizesAt: worktrees.sizesAt.bind(worktrees),
      diff: worktrees.diff.bind(worktrees),
      fileAt: () => Promise.reject(new Error('nobody asked for its content')),
    };
    const known = [document('docs/report.md', first), document('docs/annex.md', first), document('docs/x.md', second)];
    const listed = new RepositoryReads(listing, new Artefacts(), () => Promise.resolve(known));
    expect((await listed.artifacts(project)).map(({ bytes }) => bytes)).toEqual([17, 11]);
  });

  it('are none where there is no repository', async () => {
    expect(await reads(document('docs/report.md', first)).artifacts({ ...project, repo: null })).toEqual([]);
  });
});
