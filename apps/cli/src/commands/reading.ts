import { type Artifact, routes } from '#contracts';
import { allPages } from '../api/all-pages.js';
import { command } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { clean } from '../show/clean.js';
import { amount } from '../show/event-line.js';
import { dim } from '../show/style.js';
import { tableLines } from '../show/table.js';
import { outcomeLine } from '../watch/show-end.js';

export const findings = command({
  name: 'findings',
  summary: 'what reviewers found, and what became of it',
  positionals: 'PROJECT',
  options: { priority: { type: 'string', value: 'P0|P1|P2', help: 'only of this priority' } },
  examples: ['qralph findings 001-dark-mode-toggle --priority P0'],
  async run({ api, out }, { values: { priority }, positionals: [id = ''] }) {
    const page = await allPages(api, routes.listFindings, { params: { id }, query: { priority } });
    if (out.isJson) out.json(page);
    else if (page.data.length === 0) out.lines('nothing was found, or not yet');
    else
      for (const finding of clean(page.data)) {
        const place =
          finding.file === null ? '' : `${finding.file}${finding.line === null ? '' : `:${String(finding.line)}`}`;
        out.lines(
          outcomeLine(finding),
          ...[place, ...finding.body.split('\n')].filter(Boolean).map((line) => dim(`    ${line}`)),
        );
      }
    return EXIT.ok;
  },
});

export const diff = command({
  name: 'diff',
  summary: 'what a project changed, as a patch',
  positionals: 'PROJECT',
  options: { stat: { type: 'boolean', help: 'only which files, and how much' } },
  examples: ['qralph diff 001-dark-mode-toggle', 'qralph diff 001-dark-mode-toggle --stat'],
  async run({ api, out }, { values: { stat }, positionals: [id = ''] }) {
    const changed = await api.call(routes.projectDiff, { params: { id } });
    if (out.isJson) {
      out.json(changed);
      return EXIT.ok;
    }
    const { files, patch, cut, simulated } = changed;
    if (simulated) out.note('done by a simulated model');
    if (cut) out.note('the patch is too long and ends early: look at the branch');
    if (stat) {
      const rows = clean(files).map((one) => [
        one.status,
        `+${String(one.insertions)}`,
        `−${String(one.deletions)}`,
        one.path,
      ]);
      out.lines(...tableLines(['how', '+', '−', 'file'], rows));
    } else if (patch !== '') out.text(patch);
    return EXIT.ok;
  },
});

export const artifacts = command({
  name: 'artifacts',
  summary: 'what a project left to read',
  positionals: 'PROJECT',
  options: {},
  examples: ['qralph artifacts 001-dark-mode-toggle'],
  async run({ api, out }, { positionals: [id = ''] }) {
    const page = await api.call(routes.listArtifacts, { params: { id } });
    if (out.isJson) out.json(page);
    else {
      const rows = clean(page.data).map((one) => [one.name, amount(one.bytes), one.modifiedAt]);
      out.lines(...tableLines(['name', 'bytes', 'changed'], rows));
    }
    return EXIT.ok;
  },
});

export const show = command({
  name: 'show',
  summary: 'one of the files that a project left to read',
  positionals: 'PROJECT NAME',
  options: {},
  examples: ['qralph show 001-dark-mode-toggle SUMMARY.md', 'qralph show 002-compare-three-date PLAN.md'],
  async run({ api, out }, { positionals: [id = '', name = ''] }) {
    const artifact = await api.call(routes.getArtifact, { params: { id, name } });
    if (out.isJson) {
      out.json(artifact);
      return EXIT.ok;
    }
    if (artifact.encoding === 'base64') {
      throw new Failure(EXIT.refused, 'NO_TEXT', `${name} is no text; ${wholeOf(artifact)}`);
    }
    if (artifact.cut) out.note(`the file is too long and ends early; ${wholeOf(artifact)}`);
    out.text(artifact.content);
    return EXIT.ok;
  },
});

/** How to come by all of a document, which is in a commit; its path is quoted for a shell. */
function wholeOf({ deliverable }: Artifact): string {
  if (!deliverable) return 'look at the file itself';
  const path = deliverable.path.replaceAll("'", String.raw`'\''`);
  return `in the repository: git show ${deliverable.commit}:'${path}' > FILE`;
}

export const events = command({
  name: 'events',
  summary: 'what happened, event by event; with --json one per line',
  positionals: 'PROJECT',
  options: {
    after: { type: 'string', value: 'SEQ', help: 'only events after this one' },
    type: { type: 'string', value: 'TYPE', help: 'only of this type, such as state.entered' },
  },
  examples: ['qralph events 001-dark-mode-toggle --type gate.decided --json'],
  async run({ api, out }, { values, positionals: [id = ''] }) {
    let after: number | null = values.after === undefined ? 0 : wholeNumber('--after', values.after);
    while (after !== null) {
      const page: {
        data: readonly { seq: number; type: string; at: string; data: object }[];
        nextCursor: string | null;
      } = await api.call(routes.projectEvents, { params: { id }, query: { after, limit: 1_000 } });
      for (const event of page.data) {
        if (values.type !== undefined && event.type !== values.type) continue;
        if (out.isJson) out.jsonLine(event);
        else {
          const { seq, type, at, data } = clean(event);
          out.lines(`${String(seq).padStart(5)}  ${dim(at)}  ${type}  ${dim(JSON.stringify(data))}`);
        }
      }
      after = page.nextCursor === null ? null : Number(page.nextCursor);
    }
    return EXIT.ok;
  },
});
