import { type Project, routes } from '#contracts';
import { eventsOf } from '../api/event-stream.js';
import type { Context } from '../args/command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { isAsking, isAskedStill } from './asking.js';
import { showEnd } from './show-end.js';
import { EventShow } from './show-event.js';

export interface Watching {
  /** Only events after this one. */
  readonly after?: number;
  /** How long a service that is away is waited for. */
  readonly waitMs: number;
  /** Ends as soon as a person is asked. */
  readonly leavesAtGate: boolean;
  /** The newest checkpoint when it began; what was told up to it is history. */
  readonly historyTo: number;
}

/** Shows a project as it goes, to its end; a service that is killed and started anew in between loses nothing of it. */
export async function watch({ api, out, told }: Context, project: Project, watching: Watching): Promise<ExitCode> {
  const { id, name } = project;
  const patient = api.patient(watching.waitMs);
  const onAway = (isAway: boolean): void =>
    out.note(isAway ? 'the service is away; waiting for it …' : 'the service is back');
  const show = new EventShow(patient, out, id, watching.historyTo);
  try {
    for await (const event of eventsOf(api, id, { ...watching, onAway })) {
      if (out.isJson) out.jsonLine(event);
      else await show.show(event);
      if (watching.leavesAtGate && isAsking(event) && (await isAskedStill(patient, id, event))) return EXIT.waits;
    }
    if (out.isJson) return exitOf(await patient.call(routes.getProject, { params: { id } }));
    const end = await showEnd(patient, out, id);
    if (end.project.workspace) out.lines(`branch       ${end.project.workspace.branch}`);
    out.lines('', `more: qralph diff ${name}, qralph costs ${name}, qralph artifacts ${name}`);
    return end.isSound ? exitOf(end.project) : EXIT.unsound;
  } catch (error) {
    if (told.aborted) out.note('', `${name} runs on; watch it again with: qralph watch ${name}`);
    throw error;
  }
}

/** How a project stands, as an exit code. */
export function exitOf({ status }: Pick<Project, 'status'>): ExitCode {
  switch (status) {
    case 'running':
    case 'completed':
      return EXIT.ok;
    case 'waiting':
    case 'blocked':
    case 'paused':
      return EXIT.waits;
    case 'aborted':
    case 'failed':
      return EXIT.endedBadly;
  }
}
