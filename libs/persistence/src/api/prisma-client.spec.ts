import { describe, expect, it } from 'vitest';
import { asked, ordered } from './prisma-client.js';

/** As Prisma throws what its driver adapter said. */
const failing = (cause: object) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error('failed'), { meta: { driverAdapterError: { cause } } }));

describe('a database that does not answer', () => {
  it.each(['DatabaseNotReachable', 'TlsConnectionError'])('is away, and nothing was done: %s', async (kind) => {
    await expect(asked(failing({ kind }))).rejects.toMatchObject({ code: 'STORE_AWAY' });
    await expect(ordered(failing({ kind }))).rejects.toMatchObject({ code: 'STORE_AWAY' });
  });

  it.each(['ConnectionClosed', 'SocketTimeout'])(
    'may have done what it was told, not what it was asked: %s',
    async (kind) => {
      await expect(asked(failing({ kind }))).rejects.toMatchObject({ code: 'STORE_AWAY' });
      await expect(ordered(failing({ kind }))).rejects.toMatchObject({ code: 'ANSWER_LOST' });
    },
  );

  it('keeps what is no trouble of the world as it is', async () => {
    await expect(ordered(failing({ kind: 'UniqueConstraintViolation' }))).rejects.toThrow('failed');
    await expect(asked(failing({ originalCode: '57P01' }))).rejects.toHaveProperty('name', 'WorldError');
  });
});
