import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findKey } from './find-key.js';

const dataDir = mkdtempSync(join(tmpdir(), 'qralph-key-'));
writeFileSync(join(dataDir, 'admin.key'), 'qr_of-this-machine\n');
afterAll(() => rmSync(dataDir, { recursive: true }));

const keyFor = (url: string, key: string | null = null): Promise<string> =>
  findKey({ url, key, dataDirs: [dataDir], folder: '/', mayColor: false, commandPath: '' });

describe('the key of a data folder', () => {
  it.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000', 'https://LOCALHOST:1', 'http://127.1/'])(
    'is for a service at %s',
    async (url) => {
      expect(await keyFor(url)).toBe('qr_of-this-machine');
    },
  );

  it.each([
    'https://example.org', 'http://10.0.0.1:3000', 'http://localhost.example.org', 'http://127.0.0.1.example.org',
    'http://[::ffff:127.0.0.1]', 'http://0.0.0.0:3000',
  ])('is not sent to %s', async (url) => {
    await expect(keyFor(url)).rejects.toMatchObject({ code: 'KEY_MISSING', exit: 6 });
    expect(await keyFor(url, 'qr_given')).toBe('qr_given');
  }); // prettier-ignore
});
