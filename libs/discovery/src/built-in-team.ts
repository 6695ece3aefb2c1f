import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineBug } from '#kernel';

/** The reviewers that come with the service: in the `team` folder above this file, the same one from source and `dist`. */
export function builtInTeam(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const team = join(folder, 'team');
    // A folder of this name may be on the way; the reviewer that every team may need is only in ours.
    if (existsSync(join(team, 'sde-iii.md'))) return team;
    if (folder === dirname(folder)) throw new EngineBug('TEAM_NOT_FOUND', 'this installation has no team/sde-iii.md');
  }
}
