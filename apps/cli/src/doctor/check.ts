export interface Check {
  /** note: it works, and could be better. */
  readonly level: 'ok' | 'note' | 'bad';
  readonly name: string;
  readonly says: string;
  /** What to do about it. */
  readonly remedy: string | null;
}

export const ok = (name: string, says: string): Check => ({ level: 'ok', name, says, remedy: null });
export const note = (name: string, says: string, remedy: string | null): Check => ({
  level: 'note',
  name,
  says,
  remedy,
});
export const bad = (name: string, says: string, remedy: string | null): Check => ({ level: 'bad', name, says, remedy });
