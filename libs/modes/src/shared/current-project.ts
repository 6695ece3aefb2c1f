import type { LiveProject } from '#contracts';
import type { JsonObject } from '#kernel';
import type { ProjectHistory } from '../history.js';

/**
 * current-project.json: which project of a repository is at hand, for a session that begins there. It is the
 * newest project that has not ended; if there is none, its fields are null.
 */
export function currentProject([current, ...others]: readonly LiveProject[]): string {
  const at = current ? fieldsOf(current) : NO_PROJECT;
  const rest = others.map((one) => {
    const { project_id, project, project_path, mode, state, status, next } = fieldsOf(one);
    return { project_id, project, project_path, mode, state, status, next };
  });
  return `${JSON.stringify({ ...at, others: rest }, null, 2)}\n`;
}

export const currentIn = async (history: Pick<ProjectHistory, 'liveIn'>, repo: string): Promise<string> =>
  currentProject(await history.liveIn(repo));

const fieldsOf = ({ id, name, request, mode, state, status, updatedAt, seq, checksum }: LiveProject) => ({
  project_id: name,
  project: id,
  project_path: `.qralph/projects/${name}`,
  request,
  mode,
  phase: state,
  state,
  status,
  updated_at: updatedAt.toISOString(),
  checkpoint: { seq, checksum },
  next: nextOf(id, status),
});

const NO_PROJECT: { readonly [Key in keyof ReturnType<typeof fieldsOf>]: null } & JsonObject = {
  project_id: null,
  project: null,
  project_path: null,
  request: null,
  mode: null,
  phase: null,
  state: null,
  status: null,
  updated_at: null,
  checkpoint: null,
  next: null,
};

function nextOf(id: string, status: string): string {
  const at = `/v1/projects/${id}`;
  switch (status) {
    case 'paused':
      return `Paused. POST ${at}/commands with RESUME continues it.`;
    case 'waiting':
    case 'blocked':
      return `It waits for your decision. GET ${at}/summary says what to decide, and how.`;
    default:
      return `Nothing to do: it continues by itself. GET ${at}/summary says where it stands.`;
  }
}
