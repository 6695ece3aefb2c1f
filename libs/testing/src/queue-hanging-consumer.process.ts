import { openWorkQueueOf } from '#queue';
import { testJobs } from './queue-under-test.js';

const [name = '', databaseUrl = '', redisUrl = ''] = process.argv.slice(2);

// Ends with the process that started it, also when that is killed.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, 500).unref();

const queue = await openWorkQueueOf(testJobs, {
  name,
  databaseUrl,
  redisUrl: redisUrl || null,
  concurrency: 1,
  log: (level, message, details) => console.error(level, message, details),
});
const hang = (): Promise<void> => {
  console.log('took a job');
  return new Promise(() => undefined);
};
await queue.start([
  { job: 'note', handle: hang },
  { job: 'brief', handle: hang },
]);
