import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from './delivery.port.js';
import { messageBody } from './message.js';
import { SecretBox } from './secret-box.js';
import { newSecret, signedHeaders } from './signing.js';

const ID = '0199b2c1-0000-7000-8000-000000000000';

describe('a signature', () => {
  it('verifies with the reference library, under each secret that counts, and under no other', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const body = JSON.stringify({ data });
        const [now, before] = [newSecret(), newSecret()];
        const headers = { ...signedHeaders([now, before], ID, new Date(), body) };
        for (const secret of [now, before]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
        expect(() => new Webhook(now).verify(`${body} `, headers)).toThrow();
        expect(() => new Webhook(now).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow();
      }),
      { numRuns: 30 },
    );
  });

  it('is of a secret as the standard wants it', () => {
    const [, text = ''] = newSecret().split('whsec_');
    expect(Buffer.from(text, 'base64')).toHaveLength(32);
    expect(newSecret()).not.toBe(newSecret());
  });
});

describe('a stored secret', () => {
  it('is not to be read without the key, and the same again with it', () => {
    const box = new SecretBox('a key of at least 16 characters');
    const secret = newSecret();
    const stored = box.seal(secret);
    expect(stored).not.toContain(secret.slice(6, 20));
    expect(box.seal(secret)).not.toBe(stored);
    expect(box.open(stored)).toBe(secret);
    for (const other of [new SecretBox(null), new SecretBox('another key of 16 characters')]) {
      expect(() => other.open(stored)).toThrow(/QRALPH_WEBHOOK_KEY/);
    }
    expect(() => box.open(`${stored.slice(0, -6)}AAAA==`)).toThrow(/QRALPH_WEBHOOK_KEY/);
  });

  it('that was replaced because it could not be read keeps nobody from signing with the new one', () => {
    const [lost, now] = [new SecretBox('the key that was lost'), new SecretBox('the key that there is now')];
    const secret = newSecret();
    expect(now.openAll([now.seal(secret), lost.seal(newSecret())])).toEqual([secret]);
    expect(now.openAll([now.seal(secret), now.seal('whsec_before')])).toEqual([secret, 'whsec_before']);
    expect(() => now.openAll([lost.seal(secret), now.seal('whsec_before')])).toThrow(/QRALPH_WEBHOOK_KEY/);
  });

  it('from before there was a key is still read', () => {
    expect(new SecretBox('a key of at least 16 characters').open(new SecretBox(null).seal('whsec_x'))).toBe('whsec_x');
  });
});

describe('a message', () => {
  it('says where the project stood, in the same bytes for every attempt', () => {
    const project = {
      id: ID,
      name: '001-x',
      mode: 'coding',
      state: 'UAT',
      status: 'waiting',
      checkpoint: 7,
      event: 40,
    };
    const delivery: ClaimedDelivery = {
      id: ID, endpointId: ID, url: 'https://x', secrets: [], type: 'project.waiting', createdAt: new Date(0), project,
      details: { waitingFor: { kind: 'gate' } }, attempt: 1, tries: 1, isEndpointUnwell: false, traceparent: null,
    }; // prettier-ignore
    const body = messageBody(delivery);
    expect(JSON.parse(body)).toEqual({
      type: 'project.waiting',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: { project, waitingFor: { kind: 'gate' } },
    });
    expect(messageBody({ ...delivery, attempt: 5, tries: 5 })).toBe(body);
  });
});
