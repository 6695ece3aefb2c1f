import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { fakeClaude } from './fake-claude.fixture.js';
import { around, closesWorlds, played } from './played-cli.fixture.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('shim');
});
closesWorlds();
afterEach(() => folder.remove());

it('a CLI that is a shim for files which no sandbox shows says what is wrong, and how to install it', async () => {
  const elsewhere = join(folder.path, 'cli.js');
  writeFileSync(elsewhere, fakeClaude());
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${elsewhere}" "$@"\n`;
  writeFileSync(join(folder.path, 'claude'), shim, { mode: 0o755 });
  const world = await openCliWorld({ path: `${folder.path}:/usr/local/bin:/usr/bin:/bin` });
  const { outcome } = await played(world);
  // Where it can see everything, it works.
  if (!world.sandbox.guarantees.hidesFiles) return expect(outcome).toMatchObject({ kind: 'finished' });
  expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_UNAVAILABLE', commit: world.startCommit });
  const message = outcome.kind === 'failed' ? outcome.message : '';
  expect(message).toContain(`${join(folder.path, 'claude')} starts outside of the sandbox, but not inside`);
  expect(message).toContain('npm i -g @anthropic-ai/claude-code');
  expect(message).toContain('Cannot find module');
});

it('a CLI that starts and then fails has failed', async () => {
  const { outcome } = await played(around({ first: `console.error('no engine'); process.exit(3);` }));
  expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_FAILED' });
});
