import type { Team, TeamMessage } from '#contracts';
import { LEAD, type NewMessage, say } from './messages.js';

/** What is asked of each teammate that is still there. */
export const shutdownSteps = (team: Team): readonly NewMessage[] =>
  team.status === 'deleted'
    ? []
    : team.members
        .filter(({ status }) => status !== 'shut-down')
        .map(({ teammate }) => ({
          from: LEAD,
          to: teammate,
          kind: 'shutdown_request',
          text: 'The project has come to its end: finish now, and say so.',
        }));

/**
 * The end of a team: each teammate is asked, and acknowledges or is ended by force. Requests that were sent before are
 * not sent again. `acknowledged`: names of teammates.
 */
export function shutDown(
  team: Team,
  messages: readonly TeamMessage[],
  acknowledged: ReadonlySet<string>,
): { readonly team: Team; readonly messages: readonly TeamMessage[] } {
  const asked = new Set(messages.filter(({ kind }) => kind === 'shutdown_request').map(({ to }) => to));
  const requests = shutdownSteps(team);
  const answers = requests.map(({ to }): NewMessage =>
    acknowledged.has(to)
      ? { from: to, to: LEAD, kind: 'shutdown_ack', text: 'Finished.' }
      : {
          from: LEAD,
          to,
          kind: 'shutdown_forced',
          text: 'It has not ended in time: its project was told to abort, and its worker ends what it runs.',
        },
  );
  return {
    team: { ...team, status: 'deleted', members: team.members.map((one) => ({ ...one, status: 'shut-down' })) },
    messages: [...requests.filter(({ to }) => !asked.has(to)), ...answers].reduce(say, messages),
  };
}
