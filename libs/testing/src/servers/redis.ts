import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { tempFolder } from './temp-folder.js';

export interface TestRedisOptions {
  /** Default: noeviction, which the queue demands. */
  maxmemoryPolicy?: string;
}

export interface TestRedis {
  url: string;
  port: number;
  /** FLUSHALL: every queued job is lost. */
  flush(): Promise<void>;
  /** SIGKILL, with all data lost; restart() brings an empty server back on the same port. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A real `redis-server` from PATH, on a free port, without persistence. */
export async function startRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const folder = tempFolder('redis');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const policy = options.maxmemoryPolicy ?? 'noeviction';
  let child = await launch(port, folder.path, policy);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url,
    port,
    flush: () => withRedis(url, (redis) => redis.flushall()).then(() => {}),
    kill,
    restart: async () => {
      await kill();
      child = await launch(port, folder.path, policy);
    },
    stop: async () => {
      await kill();
      await folder.remove();
    },
  };
}

async function launch(port: number, dir: string, policy: string): Promise<ChildProcess> {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir,
    'maxmemory-policy': policy,
  };
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]);
  // Ends with this process, also when that is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...args], { stdio: 'ignore' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`redis-server ended with code ${String(code)}`);
  });
  failed.catch(() => {});
  await Promise.race([failed, eventually('redis-server answers', () => answers(`redis://127.0.0.1:${port}`))]);
  return child;
}

async function answers(url: string): Promise<boolean> {
  return withRedis(url, (redis) => redis.ping()).then(
    () => true,
    () => false,
  );
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
