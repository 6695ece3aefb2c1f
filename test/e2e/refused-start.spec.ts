import { expect, it } from 'vitest';
import { openField } from '../harness/field.js';

it('does not start on a database whose projects began with another table of the same version', async () => {
  const field = await openField();
  try {
    await (await field.orchestrator()).kill('SIGTERM');
    const { rowCount } = await field.pool.query(`UPDATE machine SET hash = 'another' WHERE name = 'drill'`);
    expect(rowCount).toBe(1);
    for (const role of ['orchestrator', 'worker'] as const) {
      await expect(field.process({ role })).rejects.toThrow(
        /^ended \(1\) before it was ready:[^]*drill@2 was changed without a new version[^]*MACHINE_REFUSED/,
      );
    }
  } finally {
    await field.close();
  }
});
