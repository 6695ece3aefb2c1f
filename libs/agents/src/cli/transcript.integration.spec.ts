import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SecretBook } from '#kernel';
import { tempFolder, type TempFolder } from '#testing';
import { Transcript } from './transcript.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('transcript');
});
afterEach(() => folder.remove());

async function transcriptOf(add: (transcript: Transcript) => void, room?: { head: number; tail: number }) {
  const file = join(folder.path, 'run.jsonl');
  const transcript = await Transcript.open(file, new SecretBook(['the-key-of-the-provider']), room);
  add(transcript);
  const report = await transcript.close();
  const text = readFileSync(file, 'utf8');
  expect(report).toMatchObject({
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  });
  return { report, lines: text.split('\n').slice(0, -1) };
}

it('what was printed is in the file, complaints marked, secrets blotted out', async () => {
  const { report, lines } = await transcriptOf((transcript) => {
    transcript.add('{"type":"result"}');
    transcript.addComplaint('Error: "the-key-of-the-provider" is wrong');
  });
  expect(report.isCut).toBe(false);
  expect(lines).toEqual([
    '{"type":"result"}',
    JSON.stringify({ type: 'qralph.stderr', line: 'Error: "[secret]" is wrong' }),
  ]);
});

it('of too much there is the beginning and the end, and between them how much was left out', async () => {
  const printed = Array.from({ length: 1_000 }, (_, nth) => `{"type":"said","nth":${String(nth)}}`);
  const { report, lines } = await transcriptOf(
    (transcript) => {
      for (const line of printed) transcript.add(line);
    },
    { head: 500, tail: 700 },
  );
  expect(report.isCut).toBe(true);
  const at = lines.findIndex((line) => line.includes('qralph.left-out'));
  const kept = [...lines.slice(0, at), ...lines.slice(at + 1)];
  expect(kept).toEqual([...printed.slice(0, at), ...printed.slice(at + 1 - lines.length)]);
  const bytesOf = (some: readonly string[]): number => Buffer.byteLength(some.map((line) => `${line}\n`).join(''));
  expect(JSON.parse(lines[at] ?? '')).toEqual({ type: 'qralph.left-out', bytes: bytesOf(printed) - bytesOf(kept) });
});
