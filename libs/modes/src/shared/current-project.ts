import type { LiveProject } from '#contracts';
import type { JsonObject } from '#kernel';
import type { ProjectHistory } from '../history.js';

/**
 * current-project.json: which project of a repository is at hand, for whoever begins a session there. It is the one
 * that was started last of those that have not ended; where there is none its fields are null.
 */
export function currentProject([current, ...others]: readonly LiveProject[]): string {
  const at = current ? fieldsOf(current) : NOBODY;
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

const NOBODY: { readonly [Key in keyof ReturnType<typeof fieldsOf>]: null } & JsonObject = {
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
      return `Paused: POST ${at}/commands with RESUME goes on.`;
    case 'waiting':
    case 'blocked':
      return `A person is asked: GET ${at}/summary says what, and how to answer.`;
    default:
      return `Nothing: it goes on by itself. GET ${at}/summary says where it stands.`;
  }
}
