import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { WorkQueueOptions } from '#queue';
import { spawnSource } from './servers/index.js';

type Servers = Pick<WorkQueueOptions, 'databaseUrl' | 'redisUrl'>;

/** See QueueUnderTest. */
export async function spawnHangingConsumer(
  { databaseUrl, redisUrl }: Servers,
  queueName: string,
): Promise<{ kill(): Promise<void> }> {
  const script = new URL('./queue-hanging-consumer.process.ts', import.meta.url);
  const child = spawnSource(script, [queueName, databaseUrl, redisUrl ?? '']);
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const failed = ended.then(() => {
    throw new Error(`the consumer ended before it took a job: ${complaints}`);
  });
  failed.catch(() => undefined);
  await Promise.race([failed, once(child.stdout as Readable, 'data')]);
  return { kill };
}
