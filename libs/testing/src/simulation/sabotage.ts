import type { Claim, Lease, LeftBehind, ProjectStore, ReleaseTerms, WorkerStore, Write, WriteResult } from '#engine';
import { ENGINE_SABOTAGES, type EngineSabotage } from './engine-sabotage.js';
import { type MemoryProject, MemoryStore } from '../memory/index.js';

/** Deliberate faults in what the engine stands on. */
const PORT_SABOTAGES = [
  'drop-the-epoch-check',
  'acknowledge-before-commit',
  'forget-the-journal',
  'repeat-blindly',
  'hand-over-with-unseen-signals',
  'trust-the-queue',
  'let-time-run-on',
  'leave-orphans-running',
] as const;
type PortSabotage = (typeof PORT_SABOTAGES)[number];

/** Deliberate faults: a simulation that does not find these proves nothing. */
export const SABOTAGES = [...PORT_SABOTAGES, ...ENGINE_SABOTAGES];
export type Sabotage = PortSabotage | EngineSabotage;

export function sabotagedStore(now: () => number, sabotage: Sabotage | undefined): MemoryStore {
  if (sabotage === 'drop-the-epoch-check') return new UnfencedStore(now);
  return new MemoryStore(now);
}

class UnfencedStore extends MemoryStore {
  protected override fenceHolds(project: MemoryProject, _lease: Lease, write: Write): boolean {
    return !write.next || write.next.version > project.version - 1;
  }
}

export function sabotagedLeftBehind(leftBehind: LeftBehind, sabotage: Sabotage | undefined): LeftBehind {
  return sabotage === 'leave-orphans-running' ? { endAll: async () => undefined } : leftBehind;
}

/** Wraps what a worker sees of the stores, so that the engine on top of it is wrong in one way. */
export function sabotaged<T extends ProjectStore & WorkerStore>(store: T, sabotage: Sabotage | undefined): T {
  const wrong: Partial<ProjectStore & WorkerStore> = {};
  switch (sabotage) {
    case 'acknowledge-before-commit': {
      // Says done at once; the write itself leaves one turn later, if the process still lives by then.
      const later = new Map<string, Promise<unknown>>();
      wrong.write = async (lease: Lease, write: Write): Promise<WriteResult> => {
        await later.get(lease.projectId);
        later.set(lease.projectId, store.write(lease, write).catch(() => undefined)); // prettier-ignore
        return { kind: 'written', signal: 0 };
      };
      break;
    }
    case 'forget-the-journal':
    case 'repeat-blindly':
      wrong.claim = async (projectId: string, workerId: string): Promise<Claim> => {
        const claim = await store.claim(projectId, workerId);
        if (claim.kind !== 'claimed') return claim;
        const blind = claim.project.journal.map((entry) => ({ ...entry, status: 'cleared' as const }));
        const journal = sabotage === 'forget-the-journal' ? [] : blind;
        return { kind: 'claimed', project: { ...claim.project, journal } };
      };
      break;
    case 'hand-over-with-unseen-signals':
      wrong.release = (lease: Lease, { runnable }: ReleaseTerms) =>
        store.release(lease, { runnable, seenSignal: null });
      break;
    case 'let-time-run-on':
      // What is set anew with RESUME is left as it was.
      wrong.write = (lease: Lease, write: Write): Promise<WriteResult> => {
        const { timer, ...rest } = write;
        return store.write(lease, timer && write.next?.cause === 'RESUME' ? rest : write);
      };
      break;
    case 'trust-the-queue':
      wrong.stranded = async () => [];
      break;
    default:
      break;
  }
  return new Proxy(store, {
    get: (target, name) => Reflect.get(Object.hasOwn(wrong, name) ? wrong : target, name) as unknown,
  });
}
