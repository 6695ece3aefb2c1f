import { verifyChain } from '#checkpoints';
import { describeStore } from '../store-conformance.js';
import { MemoryStore } from './memory-store.js';

describeStore('the store in memory', async () => {
  let now = 0;
  const store = new MemoryStore(() => (now += 1));
  return {
    store,
    workers: store,
    create: async (seed) => store.create(seed),
    signal: async (to, by, body) => store.signal(to, by, body),
    eventTypes: async (id) => store.projects.get(id)?.events.map((event) => event.type) ?? [],
    announced: async (id) =>
      store.projects.get(id)?.announcements.map(({ type, version, data }) => [type, version, data]) ?? [],
    staleWrites: async (id) => store.staleWrites.filter((write) => write.projectId === id).length,
    chainFault: async (id) => {
      const project = store.projects.get(id);
      if (!project) return 'no such project';
      const anchor = { projectId: id, version: project.version, checksum: project.headChecksum };
      return verifyChain(project.links, anchor, (hash) => store.blobs.get(hash), null).faults[0]?.reason ?? null;
    },
    close: async () => undefined,
  };
});
