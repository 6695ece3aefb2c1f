import { ProjectRunner } from '#engine';

/** Deliberate faults in the engine's own parts: their seams are private, and tampered with from here alone. */
const FAULTS = {
  /** An effect does not wait until its start is in the journal. */
  'run-before-the-journal': (runner: ProjectRunner): void => {
    const state = runner['state'];
    const effects = state['effects'].bind(state);
    state['effects'] = (interruption) => {
      const journal = effects(interruption);
      const record = journal['record'].bind(journal);
      journal['record'] = async (entry, type, details) => {
        const recorded = record(entry, type, details);
        recorded.catch(() => undefined);
        if (entry.status !== 'started') await recorded;
      };
      return journal;
    };
  },
  /** A write whose answer was lost is taken for lost itself and sent again under the next number. */
  'resend-blindly': (runner: ProjectRunner): void => {
    runner['record']['writer']['fate'] = async (write, otherwise) => {
      Object.assign(write, { number: write.number + 1 });
      return otherwise;
    };
  },
  /** An interrupted activity is left, and what it has running never hears of it. */
  'interrupt-in-name-only': (runner: ProjectRunner): void => {
    const state = runner['state'];
    const effects = state['effects'].bind(state);
    state['effects'] = (interruption) => {
      const deaf = new AbortController().signal;
      return effects(Object.defineProperty(interruption, 'signal', { value: deaf }));
    };
  },
};

export type EngineSabotage = keyof typeof FAULTS;
export const ENGINE_SABOTAGES = Object.keys(FAULTS) as EngineSabotage[];

/** Every runner that begins to drive meanwhile has the fault. For one history at a time. */
export async function withFaultyRunners<T>(fault: EngineSabotage, history: () => Promise<T>): Promise<T> {
  const { prototype } = ProjectRunner;
  const drive = Object.getOwnPropertyDescriptor(prototype, 'drive')?.value as ProjectRunner['drive'];
  prototype.drive = function (this: ProjectRunner) {
    FAULTS[fault](this);
    return drive.call(this);
  };
  try {
    return await history();
  } finally {
    prototype.drive = drive;
  }
}
