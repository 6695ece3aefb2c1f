import { expect, it } from 'vitest';
import type { EffectRun } from '#engine';
import { SecretBook } from '#kernel';
import { sampleTask } from '#testing';
import { NotesInMemory } from '../notes/notes.fixture.js';
import { RunNotes } from './run-notes.js';

it('whom a note reached is told once, as what is never cut, however much else a run tells', async () => {
  const told: unknown[][] = [];
  let reached = 0;
  const notes = Object.assign(new NotesInMemory(), { reached: () => void (reached += 1) });
  notes.give('before it began');
  const run = { key: '1/1/x', lease: { projectId: 'p' }, tell: (...words: unknown[]) => told.push(words) };
  const ofRun = await RunNotes.of(notes, new SecretBook([]), sampleTask(), run as unknown as EffectRun);
  notes.give('while it lasts');
  const carried = await ofRun.now();
  for (let nth = 0; nth < 3; nth += 1) ofRun.reached(carried);
  expect(told.map(([type, data, isRecord]) => [type, (data as { note: string }).note, isRecord])).toEqual([
    ['note.delivered', 'note-1', true],
    ['note.delivered', 'note-2', true],
  ]);
  expect(reached).toBe(2);
});

it('adds the warning of the service to the notes, or tells it alone', async () => {
  const notes = new NotesInMemory();
  const run = { key: '1/1/x', lease: { projectId: 'p' }, tell: () => undefined };
  const ofRun = await RunNotes.of(notes, new SecretBook([]), sampleTask(), run as unknown as EffectRun);
  expect(await ofRun.now(null)).toBeNull();
  expect(await ofRun.now('nearly over')).toEqual({ upTo: 0, told: [], text: 'nearly over' });
  notes.give('while it lasts');
  const both = await ofRun.now('nearly over');
  expect(both?.text).toMatch(/while it lasts[^]*\n\nnearly over$/);
  expect(both?.told).toHaveLength(1);
  expect(ofRun.heard).toEqual([both?.text]);
});
