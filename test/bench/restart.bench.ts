import { tempFolder, eventually } from '#testing';
import { Api } from '../harness/api.js';
import { atMost, type Bench, type Figure } from './figure.js';
import { freePort, ServiceProcess } from './service.js';

const KILLS = 3;
const DRILL = { parameters: { rounds: 100, width: 2, workMs: 20 }, gates: { approval: false } };

/** How long after a lone process that was killed is ready again its project enters the next state. */
export const restart: Bench = {
  name: 'restart',
  run: async () => {
    const folder = tempFolder('bench-restart');
    try {
      return [await measure(folder.path)];
    } finally {
      await folder.remove();
    }
  },
};

async function measure(dataDir: string): Promise<Figure> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = { QRALPH_DATA_DIR: dataDir, QRALPH_PORT: port, QRALPH_LOG_LEVEL: 'warn' };
  let service = ServiceProcess.spawn('orchestrator', settings);
  try {
    await service.ready(url);
    const api = await Api.ofDataDir(url, dataDir);
    const { id } = await api.startDrill(DRILL);
    const times: number[] = [];
    let seen = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      seen = (await entry(api, id, seen)).seq;
      await service.end('SIGKILL');
      const killedAt = Date.now();
      service = ServiceProcess.spawn('orchestrator', settings);
      await service.ready(url);
      const readyAt = Date.now();
      const next = await entry(api, id, seen, killedAt);
      seen = next.seq;
      times.push(Math.max(0, Date.parse(next.at) - readyAt));
    }
    const note = `the slowest of ${String(KILLS)}; 0: it moved before the process said that it is ready`;
    return atMost({ name: 'restart', value: Math.max(...times) / 1_000, unit: 's', note }, 'value', 2);
  } finally {
    await service.end('SIGTERM');
  }
}

/** The first entry of a state after the event `seen`, and not before a moment (of the one clock both sides share). */
const entry = (api: Api, id: string, seen: number, from = 0): Promise<{ seq: number; at: string }> =>
  eventually('the project enters a state', async () => {
    const page = `/v1/projects/${id}/events?limit=1000&after=${String(seen)}`;
    const { data } = await api.must<{ data: { seq: number; type: string; at: string }[] }>('GET', page);
    return data.find(({ type, at }) => type === 'state.entered' && Date.parse(at) >= from);
  }); // prettier-ignore
