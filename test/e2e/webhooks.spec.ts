import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page, StartedProject, WebhookDelivery, WebhookEndpoint, WebhookWithSecret } from '#contracts';
import { eventually } from '#testing';
import { Api, grantKey } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';
import type { ServiceProcess } from '../harness/service-process.js';
import { type Behaviour, WebhookReceiver } from './webhook-receiver.js';

const SMALL_DRILL = {
  request: 'a drill that is told',
  mode: 'drill',
  parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 },
  gates: { approval: false },
};
const ENV = {
  QRALPH_WEBHOOK_ALLOW: 'localhost',
  QRALPH_WEBHOOK_RETRY_MS: '100,100,100,100,100,100,100,100',
  // Longer than a busy machine takes to answer itself.
  QRALPH_WEBHOOK_TIMEOUT_MS: '2000',
};

describe('webhooks', () => {
  let field: Field;
  let receiver: WebhookReceiver;
  let service: ServiceProcess & { readonly api: Api };
  const logs: string[][] = [];
  beforeAll(async () => {
    [field, receiver] = [await openField({ env: ENV }), await WebhookReceiver.open()];
  });
  afterAll(async () => {
    await receiver.close();
    await field.close();
  });

  const orchestrator = async (killAt?: NonNullable<Parameters<Field['process']>[0]['killAt']>) => {
    const one = await field.process({ role: 'orchestrator', ...(killAt && { killAt }) });
    logs.push(one.log);
    service = { ...one, api: new Api(one.url ?? '', field.key) };
    return service;
  };

  /** An endpoint that is told nothing of projects unless `types` says so: the test call reaches it all the same. */
  const endpoint = async (path: string, behaviour?: Behaviour, types = ['budget.exceeded']): Promise<string> => {
    const order = { url: receiver.url(path), types };
    const { id, secret } = await service.api.must<WebhookWithSecret>('POST', '/v1/webhooks', order);
    receiver.expect(path, secret ?? '', behaviour);
    return id;
  };
  const send = (id: string) => service.api.must<WebhookDelivery>('POST', `/v1/webhooks/${id}/test`);
  const deliveries = async (id: string) =>
    (await service.api.must<Page<WebhookDelivery>>('GET', `/v1/webhooks/${id}/deliveries?limit=200`)).data;
  const ended = (id: string) =>
    eventually(`the delivery to ${id} ends`, async () => {
      const [newest] = await deliveries(id);
      return newest && newest.outcome !== 'pending' ? newest : null;
    });
  const typesAt = (path: string) => receiver.received(path).map(({ type }) => type);

  it('tell of a completion though the process was killed between commit and send', async () => {
    const dying = await orchestrator({ machine: 'drill', state: 'FINISHING', moment: 'committed' });
    await endpoint('all', undefined, []);
    const webhook = { url: receiver.url('own'), types: ['project.completed'] };
    const started = await dying.api.must<StartedProject>('POST', '/v1/projects', { ...SMALL_DRILL, webhook });
    receiver.expect('own', started.webhook?.secret ?? '');
    expect(await dying.ended).toBe('SIGKILL');
    expect(typesAt('own')).toEqual([]);
    expect(typesAt('all')).not.toContain('project.completed');
    await orchestrator();
    const told = await eventually('its end is told to both', async () => {
      const [own, all] = ['own', 'all'].map((path) =>
        receiver.received(path).find(({ type }) => type === 'project.completed'),
      );
      return own && all ? [own, all] : null;
    });
    const { id, name, checkpoint } = await service.api.project(started.id);
    for (const { data } of told) {
      const standing = { id, name, mode: 'drill', state: 'FINISHED', status: 'completed', checkpoint: checkpoint.seq };
      expect(data.project).toMatchObject(standing);
    }
    expect(typesAt('all')).toContain('project.state_changed');
    expect(receiver.forged).toEqual([]);
  });

  it.concurrent('come back to a receiver that fails, under the same id, until it answers 2xx', async () => {
    const id = await endpoint('fails-thrice', (nth) => (nth <= 3 ? 500 : 200));
    const { id: message } = await send(id);
    const delivery = await ended(id);
    expect(delivery).toMatchObject({ id: message, outcome: 'delivered', type: 'webhook.test' });
    expect(delivery.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
    expect(receiver.received('fails-thrice').map((one) => one.id)).toEqual([message]);
  });

  it.concurrent('do not wait for ever for one that hangs', async () => {
    const id = await endpoint('hangs', (nth) => (nth === 1 ? null : 200));
    await send(id);
    const { attempts, outcome } = await ended(id);
    expect(outcome).toBe('delivered');
    expect(attempts).toMatchObject([
      { status: null, error: 'no answer within 2000 ms' },
      { status: 200, error: null },
    ]);
  });

  it.concurrent(
    'follow no redirect, are given up when the schedule is used up, and are sent again by hand',
    async () => {
      let isMoved = true;
      const id = await endpoint('moved', () => (isMoved ? 302 : 200));
      const { id: message } = await send(id);
      const failed = await ended(id);
      expect(failed).toMatchObject({ outcome: 'failed', reason: '302: redirects are not followed' });
      expect(failed.attempts).toHaveLength(9);
      expect(receiver.attemptsAt('elsewhere')).toBe(0);
      const marked = await service.api.must<WebhookEndpoint>('GET', `/v1/webhooks/${id}`);
      expect(marked).toMatchObject({ enabled: true, failingSince: expect.any(String) as string });
      isMoved = false;
      await service.api.must('POST', `/v1/webhooks/${id}/deliveries/${message}/redeliver`);
      expect(await ended(id)).toMatchObject({ id: message, outcome: 'delivered' });
      expect(await service.api.must('GET', `/v1/webhooks/${id}`)).toMatchObject({ failingSince: null });
    },
  );

  it.concurrent('stop at 410, and begin again when a person says so', async () => {
    let isGone = true;
    const id = await endpoint('gone', () => (isGone ? 410 : 200));
    await send(id);
    expect(await ended(id)).toMatchObject({ outcome: 'failed', reason: 'it answered 410 Gone' });
    const off = await service.api.must<WebhookEndpoint>('GET', `/v1/webhooks/${id}`);
    expect(off).toMatchObject({ enabled: false, disabledReason: 'it answered 410 Gone' });
    const refused = await service.api.refusal('POST', `/v1/webhooks/${id}/test`);
    expect(refused).toMatchObject({ status: 409, code: 'WEBHOOK_DISABLED' });
    isGone = false;
    await service.api.must('PATCH', `/v1/webhooks/${id}`, { enabled: true });
    await send(id);
    expect(await ended(id)).toMatchObject({ outcome: 'delivered' });
  });

  it.concurrent('are signed with both secrets while one is replaced', async () => {
    const id = await endpoint('rotated');
    const rotated = await service.api.must<WebhookWithSecret>('POST', `/v1/webhooks/${id}/rotate-secret`, {});
    const { id: first } = await send(id);
    expect(await ended(id)).toMatchObject({ outcome: 'delivered' });
    receiver.expect('rotated', rotated.secret ?? '');
    const { id: second } = await send(id);
    expect(await ended(id)).toMatchObject({ id: second, outcome: 'delivered' });
    const headers = receiver.headers.filter((one) => [first, second].includes(String(one['webhook-id'])));
    for (const one of headers) expect(String(one['webhook-signature']).split(' ')).toHaveLength(2);
    expect(rotated.previousSecretUntil).not.toBeNull();
  });

  it.concurrent('show a secret once: not in a repeated answer, a list, or the store of answers', async () => {
    const key = { 'idempotency-key': 'once' };
    const order = { ...SMALL_DRILL, gates: {}, webhook: { url: receiver.url('quiet'), types: ['budget.exceeded'] } };
    const first = await service.api.must<StartedProject>('POST', '/v1/projects', order, key);
    expect(first.webhook?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await service.api.must<StartedProject>('POST', '/v1/projects', order, key);
    expect(again).toEqual({ ...first, webhook: { ...first.webhook, secret: null } });
    const { data } = await service.api.must<Page<object>>('GET', `/v1/webhooks?projectId=${first.id}`);
    expect(JSON.stringify(data)).not.toContain('whsec_');
    const { rows } = await field.pool.query(`SELECT 1 FROM idempotency_key WHERE response LIKE '%whsec%'`);
    expect(rows).toEqual([]);
    const { rows: kept } = await field.pool.query(`SELECT 1 FROM project WHERE options LIKE '%webhook%'`);
    expect(kept).toEqual([]);
  });

  it.concurrent.each([
    ['plain http', 'http://example.org/hook'],
    ['loopback', 'https://127.0.0.1/hook'],
    ['an odd spelling of loopback', 'https://0x7f.1/hook'],
    ['loopback in IPv6', 'https://[::1]/hook'],
    ['IPv4 in IPv6', 'https://[::ffff:10.0.0.1]/hook'],
    ['a private address', 'https://192.168.1.1/hook'],
    ['the address of cloud metadata', 'https://169.254.169.254/latest'],
    ['credentials', 'https://me:secret@example.org/hook'],
    ['another service', 'https://example.org:22/'],
  ])('are refused to an address with %s', async (_what, url) => {
    const refused = await service.api.refusal('POST', '/v1/webhooks', { url });
    expect(refused).toMatchObject({ status: 422, code: 'WEBHOOK_URL_REFUSED' });
    const start = await service.api.refusal('POST', '/v1/projects', { ...SMALL_DRILL, webhook: { url } });
    expect(start).toMatchObject({ status: 422, code: 'WEBHOOK_URL_REFUSED' });
  });

  it('are looked after by an admin alone', async () => {
    const scopes = ['projects:read', 'projects:write', 'gates:decide'];
    const other = service.api.with(await grantKey(field.pool, { scopes }));
    expect(await other.refusal('GET', '/v1/webhooks')).toMatchObject({ status: 403, code: 'SCOPE_MISSING' });
    const id = await endpoint('removed');
    await service.api.must('DELETE', `/v1/webhooks/${id}`);
    expect(await service.api.refusal('GET', `/v1/webhooks/${id}`)).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
  });

  it('all arrive, a thousand of them, at a receiver that fails three times of ten, over a kill -9', async () => {
    const isFailing: Behaviour = (nth, id) => (nth <= 5 && (id.charCodeAt(nth) + nth * 7) % 10 < 3 ? 503 : 200);
    const paths = Array.from({ length: 24 }, (_, nth) => `many-${String(nth)}`);
    const ids = await Promise.all(paths.map((path) => endpoint(path, isFailing, [])));
    const drills = await Promise.all(
      Array.from({ length: 5 }, () => service.api.must<StartedProject>('POST', '/v1/projects', SMALL_DRILL)),
    );
    const arrived = () => paths.reduce((sum, path) => sum + receiver.received(path).length, 0);
    await eventually('a fifth of them has arrived', async () => arrived() >= 200);
    await service.kill('SIGKILL');
    await orchestrator();
    for (const { id } of drills) await service.api.untilStatus(id, 'completed', 60_000);
    const outcomes = await eventually(
      'all are delivered',
      async () => {
        const { rows } = await field.pool.query<{ outcome: string; count: number }>(
          'SELECT outcome, count(*)::int FROM webhook_delivery WHERE endpoint_id = ANY ($1) GROUP BY outcome',
          [ids],
        );
        return rows.some(({ outcome }) => outcome === 'pending') ? null : rows;
      },
      { deadlineMs: 60_000, everyMs: 200 },
    );
    const sent = await field.pool.query<{ id: string }>(
      'SELECT id FROM webhook_delivery WHERE endpoint_id = ANY ($1)',
      [ids],
    );
    expect(outcomes).toEqual([{ outcome: 'delivered', count: sent.rows.length }]);
    expect(sent.rows.length).toBeGreaterThanOrEqual(1_000);
    const taken = new Set(paths.flatMap((path) => receiver.received(path).map(({ id }) => id)));
    expect(taken).toEqual(new Set(sent.rows.map(({ id }) => id)));
    expect(receiver.forged).toEqual([]);
    for (const path of paths) {
      const completed = receiver.received(path).filter(({ type }) => type === 'project.completed');
      expect(new Set(completed.map(({ data }) => data.project?.['id']))).toEqual(new Set(drills.map(({ id }) => id)));
    }
    const metrics = await service.api.text('/metrics');
    expect(metrics).toMatch(/qralph_webhook_attempts_total\{type="project\.completed",outcome="delivered"\} \d+/);
    expect(logs.flat().filter((line) => line.includes('whsec_'))).toEqual([]);
  });
});
