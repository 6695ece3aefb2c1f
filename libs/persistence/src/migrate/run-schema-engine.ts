import { Worker } from 'node:worker_threads';
import type { SchemaEngineAnswer, SchemaEngineTask } from './schema-engine.worker.js';

/** Runs one task in a thread of its own, which is gone when this returns. */
export async function runSchemaEngine(task: SchemaEngineTask): Promise<SchemaEngineAnswer> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./schema-engine.worker.${extension}`, import.meta.url), {
    workerData: task,
    // Node still calls the import of a WebAssembly module experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    return await new Promise<SchemaEngineAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`Prisma's schema engine ended with code ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
