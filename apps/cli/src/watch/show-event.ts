import { type ProjectEvent, routes, type TeamMessage } from '#contracts';
import { allPages } from '../api/all-pages.js';
import type { Client } from '../api/client.js';
import { clean } from '../show/clean.js';
import {
  childOf,
  detail,
  eventLine,
  findingLine,
  handedInLine,
  seatLine,
  stateLine,
  word,
} from '../show/event-line.js';
import { gateLines } from '../show/gate-lines.js';
import type { Output } from '../show/output.js';
import { spentOf } from '../show/project-lines.js';
import { isAsking, isAskedStill } from './asking.js';

/** Shows the events of one project as they come, with what an event has the name of only. */
export class EventShow {
  private readonly params: { readonly id: string };

  constructor(
    private readonly api: Client,
    private readonly out: Output,
    id: string,
    /** Up to this checkpoint all is history: what is spent now says nothing of then. */
    private readonly historyTo = 0,
  ) {
    this.params = { id };
  }

  async show(told: ProjectEvent): Promise<void> {
    const event = clean(told);
    if (event.type === 'state.entered') return this.out.lines(...stateLine(event, await this.spent(event)));
    if (event.type === 'activity.reported') await this.showReport(event);
    const line = (await this.handedIn(event)) ?? eventLine(event);
    if (line !== null) this.out.lines(line);
    if (isAsking(event) && (await isAskedStill(this.api, this.params.id, event))) await this.showGates();
  }

  private isNow(event: ProjectEvent): boolean {
    return event.version >= this.historyTo;
  }

  /**
   * What a reviewer said as it came back: how many findings, and a word about them. The findings themselves are shown
   * when they are one list: until then they have no numbers, and what two reviewers found is there twice.
   * Null: it is no reviewer, or came back long ago, and its last word may be a later one.
   */
  private async handedIn(event: ProjectEvent): Promise<string | null> {
    const agent = childOf(event);
    if (agent === null || !this.isNow(event)) return null;
    const { api, params } = this;
    const said = clean((await allPages(api, routes.listMessages, { params })).data).filter(isReview);
    if (said.length === 0) return null;
    const { members } = clean(await api.call(routes.projectTeam, { params }));
    const teammate = members.find((member) => member.agent === agent)?.teammate;
    const last = said.findLast(({ from }) => from === teammate);
    return last ? handedInLine(agent, last) : null;
  }

  /** Whoever was seated, what was found, what was done. */
  private async showReport(event: ProjectEvent): Promise<void> {
    const { api, out, params } = this;
    switch (word(event, 'event')) {
      case 'team:composed': {
        const { domains, members } = clean(await api.call(routes.projectTeam, { params }));
        return out.lines(detail('about', domains.join(', ')), ...members.map(seatLine));
      }
      case 'reviews:synthesised': {
        const { data } = clean(await api.call(routes.listFindings, { params, query: { limit: 200 } }));
        return out.lines(...data.map((finding) => detail('finding', findingLine(finding))));
      }
      case 'task:finished': {
        const { data } = clean(await api.call(routes.listTasks, { params, query: { limit: 200 } }));
        const task = data.find((one) => one.id === word(event, 'task'));
        const words = `${word(event, 'task')} ${word(event, 'outcome')}: ${task?.title ?? ''}`;
        return out.lines(detail('task', words));
      }
      default:
    }
  }

  private async showGates(): Promise<void> {
    const { data } = clean(await this.api.call(routes.projectGates, { params: this.params }));
    for (const gate of data) this.out.lines(...gateLines(gate, ' '.repeat(14)));
  }

  private async spent(event: ProjectEvent): Promise<string> {
    return this.isNow(event) ? spentOf(clean(await this.api.call(routes.getProject, { params: this.params }))) : '';
  }
}

const isReview = ({ kind }: TeamMessage): boolean => kind === 'summary' || kind === 'health';
